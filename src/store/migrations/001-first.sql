-- One execution of a suite. The suite itself is stored: nothing outside the database is needed to resume, score or report.
CREATE TABLE batch (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  suite_name TEXT NOT NULL,
  suite TEXT NOT NULL,                 -- JSON: the suite, checked and complete; it holds no key
  suite_hash TEXT NOT NULL,
  dataset_hash TEXT,                   -- over keys and input hashes of the whole dataset in file order; null until the dataset is read
  columns TEXT,                        -- JSON list: names of the dataset's columns in the order in which they were met
  seed TEXT NOT NULL,
  selection TEXT,                      -- JSON: which cases of the dataset take part; null: all
  state TEXT NOT NULL CHECK (state IN ('reading', 'planned', 'running', 'finished', 'stopped')),
  reason TEXT,                         -- why it stopped
  version TEXT NOT NULL,               -- of tandem
  created_at INTEGER NOT NULL,         -- milliseconds since 1970, like every *_at that we write
  finished_at INTEGER,
  first_case INTEGER,                  -- ids of its first and last case
  last_case INTEGER,
  first_job INTEGER,                   -- ids of the plan's first and last job
  last_job INTEGER,
  lock_pid INTEGER,                    -- the process that runs it now
  lock_host TEXT,
  lock_started TEXT,                   -- what tells that process from a later one with the same pid
  lock_at INTEGER
) STRICT;

CREATE TABLE target (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  deployment TEXT NOT NULL,            -- empty for stored answers, which are columns of the dataset
  base_url TEXT NOT NULL,              -- of stored answers: stored:COLUMN
  endpoint TEXT NOT NULL,
  example_id TEXT NOT NULL,
  body TEXT NOT NULL,                  -- JSON object laid over each case's input
  repeats INTEGER NOT NULL,
  stopped TEXT,                        -- why no more jobs are sent to it; null while it runs
  UNIQUE (batch_id, name)
) STRICT;

CREATE TABLE "case" (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  input TEXT NOT NULL,                 -- JSON object
  input_hash TEXT NOT NULL,
  expected TEXT,
  cluster TEXT NOT NULL,
  turn INTEGER NOT NULL,
  rank INTEGER NOT NULL,               -- seeded place of the cluster in the order of sending
  tags TEXT,                           -- JSON object; null: none
  columns TEXT NOT NULL,               -- JSON object: the row, every cell as written
  file TEXT NOT NULL,
  row INTEGER NOT NULL,
  line INTEGER NOT NULL,
  checks TEXT,                         -- JSON object: scorers of the row itself and their threshold; null: none
  place INTEGER NOT NULL               -- 1, 2, ... over the whole dataset, what was not selected included
) STRICT;
CREATE UNIQUE INDEX case_by_key ON "case" (batch_id, key);

-- One planned run. Jobs are stored in the order in which they are sent: the id is the place in the plan.
CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES target (id),
  case_id INTEGER NOT NULL REFERENCES "case" (id),
  repeat INTEGER NOT NULL,
  kind TEXT NOT NULL,
  waits_for INTEGER,                   -- the job of the conversation's previous turn
  outcome TEXT,                        -- null until the job is finished
  answer TEXT,
  error TEXT,                          -- why a job ended without a last attempt (skipped, held)
  attempt INTEGER                      -- the number of the attempt that decided it
) STRICT;
CREATE UNIQUE INDEX job_by_case ON job (case_id, target_id, repeat, kind);
CREATE INDEX job_by_wait ON job (waits_for) WHERE waits_for IS NOT NULL;

-- The requests that are in flight: committed before the first byte leaves, gone with the commit of the outcome.
-- What is here after a crash is in doubt.
CREATE TABLE sending (
  job_id INTEGER PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  queued_at INTEGER NOT NULL
) STRICT;

-- One HTTP request that was made for a job, and what became of it.
CREATE TABLE attempt (
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,             -- 1, 2, ... within the job; 0 for a stored answer, for which nothing was sent
  outcome TEXT NOT NULL,
  answer TEXT,
  status INTEGER,
  error TEXT,
  possibly_paid INTEGER NOT NULL,
  redacted INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  sent_at REAL,
  first_byte_at REAL,
  done_at REAL,
  retry_after_ms REAL,
  headers TEXT,                        -- JSON object of the response headers that matter
  body_start TEXT,                     -- the first bytes of a body that was not a record
  record INTEGER REFERENCES run_record (record),
  PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;

-- What the service said of a run; the body is kept once, byte for byte.
CREATE TABLE run_record (
  record INTEGER PRIMARY KEY,
  id TEXT,
  url TEXT,
  created_at TEXT,
  body TEXT
) STRICT;

-- When requests were sent that a rate counts: a restart, or another batch against the same service, begins with full windows.
CREATE TABLE rate_slot (
  service TEXT NOT NULL,               -- base URL and endpoint
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX rate_slot_by_time ON rate_slot (service, at);

-- How the limits of a deployment moved while a batch ran.
CREATE TABLE pace (
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  deployment TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  at INTEGER NOT NULL,
  concurrency INTEGER NOT NULL,
  ceiling INTEGER NOT NULL,            -- the most that was configured or stated by the service
  rate_count INTEGER,
  rate_window_ms INTEGER,
  reason TEXT NOT NULL
) STRICT;

-- One row for each finished job that has a run: its final record.
CREATE VIEW run_records AS
SELECT
  run_record.id,
  run_record.url,
  run_record.created_at,
  CASE WHEN json_valid(run_record.body) THEN run_record.body -> '$.output' END AS output,
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

-- One row for each request that was made, or is being made now (outcome: sending).
CREATE VIEW attempts AS
SELECT
  batch.name AS batch,
  target.name AS target,
  "case".key AS case_key,
  job.repeat,
  job.kind,
  every.number,
  every.outcome,
  every.answer,
  every.status,
  every.error,
  every.possibly_paid,
  run_record.id,
  run_record.url,
  run_record.created_at,
  every.queued_at,
  every.sent_at,
  every.first_byte_at,
  every.done_at,
  job.id AS job_id
FROM (
  SELECT job_id, number, outcome, answer, status, error, possibly_paid, queued_at, sent_at, first_byte_at, done_at, record FROM attempt WHERE number > 0
  UNION ALL
  SELECT job_id, number, 'sending', NULL, NULL, NULL, 0, queued_at, NULL, NULL, NULL, NULL FROM sending
) AS every
JOIN job ON job.id = every.job_id
JOIN batch ON batch.id = job.batch_id
JOIN target ON target.id = job.target_id
JOIN "case" ON "case".id = job.case_id
LEFT JOIN run_record ON run_record.record = every.record;
