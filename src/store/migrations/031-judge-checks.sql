-- Checks of a judge for its biases, by answers of a batch. Its questions are jobs of the kind probe: no score is made of them, and none is taken over.
CREATE TABLE judge_check (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  scorer TEXT NOT NULL,                -- name of the score
  judge TEXT NOT NULL,                 -- a hash over the prompt, the model and the settings that make the judge
  plan TEXT NOT NULL,                  -- a hash over its questions
  begun_at INTEGER NOT NULL,
  finished_at INTEGER,                 -- null: questions are open
  result TEXT                          -- JSON; null as well
) STRICT;
CREATE INDEX judge_check_by_batch ON judge_check (batch_id);
CREATE INDEX judge_check_by_judge ON judge_check (judge);
CREATE TABLE probed (
  check_id INTEGER NOT NULL REFERENCES judge_check (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,              -- of the probe in the check, from 0
  round INTEGER NOT NULL,              -- 1: asked again, because a reply could not be read
  number INTEGER NOT NULL,             -- of the question in its round
  judge_job INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, place, round, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX probed_by_job ON probed (judge_job);
CREATE INDEX probe_job ON job (batch_id, id) WHERE kind = 'probe';
