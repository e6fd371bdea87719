-- Answers that were frozen to watch a judge by. They are those of a batch of their own (batch.origin: anchors), so that they stay when the batch goes from which they were taken.
CREATE TABLE anchor_set (
  batch_id INTEGER PRIMARY KEY REFERENCES batch (id) ON DELETE CASCADE,
  suite_name TEXT NOT NULL,
  scorer TEXT NOT NULL,                -- name of the judge's score
  measure TEXT NOT NULL,               -- pass or value
  taken_from TEXT NOT NULL,            -- name of the batch that they were taken from
  frozen_at INTEGER NOT NULL,
  UNIQUE (suite_name, scorer)
) STRICT;
CREATE TABLE anchor (
  job_id INTEGER PRIMARY KEY,          -- the frozen answer, a job of that batch
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  mark TEXT NOT NULL,                  -- a hash over question and answer, by which one that has changed is known
  value REAL NOT NULL,                 -- what the judge had said of it
  pass INTEGER,
  label REAL                           -- what people say of it; null: nobody said
) STRICT;
CREATE INDEX anchor_by_batch ON anchor (batch_id);
-- The nights in which the judge was asked all anchors once more.
CREATE TABLE anchor_night (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  night TEXT NOT NULL,                 -- name of the batch of that night, which may be gone
  at INTEGER NOT NULL,
  scoring_id INTEGER,                  -- the replies, as scores of the batch of the anchors; null while they are asked
  last_job INTEGER,                    -- id of the job that was planned last in this file when the night's questions were over
  facts TEXT,                          -- JSON object: settings and prompt as hashes, models and fingerprints as the replies name them
  alarm TEXT,                          -- JSON list: what showed in this night that the judge has changed; null: nothing did
  same_until INTEGER,                  -- of an alarm: replies of jobs up to this id are of the judge before it changed
  UNIQUE (batch_id, night)
) STRICT;
