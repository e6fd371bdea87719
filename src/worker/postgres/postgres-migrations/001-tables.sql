-- Times are milliseconds since 1970 by this server's clock. Ids of jobs, targets and inputs are those of the submitter.
-- No key is in any table. Tables are written by the functions of 002, which hold one order of locks: service, spending, rows by job.
CREATE SCHEMA tandem;

CREATE TABLE tandem.meta (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version integer NOT NULL
);
INSERT INTO tandem.meta (version) VALUES (0);

CREATE FUNCTION tandem.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- An account at an endpoint: its limits hold over all workers and all batches.
CREATE TABLE tandem.service (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  learned_concurrency integer,
  learned_ceiling integer,
  learned_rate_count integer,
  learned_rate_window_ms bigint,
  reason text,
  paused_until bigint NOT NULL DEFAULT 0,
  last_cut_at bigint NOT NULL DEFAULT 0,
  -- When the next request is due at an even pace.
  due double precision NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Requests that a rate counts.
CREATE TABLE tandem.rate_slot (
  service integer NOT NULL,
  at bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX rate_slot_at ON tandem.rate_slot (service, at);

CREATE TABLE tandem.batch (
  no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  namespace text NOT NULL,
  name text NOT NULL,
  suite_name text NOT NULL,
  -- The version of tandem that planned it.
  version text NOT NULL,
  suite text NOT NULL,
  seed bigint NOT NULL,
  on_ambiguous text NOT NULL CHECK (on_ambiguous IN ('retry', 'fail')),
  in_doubt text NOT NULL CHECK (in_doubt IN ('hold', 'resend', 'fail')),
  conversations boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('uploading', 'running', 'enough', 'stopping', 'stopped', 'finished')),
  reason text,
  most_requests bigint,
  most_failures bigint,
  most_cost double precision,
  most_duration_ms bigint,
  ends_at bigint,
  submitter text NOT NULL,
  submitter_seen_at bigint NOT NULL,
  created_at bigint NOT NULL,
  UNIQUE (namespace, name)
) WITH (fillfactor = 70);

-- Apart from its batch, because it is written with every request while a budget is kept.
CREATE TABLE tandem.spending (
  batch integer PRIMARY KEY REFERENCES tandem.batch ON DELETE CASCADE,
  requests bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  cost double precision NOT NULL DEFAULT 0,
  cost_unknown boolean NOT NULL DEFAULT false,
  -- When the submitter was last told that there is something to pull.
  pulsed_at bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The limits that a batch configures; the tightest of all running batches holds.
CREATE TABLE tandem.batch_limit (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  service integer NOT NULL REFERENCES tandem.service,
  concurrency integer NOT NULL CHECK (concurrency >= 1),
  rate_count integer CHECK (rate_count >= 1),
  rate_window_ms bigint CHECK (rate_window_ms >= 1),
  -- When it last asked to send, for an even share between batches.
  asked_at bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (service, batch),
  CHECK ((rate_count IS NULL) = (rate_window_ms IS NULL))
) WITH (fillfactor = 50);

CREATE TABLE tandem.batch_file (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (batch, part)
);
ALTER TABLE tandem.batch_file ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE tandem.target (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  id bigint NOT NULL,
  name text NOT NULL,
  deployment text NOT NULL,
  endpoint text NOT NULL,
  service integer NOT NULL REFERENCES tandem.service,
  data text NOT NULL,
  stopped text,
  PRIMARY KEY (batch, id)
);

-- A part of a batch that one worker drives at a time.
CREATE TABLE tandem.slice (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  id integer NOT NULL,
  deployment text NOT NULL,
  service integer NOT NULL REFERENCES tandem.service,
  jobs integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done')),
  worker uuid,
  PRIMARY KEY (batch, id)
) WITH (fillfactor = 50);

-- From here on the tables of which a batch has a row for each job: no foreign key looks each of them up. Whoever enters
-- something holds its batch (a row lock, or the lock that `take` and `settle` share), and `empty_batch` takes all away with it.
CREATE TABLE tandem.input (
  batch integer NOT NULL,
  id bigint NOT NULL,
  input text NOT NULL,
  PRIMARY KEY (batch, id)
);

-- Rows are changed once for each attempt, in place: no index holds a column that changes.
CREATE TABLE tandem.job (
  id bigint NOT NULL,
  waits_for bigint,
  target bigint NOT NULL,
  case_id bigint NOT NULL,
  input bigint NOT NULL,
  batch integer NOT NULL,
  slice integer NOT NULL,
  repeat integer NOT NULL,
  turn integer NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  outcome text,
  PRIMARY KEY (batch, id)
) WITH (fillfactor = 70);
CREATE INDEX job_slice ON tandem.job (batch, slice, id);
CREATE INDEX job_waits_for ON tandem.job (batch, waits_for) WHERE waits_for IS NOT NULL;

-- Attempts that may be on their way. It stays small, and is written twice for each attempt.
CREATE TABLE tandem.sending (
  batch integer NOT NULL,
  job bigint NOT NULL,
  number integer NOT NULL,
  service integer NOT NULL,
  worker uuid NOT NULL,
  token text NOT NULL,
  queued_at bigint NOT NULL,
  sent_at bigint,
  run_id text,
  run_url text,
  run_created_at text,
  -- Since when nobody knows what became of it; null: its worker is alive, or the service has taken it as a run.
  doubt_since bigint,
  PRIMARY KEY (batch, job)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX sending_in_flight ON tandem.sending (service, batch) WHERE doubt_since IS NULL AND run_id IS NULL;

CREATE TABLE tandem.attempt (
  batch integer NOT NULL,
  job bigint NOT NULL,
  number integer NOT NULL,
  -- Null: entered because its worker died.
  worker uuid,
  kind text NOT NULL,
  final boolean NOT NULL,
  -- The settlement as JSON without the body; null: in doubt.
  entry text,
  body bytea,
  PRIMARY KEY (batch, job, number)
);

-- Attempts that the submitter does not have yet: their rows need not be written again when it has.
CREATE TABLE tandem.unpulled (
  batch integer NOT NULL,
  job bigint NOT NULL,
  number integer NOT NULL,
  bytes integer NOT NULL,
  PRIMARY KEY (batch, job, number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The batch's row is locked by now: who uploads has committed, or finds it gone.
CREATE FUNCTION tandem.empty_batch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(746320, OLD.no);
  DELETE FROM tandem.sending WHERE batch = OLD.no;
  DELETE FROM tandem.unpulled WHERE batch = OLD.no;
  DELETE FROM tandem.attempt WHERE batch = OLD.no;
  DELETE FROM tandem.job WHERE batch = OLD.no;
  DELETE FROM tandem.input WHERE batch = OLD.no;
  RETURN OLD;
END $$;
CREATE TRIGGER empty_batch BEFORE DELETE ON tandem.batch FOR EACH ROW EXECUTE FUNCTION tandem.empty_batch();

CREATE TABLE tandem.skipped (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  -- The first of a chain.
  job bigint NOT NULL,
  reason text NOT NULL,
  pulled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (batch, job)
);

-- Results that came after somebody else had decided their attempt.
CREATE TABLE tandem.stray (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  job bigint NOT NULL,
  number integer NOT NULL,
  worker uuid NOT NULL,
  kind text NOT NULL,
  entry text,
  body bytea,
  at bigint NOT NULL,
  PRIMARY KEY (batch, job, number, worker)
);

-- Turns that were answered before the batch was uploaded.
CREATE TABLE tandem.earlier (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  job bigint NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (batch, job)
);

CREATE TABLE tandem.worker (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  deployments text[] NOT NULL,
  -- Addresses that it may send to.
  addresses text[] NOT NULL,
  state text NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'paused', 'draining')),
  gone boolean NOT NULL DEFAULT false,
  -- Sentences on what it does not take, and why.
  told text[] NOT NULL DEFAULT '{}',
  -- Kinds of requests that it has looked at: "SERVICE VERSION DEPLOYMENT", with the reason where it leaves one to others.
  serves text[] NOT NULL DEFAULT '{}',
  leaves jsonb NOT NULL DEFAULT '{}',
  entered_at bigint NOT NULL,
  seen_at bigint NOT NULL
) WITH (fillfactor = 50);

-- Workers that ask a service for leave: each is to have an even share of its places, or all that the others do not want.
CREATE TABLE tandem.asking (
  service integer NOT NULL REFERENCES tandem.service,
  worker uuid NOT NULL REFERENCES tandem.worker ON DELETE CASCADE,
  -- Requests that it would have in flight.
  wanted integer NOT NULL,
  asked_at bigint NOT NULL,
  PRIMARY KEY (service, worker)
) WITH (fillfactor = 50);

-- Bodies are packed by the faster method where the server has it, which PostgreSQL 13 and some builds have not.
DO $$ BEGIN
  EXECUTE 'ALTER TABLE tandem.attempt ALTER COLUMN body SET COMPRESSION lz4';
  EXECUTE 'ALTER TABLE tandem.input ALTER COLUMN input SET COMPRESSION lz4';
EXCEPTION WHEN OTHERS THEN NULL;
END $$;
