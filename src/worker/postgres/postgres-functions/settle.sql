-- `p_marks`: 1 final, 2 failed, 4 spent, 8 cost unknown, 16 counts as a try, 32 the sender tells whether it does, 64 the service itself
-- answered, 128 the sender tells who answered, and from 1024 on the status with which a gateway did.
CREATE OR REPLACE FUNCTION tandem.settle(p_worker uuid, p_batch integer, p_jobs bigint[], p_numbers integer[], p_kinds text[], p_marks integer[],
  p_costs double precision[], p_starts integer[], p_entries integer[], p_bodies integer[], p_bytes bytea) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $$
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

-- Enters results and marks further attempts of their batch in one commit: who waits gets the places that become free at once.
-- Where a budget is kept the service comes before what has been spent, as in `take`; else it is locked last, for as short as can be:
-- whoever holds it waits for no row of a result.
CREATE OR REPLACE FUNCTION tandem.settle_and_take(p_worker uuid, p_batch integer, p_jobs bigint[], p_numbers integer[], p_kinds text[],
  p_marks integer[], p_costs double precision[], p_starts integer[], p_entries integer[], p_bodies integer[], p_bytes bytea,
  p_token text, p_service integer, p_next_jobs bigint[], p_next_numbers integer[], p_until bigint DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $$
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
  -- From now on it is asked for.
  PERFORM tandem.are_asked(v_service);
  RETURN true;
END $$;
