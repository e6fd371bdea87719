-- What there is to do, for workers.

-- The kinds of requests of the batches that run, by the queue that their slices are in.
CREATE FUNCTION tandem.open_work()
RETURNS TABLE (batch integer, version text, service integer, service_name text, deployment text, in_doubt integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT b.no, b.version, t.service, s.name, t.deployment,
    (SELECT count(*)::integer FROM tandem.sending d WHERE d.batch = b.no AND d.service = t.service AND d.doubt_since IS NOT NULL)
  FROM tandem.batch b JOIN tandem.target t ON t.batch = b.no JOIN tandem.service s ON s.id = t.service
  WHERE b.state = 'running'
  GROUP BY b.no, b.version, t.service, s.name, t.deployment ORDER BY b.no, t.service, t.deployment
$$;

CREATE FUNCTION tandem.suite_of(p_batch integer) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT suite FROM tandem.batch WHERE no = p_batch $$;

-- True once every worker leaves it to others: one that has not looked at it yet may serve it.
CREATE FUNCTION tandem.is_unserved(p_service integer, p_version text, p_deployment text, p_dead_after_ms bigint) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
  SELECT NOT EXISTS (SELECT FROM tandem.worker w WHERE NOT w.gone AND w.state <> 'draining' AND w.seen_at > tandem.now_ms() - p_dead_after_ms
    AND NOT w.leaves ? format('%s %s %s', p_service, p_version, p_deployment))
$$;

-- Stops what a worker is refused, in all batches that run, when nobody serves it. Returns whether it did.
CREATE FUNCTION tandem.stop_unserved(p_service integer, p_version text, p_deployment text, p_reason text, p_dead_after_ms bigint)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_batches integer[];
  v_batch integer;
BEGIN
  IF NOT tandem.is_unserved(p_service, p_version, p_deployment, p_dead_after_ms) THEN RETURN false; END IF;
  SELECT coalesce(array_agg(DISTINCT b.no ORDER BY b.no), '{}') INTO v_batches FROM tandem.batch b JOIN tandem.target t ON t.batch = b.no
    WHERE b.state = 'running' AND b.version = p_version AND t.service = p_service AND t.deployment = p_deployment AND t.stopped IS NULL;
  FOREACH v_batch IN ARRAY v_batches LOOP
    PERFORM pg_advisory_xact_lock(746320, v_batch);
  END LOOP;
  -- No `take` that has seen the targets go on is still on its way, and whoever takes has told before that it serves them.
  IF NOT tandem.is_unserved(p_service, p_version, p_deployment, p_dead_after_ms) THEN RETURN false; END IF;
  UPDATE tandem.target t SET stopped = p_reason FROM tandem.batch b
    WHERE b.no = t.batch AND b.no = ANY (v_batches) AND b.state = 'running' AND t.service = p_service AND t.deployment = p_deployment
      AND t.stopped IS NULL;
  PERFORM pg_notify('tandem_b' || stopped.no, '') FROM unnest(v_batches) AS stopped (no);
  RETURN true;
END $$;

-- A plan that a connection keeps may have been made when the tables were small: with such a one a call read whole batches, and took
-- four seconds until the next ANALYZE. So every call is planned anew, but for those that each job goes through, where planning was
-- half of the server's time: their joins compare the whole key with what was asked for, so that a kept plan can only look up by index.
DO $$ DECLARE f record; setting text; BEGIN
  FOR f IN SELECT oid::regprocedure AS name, proname IN ('take', 'settle', 'settle_and_take') AS is_kept FROM pg_proc
    WHERE pronamespace = 'tandem'::regnamespace AND prosecdef
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = %s', f.name, CASE WHEN f.is_kept THEN 'force_generic_plan' ELSE 'force_custom_plan' END);
    CONTINUE WHEN NOT f.is_kept;
    FOREACH setting IN ARRAY ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material'] LOOP
      EXECUTE format('ALTER FUNCTION %s SET %I = off', f.name, setting);
    END LOOP;
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tandem FROM PUBLIC;
