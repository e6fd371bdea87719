-- Results that the database does not take: their requests are in doubt, and no policy decides them, for the next answer may be as bad.
ALTER TABLE tandem.sending ADD COLUMN held boolean NOT NULL DEFAULT false;

-- Puts one request of a worker in doubt until somebody decides. A run is not asked for again; a number that is taken is given up.
CREATE FUNCTION tandem.hold(p_worker uuid, p_batch integer, p_job bigint, p_number integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE tandem.sending s SET held = true, doubt_since = coalesce(s.doubt_since, tandem.now_ms()), run_id = NULL, run_url = NULL, run_created_at = NULL,
    number = greatest(s.number, (SELECT max(a.number) + 1 FROM tandem.attempt a WHERE a.batch = p_batch AND a.job = p_job))
  WHERE s.batch = p_batch AND s.job = p_job AND s.number = p_number AND s.worker = p_worker;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM tandem.pulse(p_batch);
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION tandem.apply_policies() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_batch record;
  v_decided integer := 0;
BEGIN
  FOR v_batch IN
    SELECT b.no, b.in_doubt, d.jobs FROM tandem.batch b CROSS JOIN LATERAL (
      SELECT array_agg(s.job) AS jobs FROM tandem.sending s WHERE s.batch = b.no AND s.doubt_since IS NOT NULL AND NOT s.held) AS d
    WHERE b.in_doubt <> 'hold' AND d.jobs IS NOT NULL ORDER BY b.no
  LOOP
    BEGIN
      v_decided := v_decided + cardinality(tandem.decide_doubts(v_batch.no, v_batch.jobs, v_batch.in_doubt));
    EXCEPTION
      -- Faults of another transaction: all of it is tried again.
      WHEN deadlock_detected OR serialization_failure OR lock_not_available THEN RAISE;
      -- One batch holds up no other, and no worker.
      WHEN OTHERS THEN
        UPDATE tandem.batch SET in_doubt = 'hold', reason = format('what is in doubt is held, as it cannot be decided: %s', SQLERRM)
          WHERE no = v_batch.no;
    END;
  END LOOP;
  RETURN v_decided;
END $$;
