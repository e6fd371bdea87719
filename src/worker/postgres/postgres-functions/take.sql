-- Each job goes through these, so they keep their plans; the joins compare whole keys, and can only look up by index (see 004).

-- Marks attempts as sending, as many as every limit lets leave now.
CREATE OR REPLACE FUNCTION tandem.take(p_worker uuid, p_token text, p_batch integer, p_service integer, p_jobs bigint[], p_numbers integer[],
  p_until bigint DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $$
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
  v_until bigint;
  v_given_up boolean := false;
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
    SELECT * INTO v_until, v_given_up FROM tandem.waits_for(p_batch, v_service, v_now);
    SELECT coalesce(array_agg(j.id), '{}'), coalesce(array_agg(DISTINCT j.target), '{}') INTO v_refused, v_stopped_targets
      FROM tandem.job j JOIN tandem.target t ON t.batch = j.batch AND t.id = j.target
      WHERE j.batch = p_batch AND j.id = ANY (p_jobs) AND t.stopped IS NOT NULL;
    v_is_probe := v_room > 0 AND cardinality(v_refused) = 0
      AND (v_now >= v_service.next_look_at OR v_now >= v_until)
      -- Questions for runs look for it where there are any, and cost nothing.
      AND NOT tandem.is_asked(v_service, v_now)
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
      THEN tandem.outage_of(v_service, v_given_up, v_now) END);
END $$;
