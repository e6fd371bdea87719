-- Statements of workers. Each is one call, and safe to be sent again when its answer was lost.
-- READ COMMITTED: every statement in a function sees what was committed before it began, so the lock comes first, and then the count.

-- A statement may arrive long after its sender has gone on, as when a line is mended; what has changed meanwhile is not undone.
CREATE FUNCTION tandem.refuse_late(p_now bigint, p_until bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_now > p_until THEN RAISE EXCEPTION 'the statement came too late' USING ERRCODE = 'connection_failure'; END IF;
END $$;

-- Marks attempts as sending, as many as every limit lets leave now.
CREATE FUNCTION tandem.take(p_worker uuid, p_token text, p_batch integer, p_service integer, p_jobs bigint[], p_numbers integer[],
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

  IF v_room > 0 THEN
    v_wanted := least(v_concurrency, cardinality(p_jobs) + v_seen.mine);
    PERFORM FROM tandem.asking WHERE service = p_service AND worker = p_worker AND wanted >= v_wanted AND asked_at > v_now - 500;
    IF NOT FOUND THEN
      INSERT INTO tandem.asking (service, worker, wanted, asked_at) VALUES (p_service, p_worker, v_wanted, v_now)
        ON CONFLICT (service, worker) DO UPDATE SET wanted = v_wanted, asked_at = v_now;
    END IF;
    -- Batches that ask at the same time have even shares, and so have workers.
    v_free := greatest(0, least(v_concurrency - v_seen.in_flight, ceil(v_concurrency::numeric / greatest(1, v_seen.fair)) - v_seen.own));
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
  END IF;

  RETURN jsonb_build_object(
    'granted', to_jsonb(v_granted), 'refused', to_jsonb(v_refused), 'stoppedTargets', to_jsonb(v_stopped_targets), 'stopped', v_stopped,
    'waitMs', ceil(v_wait), 'pausedMs', v_pause, 'concurrency', coalesce(v_concurrency, 0), 'rate', v_rate,
    'worker', coalesce(v_seen.worker, 'gone'), 'workers', v_seen.workers, 'dbNow', v_now);
END $$;

CREATE FUNCTION tandem.has_budget(b tandem.batch) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT b.most_requests IS NOT NULL OR b.most_failures IS NOT NULL OR b.most_cost IS NOT NULL OR b.most_duration_ms IS NOT NULL
$$;

-- Why nothing more may be started, in the words of one machine; null: go on. The counts are locked.
CREATE FUNCTION tandem.spent(b tandem.batch, p_now bigint) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE s tandem.spending;
BEGIN
  SELECT * INTO s FROM tandem.spending WHERE batch = b.no FOR UPDATE;
  RETURN CASE
    WHEN s.failures >= b.most_failures THEN format('%s jobs failed (--max-failures %s)', s.failures, b.most_failures)
    WHEN p_now >= b.ends_at THEN 'the time is used up (--max-duration)'
    WHEN b.most_cost IS NOT NULL AND s.cost_unknown THEN 'a reply did not tell the tokens by which it costs, so --max-cost cannot be kept'
    WHEN s.cost >= b.most_cost THEN format('%s is spent (--max-cost %s)', s.cost::numeric(30, 6)::double precision, b.most_cost)
    WHEN s.requests >= b.most_requests THEN format('%s requests are spent (--budget)', s.requests)
  END;
END $$;

-- Ends a batch, unless it has ended, and wakes its submitter.
CREATE FUNCTION tandem.end_batch(p_batch integer, p_state text, p_reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE tandem.batch SET state = p_state, reason = p_reason WHERE no = p_batch AND state IN ('uploading', 'running');
  PERFORM pg_notify('tandem_b' || p_batch, '');
END $$;

-- Wakes the submitter, four times a second at the most: commits that notify wait for each other.
CREATE FUNCTION tandem.pulse(p_batch integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_now bigint := tandem.now_ms();
BEGIN
  IF (SELECT pulsed_at FROM tandem.spending WHERE batch = p_batch) > v_now - 250 THEN RETURN; END IF;
  PERFORM FROM tandem.spending WHERE batch = p_batch FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE tandem.spending SET pulsed_at = v_now WHERE batch = p_batch;
  PERFORM pg_notify('tandem_b' || p_batch, '');
END $$;

-- Locks the counts of batches that keep a budget, in order, before any row of theirs.
CREATE FUNCTION tandem.lock_spending(p_batches integer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM tandem.spending s JOIN tandem.batch b ON b.no = s.batch
    WHERE s.batch = ANY (p_batches) AND tandem.has_budget(b) ORDER BY s.batch FOR UPDATE OF s;
END $$;

-- Counts jobs that are done into their slices, in the slices' order.
CREATE FUNCTION tandem.count_done(p_batch integer, p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE tandem.slice s SET done = s.done + c.jobs FROM (
    SELECT p_batch AS batch, j.slice, count(*) AS jobs FROM (SELECT p_batch AS batch, unnest(p_jobs) AS id OFFSET 0) AS over
    JOIN tandem.job j ON j.batch = over.batch AND j.id = over.id GROUP BY j.slice ORDER BY j.slice) AS c
  WHERE s.batch = c.batch AND s.id = c.slice;
END $$;

-- Enters results of one batch, in the order of its jobs. One lands if its attempt is still this worker's, or in doubt and not sent
-- again; it is known if it has landed before; every other is kept as a stray. `p_marks`: 1 final, 2 failed, 4 spent, 8 cost unknown.
-- `p_bytes` has the entries and bodies one behind the other; no body: null.
CREATE FUNCTION tandem.settle(p_worker uuid, p_batch integer, p_jobs bigint[], p_numbers integer[], p_kinds text[], p_marks integer[],
  p_costs double precision[], p_starts integer[], p_entries integer[], p_bodies integer[], p_bytes bytea) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_result text[];
  v_has_budget boolean;
  v_pulsed_at bigint;
  v_places integer[];
  v_rest record;
BEGIN
  -- Whoever takes the batch away waits for those who enter something, and they find nothing when it is gone.
  SELECT tandem.has_budget(b), s.pulsed_at INTO v_has_budget, v_pulsed_at
    FROM (SELECT pg_advisory_xact_lock_shared(746320, p_batch)) AS held, tandem.batch b JOIN tandem.spending s ON s.batch = b.no WHERE b.no = p_batch;
  IF v_has_budget THEN PERFORM FROM tandem.spending WHERE batch = p_batch FOR UPDATE; END IF;
  WITH landed AS (
    DELETE FROM tandem.sending s USING (
      SELECT p_batch AS batch, *
      FROM unnest(p_jobs, p_numbers, p_kinds, p_marks, p_costs, p_starts, p_entries, p_bodies) WITH ORDINALITY
        AS given (job, number, kind, marks, cost, start, entry, body, place) OFFSET 0) AS e
    WHERE s.batch = e.batch AND s.job = e.job AND s.number = e.number AND (s.worker = p_worker OR s.doubt_since IS NOT NULL)
    RETURNING e.*
  ), written AS (
    INSERT INTO tandem.attempt (batch, job, number, worker, kind, final, entry, body)
    SELECT batch, job, number, p_worker, kind, marks & 1 > 0, convert_from(substring(p_bytes FROM start FOR entry), 'UTF8'),
      substring(p_bytes FROM start + entry FOR body) FROM landed
  ), waiting AS (
    INSERT INTO tandem.unpulled (batch, job, number, bytes) SELECT batch, job, number, entry + coalesce(body, 0) FROM landed
  ), counted AS (
    UPDATE tandem.job j SET attempts = l.number, failures = j.failures + (l.kind IN ('run-failed', 'ambiguous'))::integer,
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
  ) SELECT array_agg(place) INTO v_places FROM counted;
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

-- Enters results and marks further attempts of their batch in one commit: who waits gets the places that become free at once.
-- Where a budget is kept the service comes before what has been spent, as in `take`; else it is locked last, for as short as can be:
-- whoever holds it waits for no row of a result.
CREATE FUNCTION tandem.settle_and_take(p_worker uuid, p_batch integer, p_jobs bigint[], p_numbers integer[], p_kinds text[],
  p_marks integer[], p_costs double precision[], p_starts integer[], p_entries integer[], p_bodies integer[], p_bytes bytea,
  p_token text, p_service integer, p_next_jobs bigint[], p_next_numbers integer[], p_until bigint DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_landings text[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(746320, p_batch);
  IF (SELECT tandem.has_budget(b) FROM tandem.batch b WHERE b.no = p_batch) THEN
    PERFORM FROM tandem.service WHERE id = p_service FOR UPDATE;
  END IF;
  v_landings := tandem.settle(p_worker, p_batch, p_jobs, p_numbers, p_kinds, p_marks, p_costs, p_starts, p_entries, p_bodies, p_bytes);
  RETURN jsonb_build_object('landings', to_jsonb(v_landings),
    'told', tandem.take(p_worker, p_token, p_batch, p_service, p_next_jobs, p_next_numbers, p_until));
END $$;

-- Takes back attempts that were marked and did not leave, in doubt by now or not; with a token those of one `take` alone. Returns their jobs.
CREATE FUNCTION tandem.give_back(p_worker uuid, p_batch integer, p_jobs bigint[], p_numbers integer[], p_token text,
  p_until bigint DEFAULT NULL) RETURNS bigint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_jobs bigint[];
BEGIN
  PERFORM tandem.lock_spending(ARRAY[p_batch]);
  PERFORM tandem.refuse_late(tandem.now_ms(), p_until);
  WITH locked AS MATERIALIZED (
    SELECT s.job FROM tandem.sending s
    WHERE s.batch = p_batch AND s.worker = p_worker AND s.run_id IS NULL AND s.token = coalesce(p_token, s.token)
      AND (s.job, s.number) IN (SELECT * FROM unnest(p_jobs, p_numbers)) ORDER BY s.job FOR UPDATE
  ), gone AS (
    DELETE FROM tandem.sending s USING locked l WHERE s.batch = p_batch AND s.job = l.job RETURNING s.job
  ) SELECT coalesce(array_agg(job), '{}') INTO v_jobs FROM gone;
  UPDATE tandem.spending s SET requests = requests - cardinality(v_jobs) FROM tandem.batch b
    WHERE s.batch = p_batch AND b.no = p_batch AND tandem.has_budget(b);
  RETURN v_jobs;
END $$;

-- Enters that the service has taken an attempt as a run. False: the attempt is not this worker's any more.
CREATE FUNCTION tandem.mark_taken(p_worker uuid, p_batch integer, p_job bigint, p_number integer,
  p_sent_at bigint, p_run_id text, p_run_url text, p_run_created_at text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE tandem.sending SET sent_at = p_sent_at, run_id = p_run_id, run_url = p_run_url, run_created_at = p_run_created_at, doubt_since = NULL
    WHERE batch = p_batch AND job = p_job AND number = p_number AND worker = p_worker;
  RETURN FOUND;
END $$;

-- Ends a job and all that wait for it without sending them; returns their number.
CREATE FUNCTION tandem.skip_jobs(p_batch integer, p_job bigint, p_reason text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_jobs bigint[];
BEGIN
  WITH RECURSIVE later (id) AS (
    SELECT p_job UNION ALL SELECT j.id FROM tandem.job j JOIN later ON j.batch = p_batch AND j.waits_for = later.id
  ) SELECT array_agg(id) INTO v_jobs FROM later;
  WITH locked AS MATERIALIZED (
    SELECT id FROM tandem.job j WHERE batch = p_batch AND id = ANY (v_jobs) AND outcome IS NULL
      AND NOT EXISTS (SELECT FROM tandem.sending s WHERE s.batch = p_batch AND s.job = j.id) ORDER BY id FOR UPDATE
  ), ended AS (
    UPDATE tandem.job j SET outcome = 'skipped' FROM locked WHERE j.batch = p_batch AND j.id = locked.id RETURNING j.id
  ) SELECT array_agg(id) INTO v_jobs FROM ended;
  IF v_jobs IS NULL THEN RETURN 0; END IF;
  INSERT INTO tandem.skipped (batch, job, reason)
    VALUES (p_batch, (SELECT min(id) FROM unnest(v_jobs) AS ended (id)), p_reason) ON CONFLICT DO NOTHING;
  PERFORM tandem.count_done(p_batch, v_jobs);
  PERFORM tandem.pulse(p_batch);
  RETURN cardinality(v_jobs);
END $$;

CREATE FUNCTION tandem.stop_target(p_batch integer, p_target bigint, p_reason text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- No `take` that has seen the target go on is still on its way when this is done.
  PERFORM pg_advisory_xact_lock(746320, p_batch);
  UPDATE tandem.target SET stopped = p_reason WHERE batch = p_batch AND id = p_target AND stopped IS NULL;
  PERFORM pg_notify('tandem_b' || p_batch, '');
END $$;

-- Moves what a service has taught: a pause never becomes shorter, a cut counts at most once a second, growth is by one.
CREATE FUNCTION tandem.learn(p_service integer, p_paused_ms bigint, p_concurrency integer, p_ceiling integer,
  p_rate_count integer, p_rate_window_ms bigint, p_reason text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s tandem.service;
  v_now bigint;
  v_configured integer;
  v_current integer;
BEGIN
  SELECT * INTO s FROM tandem.service WHERE id = p_service FOR UPDATE;
  v_now := tandem.now_ms();
  SELECT min(l.concurrency) INTO v_configured
    FROM tandem.batch_limit l JOIN tandem.batch b ON b.no = l.batch WHERE l.service = p_service AND b.state = 'running';
  -- No service asks for more than a day.
  s.paused_until := greatest(s.paused_until, v_now + least(greatest(p_paused_ms, 0), 86400000));
  v_current := least(s.learned_concurrency, v_configured);
  IF p_concurrency < v_current AND v_now - s.last_cut_at >= 1000 THEN
    s.learned_concurrency := greatest(1, p_concurrency);
    s.last_cut_at := v_now;
    s.reason := p_reason;
  ELSIF p_concurrency > v_current AND s.learned_concurrency IS NOT NULL THEN
    s.learned_concurrency := least(v_current + 1, p_concurrency);
    s.reason := p_reason;
  END IF;
  s.learned_ceiling := least(s.learned_ceiling, p_ceiling);
  IF p_rate_count IS NOT NULL AND (s.learned_rate_count IS NULL
      OR p_rate_count::double precision / p_rate_window_ms < s.learned_rate_count::double precision / s.learned_rate_window_ms) THEN
    s.learned_rate_count := greatest(1, p_rate_count);
    s.learned_rate_window_ms := p_rate_window_ms;
    s.reason := p_reason;
    -- Requests on their way count, too.
    INSERT INTO tandem.rate_slot (service, at) SELECT p_service, queued_at FROM tandem.sending
      WHERE service = p_service AND NOT EXISTS (SELECT FROM tandem.rate_slot r WHERE r.service = p_service);
  END IF;
  UPDATE tandem.service SET paused_until = s.paused_until, learned_concurrency = s.learned_concurrency, learned_ceiling = s.learned_ceiling,
    last_cut_at = s.last_cut_at, learned_rate_count = s.learned_rate_count, learned_rate_window_ms = s.learned_rate_window_ms, reason = s.reason
    WHERE id = p_service;
  RETURN jsonb_build_object('pausedMs', greatest(0, s.paused_until - v_now),
    'concurrency', least(s.learned_concurrency, v_configured),
    'rate', CASE WHEN s.learned_rate_count IS NOT NULL
      THEN jsonb_build_object('count', s.learned_rate_count, 'windowMs', s.learned_rate_window_ms) END);
END $$;
