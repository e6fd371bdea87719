-- Gives a slice to a worker: runs that a dead one had submitted, or that another asks for no more, become its own, and turns that cannot be reached are skipped. Null: there is no such slice, or it is done.
CREATE OR REPLACE FUNCTION tandem.open_slice(p_batch integer, p_slice integer, p_worker uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_batch tandem.batch;
  v_slice tandem.slice;
  v_next bigint;
  v_out record;
BEGIN
  SELECT * INTO v_batch FROM tandem.batch WHERE no = p_batch;
  UPDATE tandem.slice SET worker = p_worker WHERE batch = p_batch AND id = p_slice AND state = 'open' RETURNING * INTO v_slice;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE tandem.sending s SET worker = p_worker
    FROM tandem.job j
    WHERE j.batch = p_batch AND j.slice = p_slice AND s.batch = p_batch AND s.job = j.id AND s.run_id IS NOT NULL AND s.worker <> p_worker
      AND NOT EXISTS (SELECT FROM tandem.worker w WHERE w.id = s.worker AND NOT w.gone);
  IF v_batch.conversations THEN FOR v_next IN
    SELECT j.id FROM tandem.job j JOIN tandem.job e ON e.batch = p_batch AND e.id = j.waits_for
    WHERE j.batch = p_batch AND j.slice = p_slice AND j.outcome IS NULL AND e.outcome NOT IN ('ok', 'skipped') ORDER BY j.id
  LOOP
    PERFORM tandem.skip_jobs(p_batch, v_next, 'an earlier turn had no answer');
  END LOOP; END IF;
  SELECT coalesce(jsonb_agg(job ORDER BY job) FILTER (WHERE doubt_since IS NOT NULL), '[]') AS held,
    coalesce(jsonb_agg(job ORDER BY job) FILTER (WHERE doubt_since IS NULL AND (run_id IS NULL OR worker <> p_worker)), '[]') AS busy,
    coalesce(jsonb_agg(jsonb_build_object('jobId', job, 'number', number, 'queuedAt', queued_at, 'sentAt', sent_at,
      'run', jsonb_build_object('id', run_id, 'url', run_url, 'createdAt', run_created_at)) ORDER BY job)
      FILTER (WHERE run_id IS NOT NULL AND worker = p_worker), '[]') AS taken
    INTO v_out FROM (
      SELECT s.* FROM tandem.job j JOIN tandem.sending s ON s.batch = p_batch AND s.job = j.id
      WHERE j.batch = p_batch AND j.slice = p_slice) AS unfinished;
  RETURN jsonb_build_object(
    'batch', jsonb_build_object('no', v_batch.no, 'id', v_batch.id, 'namespace', v_batch.namespace, 'name', v_batch.name, 'version', v_batch.version,
      'suite', v_batch.suite, 'seed', v_batch.seed, 'onAmbiguous', v_batch.on_ambiguous, 'conversations', v_batch.conversations,
      'state', v_batch.state, 'reason', v_batch.reason),
    'deployment', v_slice.deployment,
    'service', (SELECT jsonb_build_object('id', id, 'name', name) FROM tandem.service WHERE id = v_slice.service),
    'targets', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'deployment', t.deployment, 'endpoint', t.endpoint,
        'data', t.data, 'stopped', t.stopped) ORDER BY t.id), '[]')
      FROM tandem.target t WHERE t.batch = p_batch
        AND t.id IN (SELECT DISTINCT j.target FROM tandem.job j WHERE j.batch = p_batch AND j.slice = p_slice)),
    'held', v_out.held, 'busy', v_out.busy, 'taken', v_out.taken);
END $$;

-- A worker asks for the runs of a slice no more: they are nobody's, until a worker opens it.
CREATE OR REPLACE FUNCTION tandem.leave_runs(p_worker uuid, p_batch integer, p_slice integer) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE tandem.sending s SET worker = '00000000-0000-0000-0000-000000000000' FROM tandem.job j
  WHERE j.batch = p_batch AND j.slice = p_slice AND s.batch = p_batch AND s.job = j.id AND s.worker = p_worker
    AND s.run_id IS NOT NULL AND s.doubt_since IS NULL
$$;
