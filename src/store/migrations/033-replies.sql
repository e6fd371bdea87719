-- The text of a reply whose body is not UTF-8, read in the charset that it declares; null: the body is its text.
ALTER TABLE run_record ADD COLUMN text TEXT;
-- Those of the tokens read that the service took from its cache; null: none, or it does not say.
ALTER TABLE attempt ADD COLUMN tokens_cached INTEGER;

DROP VIEW run_records;
CREATE VIEW run_records AS
SELECT
  run_record.id,
  run_record.url,
  run_record.created_at,
  CASE
    WHEN NOT json_valid(coalesce(run_record.text, run_record.body)) THEN NULL
    WHEN target.endpoint IN ('video-bots', 'functions') THEN coalesce(run_record.text, run_record.body) -> '$.output'
    ELSE coalesce(run_record.text, run_record.body) -> '$'
  END AS output,
  batch.name AS batch,
  target.name AS target,
  "case".key AS case_key,
  job.repeat,
  job.kind,
  job.outcome,
  job.answer,
  job.id AS job_id
FROM job
JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
JOIN run_record ON run_record.record = attempt.record
JOIN batch ON batch.id = job.batch_id
JOIN target ON target.id = job.target_id
JOIN "case" ON "case".id = job.case_id
WHERE job.outcome IS NOT NULL;

DROP VIEW judgements;
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
  CASE
    WHEN NOT json_valid(coalesce(run_record.text, run_record.body)) THEN NULL
    WHEN judge.endpoint IN ('video-bots', 'functions') THEN coalesce(run_record.text, run_record.body) -> '$.output'
    ELSE coalesce(run_record.text, run_record.body) -> '$'
  END AS output,
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
