-- Which of two answers to the same question a person called better, mostly without knowing whose they are.
CREATE TABLE pairwise_label (
  id INTEGER PRIMARY KEY,
  baseline_job INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  candidate_job INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  better TEXT NOT NULL CHECK (better IN ('baseline', 'candidate', 'neither')),
  blind INTEGER NOT NULL,              -- 1: the names were shown only afterwards
  note TEXT,
  author TEXT NOT NULL DEFAULT '',     -- empty: not told
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX pairwise_label_by_jobs ON pairwise_label (baseline_job, candidate_job, author);
CREATE INDEX pairwise_label_by_candidate ON pairwise_label (candidate_job);
