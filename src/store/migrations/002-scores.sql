-- Grading a batch once, with the scorers as a suite stated them. Scoring again adds another; the latest that is finished counts.
CREATE TABLE scoring (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  suite_hash TEXT NOT NULL,            -- over the scorers and the rule by which a case passes
  scorers TEXT NOT NULL,               -- JSON list: each scorer as written and its metric; a score names its place in it
  version TEXT NOT NULL,               -- of tandem
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

-- What one scorer said of one answer.
CREATE TABLE score (
  scoring_id INTEGER NOT NULL REFERENCES scoring (id) ON DELETE CASCADE,
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  scorer INTEGER NOT NULL,             -- its place in the scoring's list, from 0
  value REAL,                          -- null: unscored
  pass INTEGER,                        -- 1, 0, or null where the scorer only measures
  reason TEXT,                         -- why this grade, or why none
  PRIMARY KEY (scoring_id, job_id, scorer)
) STRICT, WITHOUT ROWID;

-- What a person said of an answer.
CREATE TABLE label (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  scorer TEXT,                         -- the score that it corrects; null: the answer as a whole
  label TEXT NOT NULL,                 -- good or bad, or a number
  note TEXT,
  author TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX label_by_job ON label (job_id);
