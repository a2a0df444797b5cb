-- What a mind concludes from its notes: the notes it rests on, how far it lies from what was told, whether it still stands.
-- compat: 10
-- A program that knows only schema 13 forgets and deletes what a reflection rests on as it does any note; the triggers of
-- this file mark what rested on it all the same.

-- `depth`: 1 for what rests on notes alone, one more than the deepest reflection it rests on. `stale`: 0 it stands; 1 what it
-- rests on has faded or is told in other words; 2 some of that was taken back, ended or deleted. `topic` tells findings
-- of the statistics apart, `question` is what a model was asked.
CREATE TABLE reflection (
  note INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE,
  depth INTEGER NOT NULL CHECK (depth BETWEEN 1 AND 4),
  stale INTEGER NOT NULL DEFAULT 0 CHECK (stale BETWEEN 0 AND 2),
  engine TEXT NOT NULL,
  topic TEXT NOT NULL DEFAULT '',
  question TEXT NOT NULL DEFAULT '',
  home INTEGER NOT NULL DEFAULT 0,
  made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reflection_stale ON reflection (note) WHERE stale > 0;

-- The notes a reflection rests on, each as it was told then.
CREATE TABLE evidence (
  reflection INTEGER NOT NULL REFERENCES reflection (note) ON DELETE CASCADE,
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  PRIMARY KEY (reflection, note),
  CHECK (reflection <> note)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_note ON evidence (note);

-- The conversations that what a reflection rests on was heard in: it surfaces only where all of them may.
CREATE TABLE reflection_home (
  note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  conversation INTEGER NOT NULL,
  PRIMARY KEY (note, conversation)
) STRICT, WITHOUT ROWID;

-- How much was noted since a mind last reflected: 0 for all of it, or a conversation that keeps what it hears to itself.
CREATE TABLE reflecting (
  home INTEGER PRIMARY KEY,
  carried REAL NOT NULL DEFAULT 0,
  counted INTEGER NOT NULL,
  runs INTEGER NOT NULL DEFAULT 0,
  ran_at INTEGER
) STRICT;
-- Notes of before are not counted: only what comes is.
INSERT INTO reflecting (home, counted) SELECT 0, max(id) FROM note HAVING max(id) IS NOT NULL;

-- Notes that are to be thought over again, because a reflection that rested on them had to go.
CREATE TABLE rethink (
  note INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE
) STRICT;
-- Notes of which somebody deleted what was concluded: it is not concluded again.
CREATE TABLE unreflected (
  note INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER evidence_retold AFTER UPDATE OF version ON note WHEN NEW.version <> OLD.version BEGIN
  UPDATE reflection SET stale = max(stale, CASE WHEN NEW.kind = 'reflection' OR NEW.fidelity <> OLD.fidelity THEN 1 ELSE 2 END)
  WHERE note IN (SELECT reflection FROM evidence WHERE note = NEW.id);
END;
CREATE TRIGGER evidence_forgotten AFTER INSERT ON tombstone WHEN NEW.kind = 'note' BEGIN
  UPDATE reflection SET stale = max(stale, CASE WHEN NEW.reason IN ('isolated', 'ceiling') THEN 1 ELSE 2 END)
  WHERE note IN (SELECT reflection FROM evidence WHERE note = NEW.item);
END;
CREATE TRIGGER evidence_ended AFTER INSERT ON ending WHEN NEW.by <> NEW.note BEGIN
  UPDATE reflection SET stale = 2 WHERE note IN (SELECT reflection FROM evidence WHERE note = NEW.note);
END;
CREATE TRIGGER evidence_deleted BEFORE DELETE ON note BEGIN
  UPDATE reflection SET stale = max(stale, CASE WHEN OLD.lifecycle = 'forgotten' THEN 1 ELSE 2 END)
  WHERE note IN (SELECT reflection FROM evidence WHERE note = OLD.id);
END;
