-- Who is there, the parts of a batch that they fetch, and what becomes of the requests of those who died.

CREATE FUNCTION tandem.enter_worker(p_id uuid, p_name text, p_host text, p_version text, p_deployments text[],
  p_addresses text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO tandem.worker (id, name, host, version, deployments, addresses, entered_at, seen_at)
  VALUES (p_id, p_name, p_host, p_version, p_deployments, p_addresses, tandem.now_ms(), tandem.now_ms())
  ON CONFLICT (id) DO UPDATE SET name = p_name, host = p_host, version = p_version, deployments = p_deployments,
    addresses = p_addresses, seen_at = tandem.now_ms(), gone = false
$$;

-- A sign of life; the state that is asked of the worker, or null when it is not known here.
CREATE FUNCTION tandem.beat(p_worker uuid) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE tandem.worker SET seen_at = tandem.now_ms(), gone = false WHERE id = p_worker
  RETURNING jsonb_build_object('state', state, 'dbNow', tandem.now_ms())
$$;

CREATE FUNCTION tandem.leave_worker(p_worker uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE tandem.worker SET gone = true WHERE id = p_worker
$$;

CREATE FUNCTION tandem.tell(p_worker uuid, p_lines text[], p_serves text[], p_leaves jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE tandem.worker SET told = p_lines, serves = p_serves, leaves = p_leaves WHERE id = p_worker
$$;

-- Does with requests in doubt what a policy says: `resend` lets their jobs be sent again, `fail` ends them. Returns the slices to drive again.
CREATE FUNCTION tandem.decide_doubts(p_batch integer, p_jobs bigint[], p_policy text) RETURNS integer[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_jobs bigint[];
  v_slices integer[];
  v_next bigint;
BEGIN
  PERFORM tandem.lock_spending(ARRAY[p_batch]);
  WITH locked AS MATERIALIZED (
    SELECT job, number FROM tandem.sending
    WHERE batch = p_batch AND doubt_since IS NOT NULL AND (p_jobs IS NULL OR job = ANY (p_jobs)) ORDER BY job FOR UPDATE
  ), gone AS (
    DELETE FROM tandem.sending s USING locked l WHERE s.batch = p_batch AND s.job = l.job RETURNING s.job, s.number
  ), written AS (
    INSERT INTO tandem.attempt (batch, job, number, kind, final)
    SELECT p_batch, job, number, 'in-doubt', p_policy = 'fail' FROM gone
  ), waiting AS (
    INSERT INTO tandem.unpulled (batch, job, number, bytes) SELECT p_batch, job, number, 0 FROM gone
  ), counted AS (
    UPDATE tandem.job j SET attempts = gone.number, outcome = CASE WHEN p_policy = 'fail' THEN 'in-doubt' END
    FROM gone WHERE j.batch = p_batch AND j.id = gone.job RETURNING j.id, j.slice
  ) SELECT array_agg(id ORDER BY id), array_agg(DISTINCT slice) INTO v_jobs, v_slices FROM counted;
  IF v_jobs IS NULL THEN RETURN '{}'; END IF;
  IF p_policy = 'fail' THEN
    UPDATE tandem.spending s SET failures = failures + cardinality(v_jobs) FROM tandem.batch b
      WHERE s.batch = p_batch AND b.no = p_batch AND tandem.has_budget(b);
    PERFORM tandem.count_done(p_batch, v_jobs);
    FOR v_next IN SELECT id FROM tandem.job WHERE batch = p_batch AND waits_for = ANY (v_jobs) ORDER BY id LOOP
      PERFORM tandem.skip_jobs(p_batch, v_next, 'an earlier turn had no answer (in-doubt)');
    END LOOP;
  ELSE
    UPDATE tandem.slice SET state = 'open' WHERE batch = p_batch AND id = ANY (v_slices) AND state = 'done';
  END IF;
  PERFORM tandem.pulse(p_batch);
  RETURN v_slices;
END $$;

-- Unfinished jobs of a slice that nobody else has, with the runs that this worker asks for.
CREATE FUNCTION tandem.slice_jobs(p_batch integer, p_slice integer, p_worker uuid)
RETURNS TABLE (id bigint, target bigint, case_id bigint, repeat integer, turn integer, waits_for bigint, input text, attempts integer, failures integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT j.id, j.target, j.case_id, j.repeat, j.turn, j.waits_for, i.input, j.attempts, j.failures
  FROM tandem.job j JOIN tandem.input i ON i.batch = p_batch AND i.id = j.input
  WHERE j.batch = p_batch AND j.slice = p_slice AND j.outcome IS NULL
    AND NOT EXISTS (SELECT FROM tandem.sending s WHERE s.batch = p_batch AND s.job = j.id AND NOT (s.run_id IS NOT NULL AND s.worker = p_worker))
  ORDER BY j.id
$$;

-- Answered turns of conversations that are not finished.
CREATE FUNCTION tandem.slice_turns(p_batch integer, p_slice integer)
RETURNS TABLE (job bigint, waits_for bigint, input text, record bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH RECURSIVE needed (id) AS (
    SELECT j.waits_for FROM tandem.job j
    WHERE j.batch = p_batch AND j.slice = p_slice AND j.outcome IS NULL AND j.waits_for IS NOT NULL
    UNION
    SELECT j.waits_for FROM needed JOIN tandem.job j ON j.batch = p_batch AND j.id = needed.id WHERE j.waits_for IS NOT NULL
  )
  SELECT j.id, j.waits_for, i.input, coalesce(a.body, e.record)
  FROM needed JOIN tandem.job j ON j.batch = p_batch AND j.id = needed.id AND j.outcome = 'ok'
  JOIN tandem.input i ON i.batch = p_batch AND i.id = j.input
  LEFT JOIN tandem.attempt a ON a.batch = p_batch AND a.job = j.id AND a.number = j.attempts
  LEFT JOIN tandem.earlier e ON e.batch = p_batch AND e.job = j.id
  ORDER BY j.id
$$;

-- Ends a slice of which every job is over or in doubt. Returns the number of its jobs that are neither: then it stays open.
CREATE FUNCTION tandem.end_slice(p_batch integer, p_slice integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_left integer;
BEGIN
  PERFORM FROM tandem.slice WHERE batch = p_batch AND id = p_slice FOR UPDATE;
  WITH RECURSIVE held (id) AS (
    SELECT s.job FROM tandem.job j JOIN tandem.sending s ON s.batch = p_batch AND s.job = j.id
    WHERE j.batch = p_batch AND j.slice = p_slice AND s.doubt_since IS NOT NULL
    UNION SELECT j.id FROM held JOIN tandem.job j ON j.batch = p_batch AND j.waits_for = held.id
  )
  SELECT count(*) INTO v_left FROM tandem.job j JOIN tandem.target t ON t.batch = p_batch AND t.id = j.target
    WHERE j.batch = p_batch AND j.slice = p_slice AND j.outcome IS NULL AND t.stopped IS NULL AND j.id NOT IN (SELECT id FROM held);
  IF v_left = 0 THEN
    UPDATE tandem.slice SET state = 'done' WHERE batch = p_batch AND id = p_slice;
    PERFORM tandem.pulse(p_batch);
  END IF;
  RETURN v_left;
END $$;

-- Nothing of the above is for everybody.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tandem FROM PUBLIC;
