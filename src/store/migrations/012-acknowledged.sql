-- A change of a suite that somebody knows of: what its nights are compared with begins anew there.
CREATE TABLE acknowledgement (
  id INTEGER PRIMARY KEY,
  suite_name TEXT NOT NULL,
  since INTEGER NOT NULL,              -- the first moment that belongs to what is new
  note TEXT NOT NULL,
  author TEXT NOT NULL,
  at INTEGER NOT NULL                  -- when it was said
) STRICT;
CREATE INDEX acknowledgement_by_suite ON acknowledgement (suite_name);

-- Over keys and expected answers of the whole dataset in file order; null: not known, because an earlier tandem read it.
ALTER TABLE batch ADD COLUMN expected_hash TEXT;
