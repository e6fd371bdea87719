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

-- Half of the wait is jitter; it doubles from half a second to half a minute.
CREATE FUNCTION tandem.look_wait(p_looks integer) RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT ceil((0.5 + random() / 2) * least(30000, 500 * power(2, least(10, greatest(1, p_looks) - 1))))::bigint $$;

-- What answers of one batch tell of a service. `p_sound`: when the latest request was sent that the service answered itself; `p_jobs`, `p_sent`:
-- those that a gateway answered, and when they were sent. The service is locked, and rows of jobs that others hold are not waited for.
CREATE FUNCTION tandem.note_answers(p_batch integer, p_service integer, p_sound bigint, p_jobs bigint[], p_sent bigint[], p_status integer,
  p_landed bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s tandem.service;
  v_now bigint;
  v_new integer;
  v_counted bigint[];
  v_concurrency integer;
  v_flying bigint;
  v_jobs bigint;
  v_left bigint;
  v_is_probe boolean;
BEGIN
  SELECT * INTO s FROM tandem.service WHERE id = p_service FOR UPDATE;
  v_now := tandem.now_ms();
  v_is_probe := s.away_since IS NOT NULL AND s.probe_batch = p_batch AND s.probe_job = ANY (p_landed);
  SELECT least(min(l.concurrency), s.learned_concurrency) INTO v_concurrency
    FROM tandem.batch_limit l JOIN tandem.batch b ON b.no = l.batch WHERE l.service = p_service AND b.state = 'running';

  IF p_sound IS NOT NULL THEN
    s.sound_sent := greatest(s.sound_sent, p_sound);
    s.latest := 0;
    -- A request that was sent before tells how the service was then: one that is being shut down still ends what it has begun.
    IF s.streak > 0 AND p_sound >= s.streak_since THEN
      IF s.away_since IS NOT NULL THEN
        WITH free AS MATERIALIZED (
          SELECT j.batch, j.id FROM tandem.fallen f JOIN tandem.job j ON j.batch = f.batch AND j.id = f.job
          WHERE f.service = p_service AND j.outcome IS NULL AND j.given_back < 2 FOR UPDATE OF j SKIP LOCKED
        ) UPDATE tandem.job j SET failures = 0, given_back = j.given_back + 1 FROM free WHERE j.batch = free.batch AND j.id = free.id;
        INSERT INTO tandem.outage (service, since, until, status) VALUES (p_service, s.away_since, v_now, s.away_status) ON CONFLICT DO NOTHING;
        DELETE FROM tandem.outage WHERE service = p_service AND until < v_now - 31 * 86400000::bigint;
        UPDATE tandem.batch_limit SET waits_since = NULL WHERE service = p_service AND waits_since IS NOT NULL;
        -- It is begun with half, and grows as it answers.
        s.learned_concurrency := greatest(1, coalesce(v_concurrency, s.learned_concurrency) / 2);
        s.reason := 'the service is back';
        s.last_cut_at := v_now;
        s.back_at := v_now;
      END IF;
      DELETE FROM tandem.fallen WHERE service = p_service;
      s.streak := 0;
      s.streak_since := NULL;
      s.away_since := NULL;
      s.away_status := NULL;
      s.looks := 0;
      s.probe_batch := NULL;
      s.probe_job := NULL;
      s.probe_number := NULL;
      v_is_probe := false;
    END IF;
  END IF;

  -- What was sent before the service was back, or before what it answered itself since, tells nothing of it as it is now.
  SELECT array_agg(g.job), count(*) FILTER (WHERE g.sent > s.sound_sent) INTO v_counted, v_new
    FROM unnest(p_jobs, p_sent) AS g (job, sent) WHERE s.streak > 0 OR g.sent >= greatest(s.back_at, s.sound_sent);
  IF v_counted IS NOT NULL THEN
    s.streak_since := coalesce(s.streak_since, v_now);
    s.streak := s.streak + cardinality(v_counted);
    s.latest := s.latest + v_new;
    INSERT INTO tandem.fallen (service, batch, job) SELECT p_service, p_batch, job FROM unnest(v_counted) AS fell (job) ON CONFLICT DO NOTHING;
    IF s.away_since IS NOT NULL THEN
      s.away_status := p_status;
    ELSE
      SELECT count(*) INTO v_flying FROM tandem.sending WHERE service = p_service AND doubt_since IS NULL AND run_id IS NULL;
      SELECT count(*) INTO v_jobs FROM (SELECT FROM tandem.fallen WHERE service = p_service LIMIT 2) AS fell;
      SELECT coalesce(sum(c.jobs - c.done), 0) INTO v_left FROM tandem.slice c JOIN tandem.batch b ON b.no = c.batch
        WHERE c.service = p_service AND c.state = 'open' AND b.state = 'running';
      -- One row that is answered so may be at fault itself; where it is the only one left it is asked three times.
      IF (s.latest >= least(5, greatest(2, coalesce(v_concurrency, 1))) AND v_jobs > 1)
          OR (s.streak > 1 AND v_flying = 0 AND (v_jobs > 1 OR v_left > 1 OR s.streak > 2)) THEN
        UPDATE tandem.batch_limit l SET waits_since = v_now, waits_looks = 0, proven = l.proven OR EXISTS (
            SELECT FROM tandem.attempt a JOIN tandem.job j ON j.batch = a.batch AND j.id = a.job JOIN tandem.target t ON t.batch = j.batch AND t.id = j.target
            WHERE a.batch = l.batch AND a.kind = 'ok' AND t.service = p_service)
          FROM tandem.batch b WHERE l.service = p_service AND b.no = l.batch AND b.state = 'running';
        s.away_since := s.streak_since;
        s.away_status := p_status;
        -- Where it has never answered, these were looks already.
        s.looks := CASE WHEN (SELECT bool_or(l.proven) FROM tandem.batch_limit l JOIN tandem.batch b ON b.no = l.batch
          WHERE l.service = p_service AND b.state = 'running') THEN 0 ELSE s.streak END;
        s.looked_at := v_now;
        s.next_look_at := v_now + tandem.look_wait(s.looks);
      END IF;
    END IF;
  END IF;
  IF v_is_probe THEN
    -- A time-out, or a wait that was asked for, is no answer: it is looked again, and not counted.
    IF p_jobs IS NOT NULL AND s.probe_job = ANY (p_jobs) THEN s.looks := s.looks + 1; END IF;
    s.looked_at := v_now;
    s.next_look_at := v_now + tandem.look_wait(s.looks);
    s.probe_batch := NULL;
    s.probe_job := NULL;
    s.probe_number := NULL;
  END IF;
  UPDATE tandem.service SET streak = s.streak, latest = s.latest, streak_since = s.streak_since, sound_sent = s.sound_sent, away_since = s.away_since,
    away_status = s.away_status, looks = s.looks, looked_at = s.looked_at, next_look_at = s.next_look_at, probe_batch = s.probe_batch,
    probe_job = s.probe_job, probe_number = s.probe_number, back_at = s.back_at, learned_concurrency = s.learned_concurrency, reason = s.reason,
    last_cut_at = s.last_cut_at WHERE id = p_service;
END $$;

-- Marks attempts as sending, as many as every limit lets leave now.
CREATE OR REPLACE FUNCTION tandem.take(p_worker uuid, p_token text, p_batch integer, p_service integer, p_jobs bigint[], p_numbers integer[],
  p_until bigint DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_service tandem.service;
  v_batch tandem.batch;
  v_seen record;
  v_now bigint;
  v_granted bigint[] := '{}';
  v_refused bigint[] := '{}';
  v_stopped_targets bigint[] := '{}';
  v_stopped text;
  v_room bigint;
  v_wait double precision := 0;
  v_concurrency integer;
  v_free bigint;
  v_wanted integer;
  v_others integer;
  v_share bigint;
  v_pause bigint;
  v_window record;
  v_used bigint;
  v_oldest bigint;
  v_spacing double precision := 0;
  v_longest bigint := 0;
  v_rate jsonb;
  v_waits tandem.batch_limit;
  v_patience bigint;
  v_is_probe boolean := false;
BEGIN
  -- Whoever moves the batch waits for those who have seen its state: when it has moved, what is in flight is known.
  SELECT s.* INTO v_service FROM (SELECT pg_advisory_xact_lock_shared(746320, p_batch)) AS held, tandem.service s
    WHERE s.id = p_service FOR UPDATE OF s;
  IF NOT FOUND THEN RAISE EXCEPTION 'no service %', p_service USING ERRCODE = 'no_data_found'; END IF;
  v_now := tandem.now_ms();
  PERFORM tandem.refuse_late(v_now, p_until);
  SELECT b.state, b.reason, tandem.has_budget(b) AS has_budget, limits.*, flying.*,
      (SELECT CASE WHEN gone THEN 'gone' ELSE w.state END FROM tandem.worker w WHERE id = p_worker) AS worker,
      (SELECT count(*) FROM tandem.worker WHERE NOT gone) AS workers,
      -- A commit of which the answer was lost: the same grants again.
      (SELECT coalesce(array_agg(job), '{}') FROM tandem.sending
        WHERE batch = p_batch AND job = ANY (p_jobs) AND token = p_token AND worker = p_worker AND doubt_since IS NULL) AS granted
    INTO v_seen
    FROM (
      SELECT min(l.concurrency) AS concurrency, count(*) FILTER (WHERE l.batch = p_batch OR l.asked_at > v_now - 2000) AS fair,
        count(l.rate_count) > 0 OR v_service.learned_rate_count IS NOT NULL AS has_rate,
        max(l.asked_at) FILTER (WHERE l.batch = p_batch) AS asked_at
      FROM tandem.batch_limit l JOIN tandem.batch o ON o.no = l.batch WHERE l.service = p_service AND o.state = 'running') AS limits, (
      SELECT count(*) AS in_flight, count(*) FILTER (WHERE s.batch = p_batch) AS own, count(*) FILTER (WHERE s.worker = p_worker) AS mine
      FROM tandem.sending s WHERE s.service = p_service AND s.doubt_since IS NULL AND s.run_id IS NULL) AS flying
    LEFT JOIN tandem.batch b ON b.no = p_batch;
  v_pause := greatest(0, v_service.paused_until - v_now);
  v_concurrency := least(v_seen.concurrency, v_service.learned_concurrency);
  v_granted := v_seen.granted;
  IF cardinality(v_granted) > 0 THEN v_room := -1; ELSE v_room := cardinality(p_jobs); END IF;

  IF v_room > 0 AND v_seen.asked_at < v_now - 500 THEN
    UPDATE tandem.batch_limit SET asked_at = v_now WHERE service = p_service AND batch = p_batch;
  END IF;

  IF v_seen.state = 'uploading' OR v_seen.worker IS DISTINCT FROM 'on' THEN
    v_room := least(v_room, 0);
    v_wait := 1000;
  ELSIF v_seen.state IS DISTINCT FROM 'running' THEN
    v_room := least(v_room, 0);
    -- Somebody may have removed it while workers had slices of it: that is no reason for them to end.
    v_stopped := coalesce(v_seen.reason, v_seen.state, 'it was removed from the workers');
  END IF;

  IF v_pause > 0 AND v_room > 0 THEN
    v_room := 0;
    v_wait := greatest(v_wait, v_pause);
  END IF;

  -- While the service is away nothing leaves but one request at a time that looks for it, and a batch waits for so long and no longer.
  IF v_service.away_since IS NOT NULL AND v_seen.state = 'running' AND v_room >= 0 THEN
    UPDATE tandem.batch_limit SET waits_since = coalesce(waits_since, v_now),
        waits_looks = CASE WHEN waits_since IS NULL THEN v_service.looks ELSE waits_looks END
      WHERE service = p_service AND batch = p_batch RETURNING * INTO v_waits;
    v_patience := coalesce(v_waits.patience_ms, CASE WHEN v_waits.proven THEN 300000 END);
    IF (CASE WHEN v_patience IS NULL THEN v_service.looks - v_waits.waits_looks >= 5
        ELSE v_service.looked_at >= v_waits.waits_since + v_patience END) THEN
      UPDATE tandem.target SET stopped = format('a gateway answered %s in the place of the service for %s s', v_service.away_status,
          ceil((v_now - v_service.away_since) / 1000.0))
        WHERE batch = p_batch AND service = p_service AND stopped IS NULL;
      IF FOUND THEN PERFORM pg_notify('tandem_b' || p_batch, ''); END IF;
    END IF;
    SELECT coalesce(array_agg(j.id), '{}'), coalesce(array_agg(DISTINCT j.target), '{}') INTO v_refused, v_stopped_targets
      FROM tandem.job j JOIN tandem.target t ON t.batch = j.batch AND t.id = j.target
      WHERE j.batch = p_batch AND j.id = ANY (p_jobs) AND t.stopped IS NOT NULL;
    v_is_probe := v_room > 0 AND cardinality(v_refused) = 0
      AND (v_now >= v_service.next_look_at OR v_now >= v_waits.waits_since + v_patience)
      AND NOT EXISTS (SELECT FROM tandem.sending s WHERE s.batch = v_service.probe_batch AND s.job = v_service.probe_job
        AND s.number = v_service.probe_number AND s.doubt_since IS NULL AND s.run_id IS NULL);
    IF v_is_probe THEN
      v_room := 1;
    ELSIF v_room > 0 THEN
      v_room := 0;
      v_wait := greatest(v_wait, least(1000, greatest(50, v_service.next_look_at - v_now)));
    END IF;
    -- The place of those that are refused is had at once.
    IF cardinality(v_refused) > 0 THEN v_wait := 0; END IF;
  END IF;

  IF v_room > 0 THEN
    v_wanted := least(v_concurrency, cardinality(p_jobs) + v_seen.mine);
    PERFORM FROM tandem.asking WHERE service = p_service AND worker = p_worker AND wanted >= v_wanted AND asked_at > v_now - 500;
    IF NOT FOUND THEN
      INSERT INTO tandem.asking (service, worker, wanted, asked_at) VALUES (p_service, p_worker, v_wanted, v_now)
        ON CONFLICT (service, worker) DO UPDATE SET wanted = v_wanted, asked_at = v_now;
    END IF;
    -- Batches that ask at the same time have even shares, and so have workers.
    -- From the second answer of a gateway in a row on, a place that became free so is not given away again.
    v_free := greatest(0, least(
      CASE WHEN v_service.streak > 1 AND v_service.away_since IS NULL THEN greatest(1, v_concurrency - v_service.streak + 1) ELSE v_concurrency END
        - v_seen.in_flight, ceil(v_concurrency::numeric / greatest(1, v_seen.fair)) - v_seen.own));
    IF v_free > 0 THEN
      SELECT count(*) INTO v_others FROM tandem.asking WHERE service = p_service AND worker <> p_worker AND asked_at > v_now - 2000;
      IF v_others > 0 THEN
        -- Parts of less than 20 would be as many statements for each few.
        v_share := greatest(20, (v_concurrency + v_others) / (1 + v_others));
        SELECT greatest(v_share, v_concurrency - sum(least(wanted, v_share))) INTO v_share
          FROM tandem.asking WHERE service = p_service AND worker <> p_worker AND asked_at > v_now - 2000;
        v_free := greatest(0, least(v_free, v_share - v_seen.mine));
      END IF;
    END IF;
    IF v_free < v_room THEN
      v_room := v_free;
      v_wait := greatest(v_wait, 100);
    END IF;
  END IF;

  -- Every rate is kept in sliding windows, with a margin for jitter on the way.
  IF v_seen.has_rate THEN FOR v_window IN
    SELECT ceil(rate_count / share)::bigint AS most, rate_window_ms / share AS ms, rate_count, rate_window_ms
    FROM (
      SELECT l.rate_count, l.rate_window_ms FROM tandem.batch_limit l JOIN tandem.batch b ON b.no = l.batch
        WHERE l.service = p_service AND b.state = 'running' AND l.rate_count IS NOT NULL
      UNION SELECT v_service.learned_rate_count, v_service.learned_rate_window_ms WHERE v_service.learned_rate_count IS NOT NULL
    ) AS rates,
    -- So many in so long is kept by half as many in half of the time, and so on: no window counts more than 2,000.
    LATERAL (SELECT power(2, greatest(0, ceil(log(2, rate_count / 2000.0))))::double precision AS share) AS shares
    ORDER BY rate_count::double precision / rate_window_ms DESC
  LOOP
    v_rate := jsonb_build_object('count', v_window.rate_count, 'windowMs', v_window.rate_window_ms);
    v_window.most := greatest(1, floor(v_window.rate_count / (v_window.rate_window_ms / v_window.ms)));
    v_oldest := floor(v_window.ms + least(250, ceil(v_window.ms * 0.02)));
    v_longest := greatest(v_longest, v_oldest);
    IF v_window.ms <= 10000 THEN v_spacing := greatest(v_spacing, v_window.rate_window_ms::double precision / v_window.rate_count); END IF;
    IF v_room > 0 THEN
      SELECT count(*) INTO v_used FROM tandem.rate_slot WHERE service = p_service AND at > v_now - v_oldest;
      IF v_used >= v_window.most THEN
        v_room := 0;
        SELECT at + v_oldest - v_now INTO v_used FROM tandem.rate_slot
          WHERE service = p_service ORDER BY at DESC OFFSET v_window.most - 1 LIMIT 1;
        v_wait := greatest(v_wait, v_used);
      ELSE
        v_room := least(v_room, v_window.most - v_used);
      END IF;
    END IF;
  END LOOP; END IF;
  IF v_spacing > 0 AND v_room > 0 THEN
    -- At an even pace, of which 50 ms may be made up for.
    IF v_service.due - v_now > 50 THEN
      v_room := 0;
      v_wait := greatest(v_wait, v_service.due - v_now - 50);
    ELSE
      v_room := least(v_room, floor((50 - greatest(0, v_service.due - v_now)) / v_spacing)::bigint + 1);
      v_wait := greatest(v_wait, least(v_spacing, 1000));
    END IF;
  END IF;

  IF v_room > 0 AND v_seen.has_budget THEN
    SELECT * INTO v_batch FROM tandem.batch WHERE no = p_batch;
    v_stopped := tandem.spent(v_batch, v_now);
    IF v_stopped IS NOT NULL THEN
      v_room := 0;
      -- Requests in flight may still turn out not to have cost anything.
      IF EXISTS (SELECT FROM tandem.sending WHERE batch = p_batch AND doubt_since IS NULL) AND v_stopped LIKE '%(--budget)' THEN
        v_stopped := NULL;
        v_wait := greatest(v_wait, 200);
      ELSE
        PERFORM tandem.end_batch(p_batch, 'stopping', v_stopped);
      END IF;
    ELSIF v_batch.most_requests IS NOT NULL THEN
      v_room := least(v_room, v_batch.most_requests - (SELECT requests FROM tandem.spending WHERE batch = p_batch));
    END IF;
  END IF;

  IF v_room > 0 THEN
    -- No more are looked at than may leave. One by one in `sending`: NOT EXISTS would be planned as a scan of all that is there.
    WITH asked AS MATERIALIZED (
      SELECT asked.job, asked.number, asked.place, j.target, t.stopped IS NOT NULL AS is_stopped,
        j.outcome IS NULL AND j.attempts = asked.number - 1 AND t.stopped IS NULL AND t.service = p_service
          AND (SELECT s.job FROM tandem.sending s WHERE s.batch = asked.batch AND s.job = asked.job) IS NULL AS is_open
      FROM (SELECT p_batch AS batch, * FROM unnest(p_jobs[1:v_room], p_numbers[1:v_room]) WITH ORDINALITY AS asked (job, number, place) OFFSET 0) AS asked
      LEFT JOIN tandem.job j ON j.batch = asked.batch AND j.id = asked.job
      LEFT JOIN tandem.target t ON t.batch = asked.batch AND t.id = j.target
    ), entered AS (
      INSERT INTO tandem.sending (batch, job, number, service, worker, token, queued_at)
      SELECT p_batch, job, number, p_service, p_worker, p_token, v_now FROM asked WHERE is_open ORDER BY job
      ON CONFLICT DO NOTHING RETURNING job
    ) SELECT coalesce(array_agg(a.job ORDER BY a.place) FILTER (WHERE e.job IS NOT NULL), '{}'),
        coalesce(array_agg(a.job ORDER BY a.place) FILTER (WHERE e.job IS NULL), '{}'),
        coalesce(array_agg(DISTINCT a.target) FILTER (WHERE a.is_stopped), '{}')
      INTO v_granted, v_refused, v_stopped_targets FROM asked a LEFT JOIN entered e ON e.job = a.job;
    -- Others may have the places of those at once.
    IF cardinality(v_refused) > 0 THEN v_wait := 0; END IF;
    IF v_rate IS NOT NULL THEN
      INSERT INTO tandem.rate_slot (service, at) SELECT p_service, v_now FROM generate_series(1, cardinality(v_granted));
      UPDATE tandem.service SET due = greatest(due, v_now) + v_spacing * cardinality(v_granted) WHERE id = p_service;
      IF random() < 0.05 THEN
        DELETE FROM tandem.rate_slot WHERE service = p_service AND at < v_now - v_longest - 1000;
      END IF;
    END IF;
    IF v_seen.has_budget THEN
      UPDATE tandem.spending SET requests = requests + cardinality(v_granted) WHERE batch = p_batch;
    END IF;
    IF v_is_probe AND cardinality(v_granted) > 0 THEN
      UPDATE tandem.service SET probe_batch = p_batch, probe_job = v_granted[1],
        probe_number = p_numbers[array_position(p_jobs, v_granted[1])] WHERE id = p_service;
    END IF;
  END IF;

  RETURN jsonb_build_object(
    'granted', to_jsonb(v_granted), 'refused', to_jsonb(v_refused), 'stoppedTargets', to_jsonb(v_stopped_targets), 'stopped', v_stopped,
    'waitMs', ceil(v_wait), 'pausedMs', v_pause, 'concurrency', coalesce(v_concurrency, 0), 'rate', v_rate,
    'worker', coalesce(v_seen.worker, 'gone'), 'workers', v_seen.workers, 'dbNow', v_now,
    'isSuspect', v_service.streak > 1, 'away', CASE WHEN v_service.away_since IS NOT NULL
      THEN jsonb_build_object('status', v_service.away_status, 'forMs', v_now - v_service.away_since) END);
END $$;

-- `p_marks`: 1 final, 2 failed, 4 spent, 8 cost unknown, 16 counts as a try, 32 the sender tells whether it does, 64 the service itself
-- answered, 128 the sender tells who answered, and from 1024 on the status with which a gateway did.
CREATE OR REPLACE FUNCTION tandem.settle(p_worker uuid, p_batch integer, p_jobs bigint[], p_numbers integer[], p_kinds text[], p_marks integer[],
  p_costs double precision[], p_starts integer[], p_entries integer[], p_bodies integer[], p_bytes bytea) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_result text[];
  v_has_budget boolean;
  v_pulsed_at bigint;
  v_places integer[];
  v_rest record;
  v_answers jsonb;
  v_is_locked boolean := true;
BEGIN
  -- Whoever takes the batch away waits for those who enter something, and they find nothing when it is gone.
  SELECT tandem.has_budget(b), s.pulsed_at INTO v_has_budget, v_pulsed_at
    FROM (SELECT pg_advisory_xact_lock_shared(746320, p_batch)) AS held, tandem.batch b JOIN tandem.spending s ON s.batch = b.no WHERE b.no = p_batch;
  IF v_has_budget THEN
    -- Whoever asks for leave locks the service before what has been spent.
    v_is_locked := EXISTS (SELECT FROM unnest(p_marks) AS given (marks) WHERE marks >> 10 > 0)
      OR EXISTS (SELECT FROM tandem.sending s JOIN tandem.service v ON v.id = s.service
        WHERE s.batch = p_batch AND s.job = ANY (p_jobs) AND v.streak > 0);
    IF v_is_locked THEN
      PERFORM FROM tandem.service v WHERE v.id IN (SELECT s.service FROM tandem.sending s WHERE s.batch = p_batch AND s.job = ANY (p_jobs))
        ORDER BY v.id FOR UPDATE;
    END IF;
    PERFORM FROM tandem.spending WHERE batch = p_batch FOR UPDATE;
  END IF;
  WITH landed AS (
    DELETE FROM tandem.sending s USING (
      SELECT p_batch AS batch, *
      FROM unnest(p_jobs, p_numbers, p_kinds, p_marks, p_costs, p_starts, p_entries, p_bodies) WITH ORDINALITY
        AS given (job, number, kind, marks, cost, start, entry, body, place) OFFSET 0) AS e
    WHERE s.batch = e.batch AND s.job = e.job AND s.number = e.number AND (s.worker = p_worker OR s.doubt_since IS NOT NULL)
    RETURNING e.*, s.service, s.queued_at
  ), written AS (
    INSERT INTO tandem.attempt (batch, job, number, worker, kind, final, entry, body)
    SELECT batch, job, number, p_worker, kind, marks & 1 > 0, convert_from(substring(p_bytes FROM start FOR entry), 'UTF8'),
      substring(p_bytes FROM start + entry FOR body) FROM landed
  ), waiting AS (
    INSERT INTO tandem.unpulled (batch, job, number, bytes) SELECT batch, job, number, entry + coalesce(body, 0) FROM landed
  ), counted AS (
    UPDATE tandem.job j SET attempts = l.number, failures = j.failures +
        (CASE WHEN l.marks & 32 > 0 THEN l.marks & 16 > 0 ELSE l.kind IN ('run-failed', 'ambiguous') END)::integer,
      outcome = CASE WHEN l.marks & 1 > 0 THEN l.kind END
    FROM landed l WHERE j.batch = l.batch AND j.id = l.job RETURNING l.place, l.marks, j.batch, j.slice
  ), done AS (
    UPDATE tandem.slice s SET done = s.done + c.jobs
    FROM (SELECT batch, slice, count(*) AS jobs FROM counted WHERE marks & 1 > 0 GROUP BY batch, slice ORDER BY slice) AS c
    WHERE s.batch = c.batch AND s.id = c.slice
  ), paid AS (
    UPDATE tandem.spending s SET requests = s.requests - sums.unspent, failures = s.failures + sums.failed,
      cost = s.cost + sums.cost, cost_unknown = s.cost_unknown OR sums.cost_unknown
    FROM (SELECT count(*) FILTER (WHERE marks & 4 = 0) AS unspent, count(*) FILTER (WHERE marks & 2 > 0) AS failed,
            coalesce(sum(cost), 0) AS cost, coalesce(bool_or(marks & 8 > 0), false) AS cost_unknown FROM landed) AS sums
    WHERE v_has_budget AND s.batch = p_batch
  ), answers AS (
    -- Workers that were started before this do not tell who answered: what they had an answer to was the service's.
    SELECT service, max(queued_at) FILTER (WHERE marks & 64 > 0 OR (marks & 128 = 0 AND kind = 'ok')) AS sound,
      array_agg(job) FILTER (WHERE marks >> 10 > 0) AS jobs, array_agg(queued_at) FILTER (WHERE marks >> 10 > 0) AS sent,
      max(marks >> 10) AS status, array_agg(job) AS landed
    FROM landed GROUP BY service
    HAVING max(marks >> 10) > 0 OR (SELECT v.streak > 0 FROM tandem.service v WHERE v.id = service)
  ) SELECT (SELECT array_agg(place) FROM counted), (SELECT jsonb_agg(to_jsonb(a) ORDER BY service) FROM answers a) INTO v_places, v_answers;
  IF v_answers IS NOT NULL AND v_is_locked THEN
    FOR v_rest IN SELECT * FROM jsonb_to_recordset(v_answers) AS a (service integer, sound bigint, jobs bigint[], sent bigint[], status integer, landed bigint[])
    LOOP
      PERFORM tandem.note_answers(p_batch, v_rest.service, v_rest.sound, v_rest.jobs, v_rest.sent, v_rest.status, v_rest.landed);
    END LOOP;
  END IF;
  IF v_places IS NOT NULL AND v_pulsed_at <= tandem.now_ms() - 250 THEN PERFORM tandem.pulse(p_batch); END IF;
  IF cardinality(v_places) = cardinality(p_jobs) THEN RETURN array_fill('landed'::text, ARRAY[cardinality(p_jobs)]); END IF;

  v_result := array_fill('stray'::text, ARRAY[cardinality(p_jobs)]);
  FOR v_rest IN SELECT unnest(v_places) AS place LOOP v_result[v_rest.place] := 'landed'; END LOOP;
  -- A look of its own: it sees what others have committed since.
  FOR v_rest IN
    SELECT * FROM unnest(p_jobs, p_numbers, p_kinds, p_starts, p_entries, p_bodies) WITH ORDINALITY
      AS given (job, number, kind, start, entry, body, place) WHERE v_result[place] <> 'landed' ORDER BY place
  LOOP
    IF EXISTS (SELECT FROM tandem.attempt a WHERE a.batch = p_batch AND a.job = v_rest.job AND a.number = v_rest.number AND a.worker = p_worker) THEN
      v_result[v_rest.place] := 'known';
    ELSIF EXISTS (SELECT FROM tandem.batch WHERE no = p_batch) THEN
      INSERT INTO tandem.stray (batch, job, number, worker, kind, entry, body, at)
      VALUES (p_batch, v_rest.job, v_rest.number, p_worker, v_rest.kind,
        convert_from(substring(p_bytes FROM v_rest.start FOR v_rest.entry), 'UTF8'),
        substring(p_bytes FROM v_rest.start + v_rest.entry FOR v_rest.body), tandem.now_ms())
      ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
  RETURN v_result;
END $$;


-- Enters that the service has taken an attempt as a run. False: the attempt is not this worker's any more.
CREATE OR REPLACE FUNCTION tandem.mark_taken(p_worker uuid, p_batch integer, p_job bigint, p_number integer,
  p_sent_at bigint, p_run_id text, p_run_url text, p_run_created_at text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_service integer;
  v_queued_at bigint;
BEGIN
  UPDATE tandem.sending SET sent_at = p_sent_at, run_id = p_run_id, run_url = p_run_url, run_created_at = p_run_created_at, doubt_since = NULL
    WHERE batch = p_batch AND job = p_job AND number = p_number AND worker = p_worker
    RETURNING service, queued_at INTO v_service, v_queued_at;
  IF v_service IS NULL THEN RETURN false; END IF;
  -- The service has taken it: that is an answer of its own.
  IF EXISTS (SELECT FROM tandem.service WHERE id = v_service AND streak > 0) THEN
    PERFORM tandem.note_answers(p_batch, v_service, v_queued_at, NULL, NULL, NULL, ARRAY[p_job]);
  END IF;
  RETURN true;
END $$;


-- Functions that are replaced have lost their settings: as in 004, these keep plans that can only look up by index.
DO $$ DECLARE f record; setting text; BEGIN
  FOR f IN SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND proname IN ('take', 'settle') LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', f.name);
    FOREACH setting IN ARRAY ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material'] LOOP
      EXECUTE format('ALTER FUNCTION %s SET %I = off', f.name, setting);
    END LOOP;
  END LOOP;
END $$;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tandem FROM PUBLIC;
