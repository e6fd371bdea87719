-- A batch of which the database refuses something stops with the reason, and every other goes on.

-- Stops a batch; true: it was going on. No `take` that has seen it run is still on its way when this is done.
CREATE FUNCTION tandem.fail_batch(p_batch integer, p_reason text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(746320, p_batch);
  IF NOT EXISTS (SELECT FROM tandem.batch WHERE no = p_batch AND state IN ('uploading', 'running')) THEN RETURN false; END IF;
  PERFORM tandem.end_batch(p_batch, 'stopping', p_reason);
  RETURN true;
END $$;

-- Puts what a worker could neither enter nor give back of a batch in doubt. Returns the number of those requests.
CREATE FUNCTION tandem.leave_batch(p_worker uuid, p_batch integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_found integer;
BEGIN
  WITH locked AS MATERIALIZED (
    SELECT job FROM tandem.sending WHERE batch = p_batch AND worker = p_worker AND doubt_since IS NULL AND run_id IS NULL
    ORDER BY job FOR UPDATE
  ), doubted AS (
    UPDATE tandem.sending s SET doubt_since = tandem.now_ms() FROM locked l WHERE s.batch = p_batch AND s.job = l.job RETURNING s.job
  ) SELECT count(*) INTO v_found FROM doubted;
  IF v_found > 0 THEN PERFORM tandem.pulse(p_batch); END IF;
  RETURN v_found;
END $$;

-- Functions that were made or replaced since 003 are planned as their siblings are: anew for each call.
DO $$ DECLARE f record; BEGIN
  FOR f IN SELECT oid::regprocedure AS name FROM pg_proc
    WHERE pronamespace = 'tandem'::regnamespace AND prosecdef
      AND NOT EXISTS (SELECT FROM unnest(proconfig) AS setting WHERE setting LIKE 'plan_cache_mode=%')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_custom_plan', f.name);
  END LOOP;
END $$;
