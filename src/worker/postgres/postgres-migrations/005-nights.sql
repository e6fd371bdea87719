-- Scheduled nights. Whoever spends them submits batches, so that only submitters read and write these tables.

CREATE TABLE tandem.schedule (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL,
  name text NOT NULL,
  cron text NOT NULL,
  zone text NOT NULL,
  -- The suite's path among the files, and the words behind it on the command line of the night.
  suite text NOT NULL,
  words text[] NOT NULL,
  -- A night that waits for longer is missed.
  made_up_ms bigint NOT NULL,
  -- Its home may be replaced after so long without a sign; null: never.
  take_over_ms bigint,
  submitter text NOT NULL,
  created_at bigint NOT NULL,
  -- The folder of nights that has its history; null: it had no night.
  home uuid,
  UNIQUE (namespace, name)
);

CREATE TABLE tandem.schedule_file (
  schedule integer NOT NULL REFERENCES tandem.schedule ON DELETE CASCADE,
  path text NOT NULL,
  sha256 text NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (schedule, path)
);

-- A folder in which somebody spends nights, by the id that lies in it.
CREATE TABLE tandem.night_home (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  host text NOT NULL,
  seen_at bigint NOT NULL
);

CREATE TABLE tandem.night (
  schedule integer NOT NULL REFERENCES tandem.schedule ON DELETE CASCADE,
  due_at bigint NOT NULL,
  by_hand boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('due', 'running', 'done', 'missed', 'cut off')),
  -- The one who spends it, by a token of its own.
  token uuid,
  home uuid,
  seen_at bigint,
  started_at bigint,
  ended_at bigint,
  exit_code integer,
  batch text,
  verdict text,
  -- Of a night that was missed or cut off: a notice has told so.
  told boolean NOT NULL DEFAULT false,
  PRIMARY KEY (schedule, due_at)
);

-- However many look: of one schedule one night at a time.
CREATE UNIQUE INDEX night_running ON tandem.night (schedule) WHERE state = 'running';
