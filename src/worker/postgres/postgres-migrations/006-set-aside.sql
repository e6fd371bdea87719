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

