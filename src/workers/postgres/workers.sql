-- What several machines share, beside the tables of pg-boss. A change raises the version in schema.ts, and migrates nothing.
CREATE SCHEMA tandem;

-- `stored`: the version of the rows that workers and submitters hand each other. `id` names this database: results that a
-- worker has kept are for it alone.
CREATE TABLE tandem.meta (version integer NOT NULL, stored integer NOT NULL, id uuid NOT NULL DEFAULT gen_random_uuid());

CREATE TABLE tandem.worker (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  state text NOT NULL DEFAULT 'on',         -- what it is asked to be: on, paused, draining
  serves text[] NOT NULL DEFAULT '{}',      -- queues that it fetches from
  leaves jsonb NOT NULL DEFAULT '{}',       -- queue to the reason why it leaves it to others, and whether the service is that
  in_flight integer NOT NULL DEFAULT 0,
  seen_at bigint NOT NULL
);

-- `head`: the rows of the batch and of its targets, as JSON.
CREATE TABLE tandem.batch (
  no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  name text NOT NULL,
  head text NOT NULL,
  in_doubt text NOT NULL,                   -- hold, resend, fail
  limits text NOT NULL,                     -- of its spending, as JSON
  state text NOT NULL DEFAULT 'uploading',  -- uploading, running, stopping (nothing more leaves), stopped
  reason text,
  requests bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  cost double precision NOT NULL DEFAULT 0,
  cost_unknown boolean NOT NULL DEFAULT false,
  jobs bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  submitter text NOT NULL,
  submitter_seen_at bigint NOT NULL
);

-- One endpoint of a deployment. `queue`: that of pg-boss for its chunks.
CREATE TABLE tandem.lane (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  id integer NOT NULL,
  name text NOT NULL,
  queue text NOT NULL,
  deployment text NOT NULL,
  concurrency integer NOT NULL,
  rate_count double precision,
  rate_window_ms double precision,
  asked_at bigint NOT NULL DEFAULT 0,       -- when somebody last began to have it sent
  PRIMARY KEY (batch, id)
);

-- Targets to which nothing more is sent.
CREATE TABLE tandem.stop (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  target bigint NOT NULL,
  reason text NOT NULL,
  kind text NOT NULL,
  PRIMARY KEY (batch, target)
);

-- Jobs that one worker drives at a time. Of the first `mark` of them it may have sent requests, of the others none: the mark
-- moves before they leave. A chunk is the worker's while it carries the worker's claim, which is the attempt of pg-boss.
CREATE TABLE tandem.chunk (
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  id integer NOT NULL,
  lane integer NOT NULL,
  jobs bigint[] NOT NULL,
  waits bigint[] NOT NULL,                  -- the job that each waits for; 0: none
  tried integer[] NOT NULL,                 -- attempts of each before it was uploaded
  body bytea NOT NULL,                      -- their rows, as compressed JSON
  is_first boolean NOT NULL,                -- by its answers it is known whether the rest may go
  mark integer NOT NULL DEFAULT 0,
  worker uuid,
  claim text,
  round integer NOT NULL DEFAULT 0,         -- times that it was put into its queue anew
  again boolean NOT NULL DEFAULT false,     -- something of it may be sent after all
  done boolean NOT NULL DEFAULT false,
  PRIMARY KEY (batch, id)
);

-- What became of an attempt, as rows of a results folder. `rank`: 0 nobody knows (its worker is gone), 1 the service has
-- taken it as a run, 2 it has ended and its job goes on, 3 its job is over. A higher one takes the place of a lower one.
-- A doubt has the worker (`origin`) and the claim under which it may have been sent: the books of another claim say nothing of it.
CREATE TABLE tandem.result (
  no bigint GENERATED ALWAYS AS IDENTITY,
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  job bigint NOT NULL,
  number integer NOT NULL,
  rank smallint NOT NULL,
  origin uuid,
  claim text,
  row text,
  PRIMARY KEY (batch, job, number)
);
CREATE INDEX result_in_order ON tandem.result (batch, no);
CREATE INDEX result_in_doubt ON tandem.result (batch, origin) WHERE rank = 0;

-- Anything else that a submitter is told, as JSON.
CREATE TABLE tandem.note (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  batch integer NOT NULL REFERENCES tandem.batch ON DELETE CASCADE,
  text text NOT NULL
);

-- What a service counts together: an endpoint of an address with a key, of which this has a fingerprint.
CREATE TABLE tandem.account (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  rate_next double precision NOT NULL DEFAULT 0
);
CREATE TABLE tandem.account_lane (
  account integer NOT NULL REFERENCES tandem.account,
  batch integer NOT NULL,
  lane integer NOT NULL,
  PRIMARY KEY (account, batch, lane),
  FOREIGN KEY (batch, lane) REFERENCES tandem.lane ON DELETE CASCADE
);

-- The part of an account's limit that one process of a worker has until then. What it has in flight is surely over at
-- `over_at`: so long it counts, whatever becomes of the process.
CREATE TABLE tandem.share (
  account integer NOT NULL REFERENCES tandem.account,
  owner uuid NOT NULL,
  granted integer NOT NULL,
  wanted integer NOT NULL,
  until bigint NOT NULL,
  over_at bigint NOT NULL,
  PRIMARY KEY (account, owner)
) WITH (fillfactor = 50);

CREATE FUNCTION tandem.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- Renews a worker's share of an account. `held`: what it may use until it has the answer, or has in flight.
CREATE FUNCTION tandem.renew_share(p_asked jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  a tandem.account;
  v_owner uuid := (p_asked ->> 'owner')::uuid;
  v_now bigint;
  v_all integer;
  v_count double precision; v_window double precision;
  v_others bigint; v_sharing integer; v_fair integer; v_mine integer;
  v_held integer := (p_asked ->> 'held')::integer; v_wanted integer := (p_asked ->> 'wanted')::integer;
  v_spacing double precision; v_first double precision; v_permits integer := 0;
BEGIN
  SELECT * INTO a FROM tandem.account WHERE name = p_asked ->> 'name' FOR UPDATE;
  v_now := tandem.now_ms();
  SELECT min(l.concurrency) INTO v_all FROM tandem.account_lane al JOIN tandem.lane l ON l.batch = al.batch AND l.id = al.lane
    JOIN tandem.batch b ON b.no = l.batch WHERE al.account = a.id AND b.state IN ('running', 'stopping');
  SELECT rate_count, rate_window_ms INTO v_count, v_window FROM tandem.account_lane al JOIN tandem.lane l ON l.batch = al.batch AND l.id = al.lane
    JOIN tandem.batch b ON b.no = l.batch WHERE al.account = a.id AND b.state IN ('running', 'stopping') AND rate_count IS NOT NULL
    ORDER BY rate_count / rate_window_ms LIMIT 1;
  v_all := coalesce(v_all, 0);
  SELECT coalesce(sum(granted), 0), count(*) FILTER (WHERE wanted > 0 AND until > v_now) INTO v_others, v_sharing
    FROM tandem.share WHERE account = a.id AND owner <> v_owner AND over_at > v_now;
  v_fair := (v_all + v_sharing) / (1 + v_sharing);
  SELECT greatest(v_fair, v_all - coalesce(sum(least(wanted, v_fair)), 0)) INTO v_fair
    FROM tandem.share WHERE account = a.id AND owner <> v_owner AND until > v_now;
  v_mine := greatest(0, least(v_wanted, v_fair, v_all - v_others));
  IF greatest(v_mine, v_held, v_wanted) = 0 THEN
    DELETE FROM tandem.share WHERE account = a.id AND owner = v_owner;
  ELSE
    INSERT INTO tandem.share VALUES (a.id, v_owner, greatest(v_mine, v_held), v_wanted, v_now + (p_asked ->> 'leaseMs')::bigint,
        v_now + (p_asked ->> 'leaseMs')::bigint + (p_asked ->> 'longestMs')::bigint)
      ON CONFLICT (account, owner) DO UPDATE SET granted = excluded.granted, wanted = excluded.wanted, until = excluded.until, over_at = excluded.over_at;
  END IF;
  IF v_count IS NOT NULL THEN
    v_spacing := v_window / v_count;
    v_first := greatest(a.rate_next, v_now);
    -- Nobody takes more than what the next moment lets through: others ask as often.
    IF v_first <= v_now + 600 THEN
      v_permits := least((p_asked ->> 'permits')::integer, 1 + floor((v_now + 600 - v_first) / v_spacing)::integer);
      IF v_permits > 0 THEN UPDATE tandem.account SET rate_next = v_first + v_permits * v_spacing WHERE id = a.id; END IF;
    END IF;
  END IF;
  RETURN jsonb_build_object('granted', v_mine, 'rate', CASE WHEN v_count IS NOT NULL THEN
    jsonb_build_object('first', v_first - v_now, 'spacing', v_spacing, 'permits', v_permits, 'window', v_window) END);
END $$;

-- Gives a chunk to a worker, or to the submitter (null) who closes it. Of its first `mark` jobs, those without a result that
-- may have been sent are in doubt from now on. Null: there is nothing to do in it now.
CREATE FUNCTION tandem.take(p_worker uuid, p_batch integer, p_chunk integer, p_claim text) RETURNS tandem.chunk LANGUAGE plpgsql AS $$
DECLARE c tandem.chunk; b tandem.batch;
BEGIN
  SELECT * INTO b FROM tandem.batch WHERE no = p_batch FOR UPDATE;
  SELECT * INTO c FROM tandem.chunk WHERE batch = p_batch AND id = p_chunk FOR UPDATE;
  IF NOT FOUND OR c.done OR (p_worker IS NOT NULL AND b.state <> 'running') THEN RETURN NULL; END IF;
  -- Asked again, because the answer was lost.
  IF c.worker = p_worker AND c.claim = p_claim THEN RETURN c; END IF;
  -- Only a later attempt of the same entry of the queue takes a chunk from one who drives it.
  IF p_worker IS NOT NULL AND c.claim IS NOT NULL
    AND (split_part(c.claim, '.', 1) <> split_part(p_claim, '.', 1) OR split_part(c.claim, '.', 2)::integer >= split_part(p_claim, '.', 2)::integer)
    AND EXISTS (SELECT FROM tandem.worker WHERE id = c.worker AND seen_at > tandem.now_ms() - 12000) THEN RETURN NULL; END IF;
  INSERT INTO tandem.result (batch, job, number, rank, origin, claim)
    SELECT p_batch, j.job, 1 + greatest(c.tried[j.place], coalesce((SELECT max(r.number) FROM tandem.result r WHERE r.batch = p_batch AND r.job = j.job), 0)),
      CASE WHEN b.in_doubt = 'resend' THEN 2 ELSE 0 END, c.worker, c.claim
    FROM unnest(c.jobs[1:c.mark]) WITH ORDINALITY AS j (job, place)
    WHERE NOT EXISTS (SELECT FROM tandem.result r WHERE r.batch = p_batch AND r.job = j.job AND r.rank IN (0, 1, 3))
      AND (c.waits[j.place] = 0 OR NOT c.waits[j.place] = ANY (c.jobs)
        OR EXISTS (SELECT FROM tandem.result r WHERE r.batch = p_batch AND r.job = c.waits[j.place] AND r.rank = 3));
  UPDATE tandem.chunk SET worker = p_worker, claim = p_claim, again = false, done = p_worker IS NULL WHERE batch = p_batch AND id = p_chunk;
  RETURN c;
END $$;

-- The one statement of a worker at work: hands results in, moves marks, renews shares, and tells what has become of its chunks.
CREATE FUNCTION tandem.sync(p_worker uuid, p_in_flight integer, p_results jsonb, p_rows text[], p_notes jsonb, p_chunks jsonb, p_accounts jsonb)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_state text; v_known bigint[]; v_runs bigint[]; e jsonb; c tandem.chunk; v_isHeld boolean; v_isDone boolean;
  v_chunks jsonb := '[]'; v_shares jsonb := '[]';
BEGIN
  UPDATE tandem.worker SET seen_at = tandem.now_ms(), in_flight = p_in_flight WHERE id = p_worker RETURNING state INTO v_state;
  -- One after the other, so that their numbers are in the order of their commits, by which they are read.
  PERFORM FROM tandem.batch WHERE no IN (SELECT (value ->> 0)::integer FROM jsonb_array_elements(p_results || p_notes)) ORDER BY no FOR UPDATE;
  IF jsonb_array_length(p_results) > 0 THEN
    WITH given AS MATERIALIZED (
      SELECT (r.value ->> 0)::integer AS batch, (r.value ->> 1)::bigint AS job, (r.value ->> 2)::integer AS number, (r.value ->> 3)::smallint AS rank,
        (r.value ->> 4)::integer AS requests, (r.value ->> 5)::integer AS failures, (r.value ->> 6)::double precision AS cost, p_rows[r.ordinality] AS row
      FROM jsonb_array_elements(p_results) WITH ORDINALITY AS r),
    doubted AS MATERIALIZED (SELECT g.batch, g.job, g.rank FROM given g JOIN tandem.result r USING (batch, job) WHERE r.rank = 0 AND (g.rank = 3 OR (g.rank = 1 AND r.number = g.number))),
    landed AS (INSERT INTO tandem.result (batch, job, number, rank, origin, row)
      SELECT g.batch, g.job, g.number, g.rank, CASE WHEN g.rank > 0 THEN p_worker END, g.row FROM given g JOIN tandem.batch b ON b.no = g.batch
      WHERE g.rank > 0 OR NOT EXISTS (SELECT FROM tandem.result r WHERE r.batch = g.batch AND r.job = g.job AND r.rank IN (0, 1, 3))
      ON CONFLICT (batch, job, number) DO UPDATE SET rank = excluded.rank, row = excluded.row, origin = excluded.origin, no = DEFAULT
        -- What the job came to ends a doubt, and a run that can be asked for; an attempt that it went on after does not.
        WHERE CASE WHEN result.rank = 0 THEN excluded.rank IN (1, 3) ELSE result.rank < excluded.rank OR (result.rank = 2 AND result.row IS NULL) END
      RETURNING batch, job, number),
    paid AS (UPDATE tandem.batch b SET requests = b.requests + s.requests, failures = b.failures + s.failures, cost = b.cost + s.cost,
        cost_unknown = b.cost_unknown OR s.unknown
      FROM (SELECT g.batch, sum(requests) AS requests, sum(failures) AS failures, coalesce(sum(g.cost), 0) AS cost, bool_or(g.cost IS NULL) AS unknown
        FROM given g JOIN landed l USING (batch, job, number) GROUP BY g.batch) AS s
      WHERE b.no = s.batch),
    -- A doubt about another attempt of a job that is over is none any more.
    cleared AS (DELETE FROM tandem.result r USING given g WHERE r.batch = g.batch AND r.job = g.job AND r.rank = 0 AND g.rank = 3 AND r.number <> g.number)
    SELECT array_agg(job), array_agg(job) FILTER (WHERE rank = 1) INTO v_known, v_runs FROM doubted;
    IF v_known IS NOT NULL THEN
      -- What waits for them may be sent now, and the runs are asked for.
      UPDATE tandem.chunk k SET again = true WHERE NOT done AND k.jobs && v_known AND (k.waits && v_known OR k.jobs && v_runs) AND k.batch IN (SELECT (r.value ->> 0)::integer FROM jsonb_array_elements(p_results) AS r);
    END IF;
  END IF;
  INSERT INTO tandem.note (batch, text) SELECT (n.value ->> 0)::integer, n.value ->> 1 FROM jsonb_array_elements(p_notes) AS n
    WHERE EXISTS (SELECT FROM tandem.batch WHERE no = (n.value ->> 0)::integer);
  FOR e IN SELECT value FROM jsonb_array_elements(p_chunks) LOOP
    -- Jobs that had not left after all go on.
    IF jsonb_array_length(e -> 'unsent') > 0 THEN
      WITH freed AS (DELETE FROM tandem.result r WHERE r.batch = (e ->> 'batch')::integer AND r.origin = p_worker AND r.claim = e ->> 'claim' AND (r.rank = 0 OR (r.rank = 2 AND r.row IS NULL))
          AND r.job IN (SELECT value::bigint FROM jsonb_array_elements_text(e -> 'unsent')) RETURNING r.job, r.rank)
      SELECT array_agg(job) INTO v_known FROM freed WHERE rank = 0;
      IF v_known IS NOT NULL THEN
        UPDATE tandem.chunk SET again = true WHERE batch = (e ->> 'batch')::integer AND id = (e ->> 'chunk')::integer AND NOT done;
      END IF;
    END IF;
    -- What stays in doubt of a chunk that it has handed in, this worker does not know either.
    IF (e ->> 'ends')::boolean THEN
      UPDATE tandem.result r SET origin = NULL FROM tandem.chunk k WHERE k.batch = (e ->> 'batch')::integer AND k.id = (e ->> 'chunk')::integer
        AND r.batch = k.batch AND r.job = ANY (k.jobs) AND r.rank = 0 AND r.origin = p_worker AND r.claim = e ->> 'claim';
    END IF;
    SELECT * INTO c FROM tandem.chunk WHERE batch = (e ->> 'batch')::integer AND id = (e ->> 'chunk')::integer FOR UPDATE;
    v_isHeld := coalesce(c.worker = p_worker AND c.claim = e ->> 'claim' AND NOT c.done, false);
    v_isDone := false;
    IF v_isHeld AND (e ->> 'ends')::boolean THEN
      v_isDone := (e ->> 'isDone')::boolean AND NOT c.again;
      UPDATE tandem.chunk SET worker = NULL, claim = NULL, mark = 0, done = v_isDone WHERE batch = c.batch AND id = c.id;
    ELSIF v_isHeld AND (e ->> 'mark')::integer > c.mark THEN
      UPDATE tandem.chunk SET mark = (e ->> 'mark')::integer WHERE batch = c.batch AND id = c.id;
    END IF;
    v_chunks := v_chunks || jsonb_build_array(jsonb_build_object('isHeld', v_isHeld, 'isDone', v_isDone,
      'batch', (SELECT jsonb_build_object('state', state, 'reason', reason, 'requests', requests, 'failures', failures, 'cost', cost, 'isCostUnknown', cost_unknown)
        FROM tandem.batch WHERE no = (e ->> 'batch')::integer),
      'stops', (SELECT coalesce(jsonb_agg(target), '[]') FROM tandem.stop WHERE batch = (e ->> 'batch')::integer)));
  END LOOP;
  -- In one order, so that no two workers wait for each other.
  FOR e IN SELECT value FROM jsonb_array_elements(p_accounts) LOOP
    v_shares := v_shares || jsonb_build_array(tandem.renew_share(e));
  END LOOP;
  RETURN jsonb_build_object('state', v_state, 'chunks', v_chunks, 'shares', v_shares);
END $$;
