-- The database of a results folder. Until 0.1.0 is published a change raises the version in version.ts, and migrates nothing.

-- One execution of a suite. The suite itself is stored: nothing outside the database is needed to resume, score or report.
CREATE TABLE batch (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  suite_name TEXT NOT NULL,
  suite TEXT NOT NULL,                 -- JSON: the suite, checked and complete; it holds no key
  suite_hash TEXT NOT NULL,
  dataset_hash TEXT,                   -- over keys and input hashes of the whole dataset in file order; null until the dataset is read
  expected_hash TEXT,                  -- over keys and expected answers of the whole dataset in file order
  columns TEXT,                        -- JSON list: names of the dataset's columns in the order in which they were met
  seed TEXT NOT NULL,
  selection TEXT,                      -- JSON: which cases of the dataset take part; null: all
  whole_cases INTEGER,                 -- cases that the selection leaves before it is cut into parts (--shard); null: it was not cut
  bots TEXT,                           -- JSON object: name of a target to a mark of the bot that was asked, so that a second look at one comparison is known again; null: a run that is no look (a night, a calibration)
  against TEXT,                        -- what the run was told to be compared with (--against), a pin or a batch with the target behind it; null: its targets with each other
  against_target TEXT,                 -- that target; null: each is compared with the one of its name
  origin TEXT,                         -- pin: it was read from an exported pin, and has only answers and scores; null: it was run here
  state TEXT NOT NULL CHECK (state IN ('reading', 'planned', 'running', 'finished', 'stopped')),
  reason TEXT,                         -- why it stopped
  version TEXT NOT NULL,               -- of tandem
  created_at INTEGER NOT NULL,         -- milliseconds since 1970, like every *_at that we write
  finished_at INTEGER,
  worked_ms INTEGER NOT NULL DEFAULT 0, -- in which processes read its dataset and sent its jobs, on a clock that nobody sets
  night TEXT CHECK (night IN ('owed', 'told')), -- the night that has it. owed: people are to be told of it; told: they were, and the night goes on to its end; null: no night has it
  told_at INTEGER,                     -- when its verdict had been told to everybody who was to know; null: not yet
  notified INTEGER NOT NULL DEFAULT 0, -- 1: a way to tell people of its verdict was configured, and worked; 0: there was none, so that nobody heard of it
  notice_at INTEGER,                   -- when the sending of its notice began; null when its outcome is known. One that a killed process left may have arrived, or not
  first_case INTEGER,                  -- ids of its first and last case
  last_case INTEGER,
  first_job INTEGER,                   -- ids of the plan's first and last job
  last_job INTEGER,
  lock_pid INTEGER,                    -- the process that runs it now
  lock_host TEXT,
  lock_started TEXT,                   -- what tells that process from a later one with the same pid
  lock_at INTEGER
) STRICT;

-- Changes of a batch after it was planned, such as a target that was put right and asked anew.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  text TEXT NOT NULL                   -- a sentence for people
) STRICT;
CREATE INDEX change_by_batch ON change (batch_id);

CREATE TABLE target (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT 'case' CHECK (role IN ('case', 'judge')), -- it is graded, or asked about others
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
  file TEXT NOT NULL,                  -- empty for a case of an exported pin
  row INTEGER NOT NULL,                -- as a spreadsheet shows it: the header is row 1; JSON Lines have none
  line INTEGER NOT NULL,
  checks TEXT,                         -- JSON object: scorers of the row itself and their threshold; null: none
  place INTEGER NOT NULL               -- 1, 2, ... over the whole dataset, what was not selected included
) STRICT;
CREATE UNIQUE INDEX case_by_key ON "case" (batch_id, key);
-- The turns of a conversation, for the page that shows what came before one; most cases are alone and are not in it.
CREATE INDEX case_by_cluster ON "case" (batch_id, cluster, turn) WHERE cluster <> key;

-- One planned run. Jobs are stored in the order in which they are sent: the id is the place in the plan.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given out again: marks of judges say up to which job their replies are of before
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES target (id),
  case_id INTEGER NOT NULL REFERENCES "case" (id),
  repeat INTEGER NOT NULL,             -- of kind judge: counts the questions to this judge about the case
  kind TEXT NOT NULL,
  question_id INTEGER REFERENCES question (id), -- what a job of kind judge asks
  waits_for INTEGER,                   -- the job of the conversation's previous turn
  outcome TEXT,                        -- null until the job is finished
  answer TEXT,
  error TEXT,                          -- why a job ended without a last attempt (skipped, held)
  attempt INTEGER,                     -- the number of the attempt that decided it
  corrected_after INTEGER              -- attempts up to this number were made for an earlier configuration of its target: they use up no retry of the one that it has now. null: the target was never corrected
) STRICT;
CREATE UNIQUE INDEX job_by_case ON job (case_id, target_id, repeat, kind);
CREATE INDEX job_by_wait ON job (waits_for) WHERE waits_for IS NOT NULL;
CREATE INDEX job_by_question ON job (question_id) WHERE question_id IS NOT NULL;
CREATE INDEX judge_job ON job (batch_id, id) WHERE kind = 'judge';
CREATE INDEX probe_job ON job (batch_id, id) WHERE kind = 'probe';

-- The requests that are in flight: committed before the first byte leaves, gone with the commit of the outcome.
-- What is here after a crash is in doubt.
CREATE TABLE sending (
  job_id INTEGER PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  queued_at INTEGER NOT NULL,
  -- A run that the service has taken and is making: it is asked for by its id, by a later process too, and not sent again while
  -- the service knows it. null: nothing is known of the attempt but that it was to be sent.
  run_id TEXT,
  run_url TEXT,
  run_created_at TEXT,
  sent_at REAL
) STRICT;

-- One HTTP request that was made for a job, and what became of it.
CREATE TABLE attempt (
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,             -- 1, 2, ... within the job; 0 for a stored answer, for which nothing was sent
  outcome TEXT NOT NULL,
  answer TEXT,
  status INTEGER,
  error TEXT,
  doubt TEXT,                          -- why nobody knows its end (process, worker, correction, database); null: it is known
  possibly_paid INTEGER NOT NULL,
  redacted INTEGER NOT NULL,
  gateway INTEGER NOT NULL DEFAULT 0,  -- 1: a gateway answered in the place of the service (502, 503, 504, or 500 with a page)
  reattached INTEGER NOT NULL DEFAULT 0, -- 1: the run was asked for by another process than the one that had submitted it
  queued_at INTEGER NOT NULL,
  sent_at REAL,
  first_byte_at REAL,
  done_at REAL,
  run_ms REAL,                         -- milliseconds that the run took, as the service tells them; null: it does not
  retry_after_ms REAL,
  tokens_in INTEGER,                   -- tokens that were read and written for the answer, as the reply tells; null: it does not
  tokens_cached INTEGER,               -- those of the tokens read that the service took from its cache; null: none, or it does not say
  tokens_out INTEGER,
  headers TEXT,                        -- JSON object of the response headers that matter
  record INTEGER REFERENCES run_record (record),
  PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_of_gateway ON attempt (job_id) WHERE gateway = 1;
CREATE INDEX attempt_by_record ON attempt (record) WHERE record IS NOT NULL;

-- What the service said of a run; the body is kept once, byte for byte.
CREATE TABLE run_record (
  record INTEGER PRIMARY KEY,
  id TEXT,
  url TEXT,
  created_at TEXT,
  body TEXT,
  text TEXT                            -- the text of a body that is not UTF-8, read in the charset that it declares; null: the body is its text
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

-- Times in which a service was away while a batch ran.
CREATE TABLE outage (
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  deployment TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  status INTEGER NOT NULL,             -- the latest with which a gateway answered
  since INTEGER NOT NULL,              -- the first answer of a gateway
  until INTEGER,                       -- the first answer of the service after that; null: none came to the process that waited
  PRIMARY KEY (batch_id, deployment, endpoint, since)
) STRICT;

-- A batch whose comparison called a regression, and whose cases were asked once more to confirm it: the jobs of the second
-- look are those with a repeat beyond the repeats of their target.
CREATE TABLE second_look (
  batch_id INTEGER PRIMARY KEY REFERENCES batch (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  planned INTEGER NOT NULL,            -- jobs of the first look
  jobs INTEGER NOT NULL                -- jobs of the second
) STRICT;

-- A batch that workers send: which of theirs it is. Their address is a secret, and is nowhere here.
CREATE TABLE at_workers (
  batch_id INTEGER PRIMARY KEY REFERENCES batch (id) ON DELETE CASCADE,
  remote TEXT NOT NULL,                -- its id there
  database TEXT NOT NULL,              -- the id of theirs
  since INTEGER NOT NULL,
  rested_at INTEGER                    -- when all that they had sent was here and they sent nothing more; null: they may be sending
) STRICT;

-- Batches that were put together of parts: the same parts again are the same night.
CREATE TABLE merged (
  batch_id INTEGER PRIMARY KEY REFERENCES batch (id) ON DELETE CASCADE,
  parts TEXT NOT NULL,                 -- JSON list: each batch that it was put together of, and a hash of what that held then
  contents TEXT NOT NULL,              -- a hash of what it held itself then
  partial INTEGER NOT NULL             -- 1: a part that is missing is missing on purpose (--partial)
) STRICT;

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
  -- Why it is unscored where that is no failure of the scorer. row: the row lacks what it compares with, such as an
  -- expected answer, and leaves this metric; scorer: it runs or reads files, and the suite that says so was not named.
  lack TEXT CHECK (lack IN ('row', 'scorer')),
  PRIMARY KEY (scoring_id, case_id, job_id, scorer)
) STRICT, WITHOUT ROWID;

-- Expected answer by which a scoring graded a case, where a suite that was named has another than the case had when it was
-- planned.
CREATE TABLE graded_by (
  scoring_id INTEGER NOT NULL REFERENCES scoring (id) ON DELETE CASCADE,
  case_id INTEGER NOT NULL,
  expected TEXT,                       -- null: none is expected any more
  PRIMARY KEY (scoring_id, case_id)
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
  at INTEGER NOT NULL,
  edits INTEGER NOT NULL DEFAULT 0,    -- 1: it takes the place of the score that it is about, in comparisons and reports; the score itself stays. 0: it is kept beside it
  answer TEXT                          -- a mark of the text that was labelled, by which it is known when the answer became another one
) STRICT;
CREATE UNIQUE INDEX label_by_job ON label (job_id, scorer, author);
CREATE INDEX label_that_edits ON label (job_id) WHERE edits = 1;

-- Cases of a batch that were drawn at random for people to label, of one pair of targets.
CREATE TABLE label_draw (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  scorer TEXT NOT NULL,                -- name of the judge's score that the labels are to correct
  baseline TEXT NOT NULL,              -- names of the targets
  candidate TEXT NOT NULL,
  seed TEXT NOT NULL,
  frame TEXT NOT NULL,                 -- a hash over the cases that could be drawn
  size INTEGER NOT NULL,               -- cases that could be drawn
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX label_draw_by_batch ON label_draw (batch_id);

CREATE TABLE drawn_case (
  draw_id INTEGER NOT NULL REFERENCES label_draw (id) ON DELETE CASCADE,
  case_id INTEGER NOT NULL REFERENCES "case" (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,               -- of a batch that was merged, the place of the part that drew it; else 0
  chance REAL NOT NULL,                -- that it had to be drawn
  place INTEGER NOT NULL,              -- in the order in which they are labelled
  PRIMARY KEY (draw_id, case_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX drawn_case_by_case ON drawn_case (case_id);

-- Checks of a judge for its biases, by answers of a batch. Its questions are jobs of the kind probe: no score is made of them, and none is taken over.
CREATE TABLE judge_check (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  scorer TEXT NOT NULL,                -- name of the score
  judge TEXT NOT NULL,                 -- a hash over the prompt, the model and the settings that make the judge
  plan TEXT NOT NULL,                  -- a hash over its questions
  again INTEGER NOT NULL DEFAULT 0,    -- 1: a night asked the questions of an earlier check again
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

-- Questions of the first check of a judge that nights ask again. They stay when the batch of the check goes.
CREATE TABLE judge_kept (
  judge TEXT PRIMARY KEY,              -- as in judge_check
  at INTEGER NOT NULL,
  last_job INTEGER NOT NULL,           -- id of the job that was planned last in this file when the check was over
  kept TEXT NOT NULL                   -- JSON object: the questions with their grades, how many grades differed when they were asked twice, names of models and fingerprints
) STRICT, WITHOUT ROWID;

-- Nights that looked at a judge: at the names in its replies, and once a week at the grades of its kept questions.
CREATE TABLE judge_night (
  id INTEGER PRIMARY KEY,
  suite_name TEXT NOT NULL,
  scorer TEXT NOT NULL,                -- name of the judge's score
  judge TEXT NOT NULL,                 -- as in judge_check
  night TEXT NOT NULL,                 -- name of the batch of that night, which may be gone
  at INTEGER NOT NULL,
  last_job INTEGER NOT NULL,           -- id of the job that was planned last in this file when the night was over
  facts TEXT NOT NULL,                 -- JSON object: a hash of the settings, models and fingerprints as the replies name them
  asked TEXT,                          -- JSON object: the grades of the kept questions, and what they cost; null: they were not asked
  alarm TEXT,                          -- JSON list: what showed in this night that the judge has changed; null: nothing did
  same_until INTEGER,                  -- of an alarm: replies of jobs up to this id are of the judge before it changed
  UNIQUE (suite_name, scorer, night)
) STRICT;

-- What the answers of a target tell of the service that gave them, when the batch was concluded. It decides nothing.
CREATE TABLE provider_told (
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES target (id) ON DELETE CASCADE,
  told TEXT NOT NULL,                  -- JSON object: name of a member that is in all answers to its values, each a hash and, if it is short, its text
  PRIMARY KEY (batch_id, target_id)
) STRICT, WITHOUT ROWID;

-- A name for a batch, or for several that are pooled: what later batches are compared with.
CREATE TABLE pin (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE pin_batch (
  pin_id INTEGER NOT NULL REFERENCES pin (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,              -- 0, 1, ...: their runs of a case are counted in this order
  batch_id INTEGER NOT NULL REFERENCES batch (id),
  PRIMARY KEY (pin_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX pin_by_batch ON pin_batch (batch_id);

-- The batches that a run was told to be compared with, as its pin named them then: a pin that moves or goes decides no earlier night anew.
CREATE TABLE compared_with (
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,              -- as in pin_batch
  other_id INTEGER NOT NULL REFERENCES batch (id),
  PRIMARY KEY (batch_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX compared_with_by_other ON compared_with (other_id);

-- What a batch came to, each time that it was compared; the latest of the same sides counts.
CREATE TABLE comparison (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  against TEXT NOT NULL,               -- what its targets are compared with; empty: as its run was told
  seed TEXT NOT NULL,                  -- of every random draw
  verdict TEXT,                        -- regression, pass, inconclusive, invalid; null: nothing was decided
  word TEXT,                           -- what it says in one word, beside its state; null: nothing was decided
  summary TEXT NOT NULL,               -- JSON: the whole summary, bounded in size
  version TEXT NOT NULL,               -- of tandem
  created_at INTEGER NOT NULL,
  UNIQUE (batch_id, against)
) STRICT;

-- The process that does a night of a suite, so that a second one started by mistake leaves or waits.
CREATE TABLE night_lock (
  suite_name TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL,
  started TEXT NOT NULL,               -- what tells that process from a later one with the same pid
  since INTEGER NOT NULL,
  at INTEGER NOT NULL                  -- its last sign of life
) STRICT;

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

-- One row for each finished job that has a run: its final record. The output of an endpoint that is not the service's own is its whole reply.
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
