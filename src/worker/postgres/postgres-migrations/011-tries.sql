-- `settle` is told whether an attempt counts against the retries of its job, and knows no outcome by its name. `p_marks`: 1 final,
-- 2 failed, 4 spent, 8 cost unknown, 16 counts as a try, 32 the sender tells whether it does: workers that were started before this
-- do not, and of them the kind still says it.
CREATE OR REPLACE FUNCTION tandem.settle(p_worker uuid, p_batch integer, p_jobs bigint[], p_numbers integer[], p_kinds text[], p_marks integer[],
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

-- A function that is replaced has lost its settings: as in 004, it keeps a plan that can only look up by index.
DO $$ DECLARE f record; setting text; BEGIN
  FOR f IN SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND proname = 'settle' LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', f.name);
    FOREACH setting IN ARRAY ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material'] LOOP
      EXECUTE format('ALTER FUNCTION %s SET %I = off', f.name, setting);
    END LOOP;
  END LOOP;
END $$;
