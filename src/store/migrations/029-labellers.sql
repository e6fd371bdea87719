-- People whom a drawn case is for, where several label: a JSON list of names; null: whoever labels
ALTER TABLE drawn_case ADD COLUMN labellers TEXT;
-- 1: the word of a third person on an answer about which others did not agree
ALTER TABLE label ADD COLUMN adjudicates INTEGER NOT NULL DEFAULT 0;
-- A second label of the same person for the same answer, given later without knowing it
CREATE TABLE repeated_label (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  author TEXT NOT NULL,
  label TEXT NOT NULL,
  value REAL NOT NULL,                 -- 1 good, 0 bad, or the number
  note TEXT,
  answer TEXT,                         -- a mark of the text that was labelled
  at INTEGER NOT NULL,
  UNIQUE (job_id, author)
) STRICT;
