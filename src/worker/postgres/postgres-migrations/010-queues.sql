-- Slices that wait, in the queues of the engine (pg-boss, schema tandem_engine, which `tandem workers setup` makes before this).
-- Nobody but the owner has rights there: the engine keeps SQL as text in one of its tables (bam) and names of tables in another
-- (queue), and runs both with the rights of whoever starts it. These functions do to its table of jobs what its own statements
-- do for a queue without policies, with the same states: the engine itself, started by the owner, sees and serves the same work.

-- Puts slices of a batch into the queue of their kind, which is made with the first; one that is there stays where it is.
CREATE FUNCTION tandem.put_slices(p_queue text, p_batch integer, p_slices integer[]) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_put integer;
BEGIN
  IF p_queue !~ '^slices-[0-9]+-[0-9a-f]{16}$' THEN RAISE EXCEPTION 'no queue of slices is called %', p_queue USING ERRCODE = 'invalid_parameter_value'; END IF;
  IF NOT EXISTS (SELECT FROM tandem_engine.queue WHERE name = p_queue) THEN
    -- A slice without a sign of its worker for 12 s goes to another: longer than a worker sends by itself. It never ends as failed, however
    -- many workers die with it.
    PERFORM tandem_engine.create_queue(p_queue,
      '{"policy": "standard", "heartbeatSeconds": 12, "retryLimit": 1000000, "expireInSeconds": 82800}'::jsonb);
  END IF;
  -- The id is made of the batch and the slice, as a UUID of version 8, so that a slice is there once.
  INSERT INTO tandem_engine.job (id, name, data, retry_limit, retry_delay, retry_backoff, expire_seconds, deletion_seconds, keep_until, policy,
      heartbeat_seconds)
    SELECT concat(left(made.hash, 12), '8', substr(made.hash, 14, 3), '8', substr(made.hash, 18, 15))::uuid, q.name,
      jsonb_build_object('batch', p_batch, 'slice', s.id), q.retry_limit, q.retry_delay, q.retry_backoff, q.expire_seconds, q.deletion_seconds,
      now() + q.retention_seconds * interval '1 second', q.policy, q.heartbeat_seconds
    FROM tandem_engine.queue q, tandem.batch b JOIN tandem.slice s ON s.batch = b.no,
      LATERAL (SELECT encode(sha256(convert_to(concat(b.id, ' ', s.id), 'UTF8')), 'hex') AS hash) AS made
    WHERE q.name = p_queue AND b.no = p_batch AND s.id = ANY (p_slices) AND s.state = 'open' AND starts_with(p_queue, format('slices-%s-', s.service))
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS v_put = ROW_COUNT;
  RETURN v_put;
END $$;

-- Gives the slices that wait the longest to a worker. `tries` tells this time from others: who has let one go by now has another number.
CREATE FUNCTION tandem.fetch_slices(p_queue text, p_most integer) RETURNS TABLE (id uuid, tries integer, data jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY WITH next AS MATERIALIZED (
    SELECT j.id FROM tandem_engine.job j
    WHERE j.name = p_queue AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now()
    ORDER BY j.priority DESC, j.created_on LIMIT p_most FOR UPDATE SKIP LOCKED
  ) UPDATE tandem_engine.job j SET state = 'active', started_on = now(), heartbeat_on = now(),
      retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
    FROM next WHERE j.name = p_queue AND j.id = next.id RETURNING j.id, j.retry_count, j.data;
END $$;

-- A sign of life for slices; returns those that are still the caller's.
CREATE FUNCTION tandem.touch_slices(p_queue text, p_ids uuid[], p_tries integer[]) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY UPDATE tandem_engine.job j SET heartbeat_on = now() FROM unnest(p_ids, p_tries) AS own (id, tries)
    WHERE j.name = p_queue AND j.id = own.id AND j.retry_count = own.tries AND j.state = 'active' RETURNING j.id;
END $$;

-- Ends a slice that is the caller's: nothing of it is kept, so that the engine's tables stay as small as what waits in them.
CREATE FUNCTION tandem.complete_slice(p_queue text, p_id uuid, p_tries integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM tandem_engine.job WHERE name = p_queue AND id = p_id AND retry_count = p_tries AND state = 'active';
  RETURN FOUND;
END $$;

-- Puts a slice that is the caller's back, for whoever comes next.
CREATE FUNCTION tandem.give_slice_back(p_queue text, p_id uuid, p_tries integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE tandem_engine.job SET state = 'retry', heartbeat_on = NULL, start_after = now()
    WHERE name = p_queue AND id = p_id AND retry_count = p_tries AND state = 'active';
  RETURN FOUND;
END $$;

-- Puts slices back of which no worker has given a sign for too long. Returns their number.
CREATE FUNCTION tandem.return_lost_slices() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_lost integer;
BEGIN
  -- By the queues' names, as the index of live work has them: however much waits, only what is worked at is looked at.
  WITH lost AS MATERIALIZED (
    SELECT j.name, j.id FROM tandem_engine.queue q JOIN tandem_engine.job j ON j.name = q.name
    WHERE j.state = 'active' AND j.heartbeat_on + j.heartbeat_seconds * interval '1 second' < now() FOR UPDATE OF j SKIP LOCKED
  ) UPDATE tandem_engine.job j SET state = 'retry', heartbeat_on = NULL, start_after = now()
    FROM lost WHERE j.name = lost.name AND j.id = lost.id;
  GET DIAGNOSTICS v_lost = ROW_COUNT;
  RETURN v_lost;
END $$;

