-- Statements of workers. Each is one call, and safe to be sent again when its answer was lost.
-- READ COMMITTED: every statement in a function sees what was committed before it began, so the lock comes first, and then the count.

-- A statement may arrive long after its sender has gone on, as when a line is mended; what has changed meanwhile is not undone.
CREATE FUNCTION tandem.refuse_late(p_now bigint, p_until bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_now > p_until THEN RAISE EXCEPTION 'the statement came too late' USING ERRCODE = 'connection_failure'; END IF;
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
