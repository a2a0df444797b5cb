-- Digested messages that nobody searches leave the search indexes, and records that nobody asks for any more can go.
-- compat: 8
-- An older program would take a message out of the full-text index that is not in it any more, which spoils that index.

-- Of a digested epoch: its messages up to this row are in no search index, neither by words nor by meaning.
-- 0: none of them; 4611686018427387904: all of them, and nothing is left to do.
ALTER TABLE epoch ADD COLUMN shelved_through INTEGER NOT NULL DEFAULT 0;
CREATE INDEX epoch_indexed ON epoch (conversation, epoch)
  WHERE state = 'consolidated' AND shelved_through < 4611686018427387904;
CREATE INDEX epoch_shelved ON epoch (conversation, epoch) WHERE shelved_through > 0;

-- The messages of an epoch are looked for one epoch at a time.
CREATE INDEX message_epoch ON message (conversation, epoch);
CREATE INDEX epoch_open ON epoch (conversation) WHERE state = 'open';
CREATE INDEX message_system ON message (conversation, seq) WHERE role = 'system';
-- All messages are counted without looking at them, and these are taken off.
CREATE INDEX message_apart ON message (id) WHERE deleted <> 0 OR role = 'correction';
-- A recall that goes is looked for here, by SQLite itself.
CREATE INDEX recall_epoch_recall ON recall_epoch (recall);

-- What became of a link goes with the link.
DELETE FROM history WHERE item GLOB 'l[0-9]*' AND CAST(substr(item, 2) AS INTEGER) NOT IN (SELECT id FROM link);
