-- Puts what workers without a sign of life have in flight in doubt. Nobody makes another worker dead that gives signs: what that has in flight might be sent
-- again. Returns the number of requests.
CREATE OR REPLACE FUNCTION tandem.reap(p_dead_after_ms bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_now bigint := tandem.now_ms();
  v_found integer := 0;
BEGIN
  -- Whoever looks after them at the same time does not wait.
  WITH dead AS MATERIALIZED (
    SELECT id FROM tandem.worker WHERE NOT gone AND seen_at < v_now - greatest(p_dead_after_ms, 15000) ORDER BY id FOR UPDATE SKIP LOCKED
  ) UPDATE tandem.worker w SET gone = true FROM dead WHERE w.id = dead.id;
  WITH locked AS MATERIALIZED (
    SELECT s.batch, s.job FROM tandem.sending s JOIN tandem.worker w ON w.id = s.worker
    WHERE w.gone AND s.doubt_since IS NULL AND s.run_id IS NULL ORDER BY s.batch, s.job FOR UPDATE OF s SKIP LOCKED
  ), doubted AS (
    UPDATE tandem.sending s SET doubt_since = v_now FROM locked l
    WHERE s.batch = l.batch AND s.job = l.job RETURNING s.batch
  ) SELECT count(*) INTO v_found FROM doubted;
  RETURN v_found;
END $$;

-- Does what the policies of the batches say with what is in doubt, one batch at a time. Returns the number of jobs decided.
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
