-- How notes fade: what of them is indexed while something is masked, and when search has to hear of the next crossing.
-- compat: 5
-- An older program would take a note out of the full-text index by its text where what shows of it is indexed, which
-- spoils that index.

-- The text as it is indexed for search while something of the note is masked; NULL: the text itself.
ALTER TABLE note ADD COLUMN shown TEXT;
-- When, whose and under which tags it is found while these would give away what is masked; NULL: as they are.
ALTER TABLE note ADD COLUMN shown_at INTEGER;
ALTER TABLE note ADD COLUMN shown_speaker TEXT;
ALTER TABLE note ADD COLUMN shown_tags TEXT;
-- How much of the note is still what was told; each reconstruction lowers it.
ALTER TABLE note ADD COLUMN fidelity REAL NOT NULL DEFAULT 1 CHECK (fidelity BETWEEN 0 AND 1);
-- How much of `at` was still known when it was reconstructed: 3 the day, 2 the month, 1 the year, 0 nothing; NULL: all.
ALTER TABLE note ADD COLUMN at_parts INTEGER;
-- When it was last reconstructed.
ALTER TABLE note ADD COLUMN rewritten_exp INTEGER;

-- The next crossing of an element that search does not know of yet: `due_blur` while it is indexed as clear,
-- `due_blank` while it is indexed as blurred, NULL when nothing is to come.
ALTER TABLE element ADD COLUMN due_next INTEGER;

-- What a client pins or gives as lore never fades.
UPDATE element SET due_blur = 4611686018427387904, due_blank = 4611686018427387904
  WHERE note IN (SELECT id FROM note WHERE pinned = 1 OR kind = 'lore');
UPDATE element SET due_next = due_blur WHERE due_blur < 4611686018427387904
  AND note IN (SELECT id FROM note WHERE lifecycle <> 'forgotten');
CREATE INDEX element_due ON element (due_next) WHERE due_next IS NOT NULL;

-- Details that were made up where nothing was left: words for what they are have still to be found.
CREATE INDEX element_unnamed ON element (note) WHERE gist = '' AND "end" > start;
