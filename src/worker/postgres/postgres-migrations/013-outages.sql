-- A service that is away, for all workers at once: what gateways answer in its place is counted on its row, in the commit of the results.
-- Three states, as in a circuit breaker: closed; suspect from the second answer of a gateway in a row on, where a place that became free
-- so is not given away again; and away, where nothing leaves but one request that looks for it, when that is due by this clock. A request
-- that looks for it and whose worker dies is in doubt like others, and the next one is due.
ALTER TABLE tandem.service
  -- Answers of gateways since the service's latest own one, those to requests sent after it, and when the first came.
  ADD COLUMN streak integer NOT NULL DEFAULT 0,
  ADD COLUMN latest integer NOT NULL DEFAULT 0,
  ADD COLUMN streak_since bigint,
  -- When the latest request was sent that the service answered itself, as far as that was of interest.
  ADD COLUMN sound_sent bigint NOT NULL DEFAULT 0,
  ADD COLUMN away_since bigint,
  ADD COLUMN away_status integer,
  -- Requests in vain that looked for it; when the latest ended, and when the next is due.
  ADD COLUMN looks integer NOT NULL DEFAULT 0,
  ADD COLUMN looked_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN next_look_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN probe_batch integer,
  ADD COLUMN probe_job bigint,
  ADD COLUMN probe_number integer,
  ADD COLUMN back_at bigint NOT NULL DEFAULT 0;

ALTER TABLE tandem.batch_limit
  -- Milliseconds for which an absent service is waited for; null: neither the suite nor a flag says.
  ADD COLUMN patience_ms bigint CHECK (patience_ms >= 0),
  -- The service has answered this batch itself.
  ADD COLUMN proven boolean NOT NULL DEFAULT false,
  -- Since when the batch waits for a service that is away, and how often that had been looked for by then.
  ADD COLUMN waits_since bigint,
  ADD COLUMN waits_looks integer NOT NULL DEFAULT 0;

ALTER TABLE tandem.job ADD COLUMN given_back integer NOT NULL DEFAULT 0;

-- Jobs that gateways have answered since the service's latest own answer: when it is back they have their tries again.
CREATE TABLE tandem.fallen (
  service integer NOT NULL REFERENCES tandem.service,
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  job bigint NOT NULL,
  PRIMARY KEY (service, batch, job)
);
CREATE INDEX fallen_of_batch ON tandem.fallen (batch);

-- Times in which a service was away, for the reports of the batches that ran then.
CREATE TABLE tandem.outage (
  service integer NOT NULL REFERENCES tandem.service,
  since bigint NOT NULL,
  until bigint NOT NULL,
  status integer NOT NULL,
  PRIMARY KEY (service, since)
);
