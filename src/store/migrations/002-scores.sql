-- Grading a batch once, with the scorers as a suite stated them. Scoring again adds another; the latest that is finished counts.
CREATE TABLE scoring (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  suite_hash TEXT NOT NULL,            -- over the scorers, what they ask and load, and the rule by which a case passes
  scorers TEXT NOT NULL,               -- JSON list: each scorer as written and its metric; a score names its place in it
  rule TEXT NOT NULL,                  -- JSON: when an answer as a whole passes
  version TEXT NOT NULL,               -- of tandem
  answers INTEGER NOT NULL,            -- finished jobs of the batch when it began
  asked_from INTEGER NOT NULL,         -- jobs with a greater id that ask judges are its own, or those of the scoring that it goes on with
  complete INTEGER NOT NULL DEFAULT 0, -- 0: jobs or questions were left then, another scoring will take its place
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX scoring_by_batch ON scoring (batch_id);

-- What one scorer said of one answer. In the order of the cases, in which it is written and read: jobs are in the order of
-- sending. Jobs are not referred to as such, because to delete one would then look through all scores.
CREATE TABLE score (
  scoring_id INTEGER NOT NULL REFERENCES scoring (id) ON DELETE CASCADE,
  case_id INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  scorer INTEGER NOT NULL,             -- its place in the scoring's list, from 0
  value REAL,                          -- null: unscored
  pass INTEGER,                        -- 1, 0, or null where the scorer only measures
  reason TEXT,                         -- why this grade, or why none
  PRIMARY KEY (scoring_id, case_id, job_id, scorer)
) STRICT, WITHOUT ROWID;

-- What judges were asked, once for each content.
CREATE TABLE question (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,           -- over the address, the endpoint, the example_id and the whole body that is sent
  body TEXT NOT NULL                   -- JSON object: what is asked, before what the judge's target sets
) STRICT;

-- Which question a scoring asked of which judge about an answer, and the job that brings the reply. The job may be one of
-- an earlier scoring, or of another batch, that asked the same.
CREATE TABLE asked (
  scoring_id INTEGER NOT NULL REFERENCES scoring (id) ON DELETE CASCADE,
  case_id INTEGER NOT NULL,
  job_id INTEGER NOT NULL,             -- the job whose answer is judged
  scorer INTEGER NOT NULL,
  round INTEGER NOT NULL,              -- 0; 1: asked again, because a reply could not be read
  number INTEGER NOT NULL,             -- from 0, within the round
  judge_job INTEGER NOT NULL,
  PRIMARY KEY (scoring_id, case_id, job_id, scorer, round, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX asked_by_job ON asked (judge_job);

-- What a person said of an answer.
CREATE TABLE label (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  scorer TEXT NOT NULL DEFAULT '',     -- the score that it is about; empty: the answer as a whole
  label TEXT NOT NULL,                 -- as it was written
  value REAL NOT NULL,                 -- 1 good, 0 bad, or the number
  note TEXT,
  author TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX label_by_job ON label (job_id, scorer, author);

-- A target is graded (case) or asked about others (judge).
ALTER TABLE target ADD COLUMN role TEXT NOT NULL DEFAULT 'case' CHECK (role IN ('case', 'judge'));
-- What a job of kind judge asks; its repeat counts the questions to this judge about the case.
ALTER TABLE job ADD COLUMN question_id INTEGER REFERENCES question (id);
CREATE INDEX job_by_question ON job (question_id) WHERE question_id IS NOT NULL;
CREATE INDEX judge_job ON job (batch_id, id) WHERE kind = 'judge';

-- One row for each score of the scoring that counts: the batch's latest that is finished.
CREATE VIEW scores AS
SELECT
  batch.name AS batch,
  target.name AS target,
  "case".key AS case_key,
  job.repeat,
  scoring.scorers ->> ('$[' || score.scorer || '].metric.name') AS scorer,
  score.value,
  score.pass,
  score.reason,
  score.job_id,
  score.scoring_id
FROM score
JOIN scoring ON scoring.id = score.scoring_id
JOIN job ON job.id = score.job_id
JOIN batch ON batch.id = scoring.batch_id
JOIN target ON target.id = job.target_id
JOIN "case" ON "case".id = score.case_id
WHERE score.scoring_id = (
  SELECT max(id) FROM scoring AS latest WHERE latest.batch_id = scoring.batch_id AND latest.finished_at IS NOT NULL);

-- One row for each question that a scoring asked about an answer, with the run that replied.
CREATE VIEW judgements AS
SELECT
  batch.name AS batch,
  "case".key AS case_key,
  graded.name AS target,
  job.repeat,
  scoring.scorers ->> ('$[' || asked.scorer || '].metric.name') AS scorer,
  asked.round,
  asked.number,
  judge.name AS judge,
  question.body AS question,
  run_record.id,
  run_record.url,
  run_record.created_at,
  CASE WHEN json_valid(run_record.body) THEN run_record.body -> '$.output' END AS output,
  reply.outcome,
  reply.id AS job_id,
  asked.scoring_id
FROM asked
JOIN scoring ON scoring.id = asked.scoring_id
JOIN batch ON batch.id = scoring.batch_id
JOIN "case" ON "case".id = asked.case_id
JOIN job ON job.id = asked.job_id
JOIN target AS graded ON graded.id = job.target_id
JOIN job AS reply ON reply.id = asked.judge_job
JOIN target AS judge ON judge.id = reply.target_id
JOIN question ON question.id = reply.question_id
LEFT JOIN attempt ON attempt.job_id = reply.id AND attempt.number = reply.attempt
LEFT JOIN run_record ON run_record.record = attempt.record;
