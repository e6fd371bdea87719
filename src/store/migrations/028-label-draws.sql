-- A mark of the text that was labelled, by which it is known when the answer became another one; null: a label of before
ALTER TABLE label ADD COLUMN answer TEXT;
-- Cases of a batch that were drawn at random for people to label, of one pair of targets.
CREATE TABLE label_draw (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  scorer TEXT NOT NULL,                -- name of the judge's score by which the cases were put into strata
  baseline TEXT NOT NULL,              -- names of the targets
  candidate TEXT NOT NULL,
  design TEXT NOT NULL,                -- simple or strata
  seed TEXT NOT NULL,
  frame TEXT NOT NULL,                 -- a hash over the cases that could be drawn, with the stratum of each
  strata TEXT NOT NULL,                -- JSON list: name and size of each stratum
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX label_draw_by_batch ON label_draw (batch_id);
CREATE TABLE drawn_case (
  draw_id INTEGER NOT NULL REFERENCES label_draw (id) ON DELETE CASCADE,
  case_id INTEGER NOT NULL REFERENCES "case" (id) ON DELETE CASCADE,
  stratum INTEGER NOT NULL,            -- place among the strata of the draw
  chance REAL NOT NULL,                -- that it had to be drawn
  wave INTEGER NOT NULL,               -- 1: at first; more: by --next
  place INTEGER NOT NULL,              -- in the order in which they are labelled
  PRIMARY KEY (draw_id, case_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX drawn_case_by_case ON drawn_case (case_id);
