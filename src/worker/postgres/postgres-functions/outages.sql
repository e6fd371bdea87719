-- Half of the wait is jitter; it doubles from half a second to half a minute.
CREATE OR REPLACE FUNCTION tandem.look_wait(p_looks integer) RETURNS bigint LANGUAGE sql VOLATILE
  AS $$ SELECT ceil((0.5 + random() / 2) * least(30000, 500 * power(2, least(10, greatest(1, p_looks) - 1))))::bigint $$;

-- What answers of one batch tell of a service. `p_sound`: when the latest request was sent that the service answered itself; `p_jobs`, `p_sent`:
-- those that a gateway answered, and when they were sent; `p_asked`: to questions for their runs, which are no tries. The service is locked, and rows of jobs that others hold are not waited for.
CREATE OR REPLACE FUNCTION tandem.note_answers(p_batch integer, p_service integer, p_sound bigint, p_jobs bigint[], p_sent bigint[], p_status integer,
  p_landed bigint[], p_asked boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s tandem.service;
  v_now bigint;
  v_new integer;
  v_counted bigint[];
  v_concurrency integer;
  v_flying bigint;
  v_jobs bigint;
  v_left bigint;
  v_is_probe boolean;
BEGIN
  SELECT * INTO s FROM tandem.service WHERE id = p_service FOR UPDATE;
  v_now := tandem.now_ms();
  v_is_probe := s.away_since IS NOT NULL AND s.probe_batch = p_batch AND s.probe_job = ANY (p_landed);
  SELECT least(min(l.concurrency), s.learned_concurrency) INTO v_concurrency
    FROM tandem.batch_limit l JOIN tandem.batch b ON b.no = l.batch WHERE l.service = p_service AND b.state = 'running';

  IF p_sound IS NOT NULL THEN
    s.sound_sent := greatest(s.sound_sent, p_sound);
    s.latest := 0;
    -- A request that was sent before tells how the service was then: one that is being shut down still ends what it has begun.
    IF s.streak > 0 AND p_sound >= s.streak_since THEN
      IF s.away_since IS NOT NULL THEN
        WITH free AS MATERIALIZED (
          SELECT j.batch, j.id FROM tandem.fallen f JOIN tandem.job j ON j.batch = f.batch AND j.id = f.job
          WHERE f.service = p_service AND NOT f.asked AND j.outcome IS NULL AND j.given_back < 2 FOR UPDATE OF j SKIP LOCKED
        ) UPDATE tandem.job j SET failures = 0, given_back = j.given_back + 1 FROM free WHERE j.batch = free.batch AND j.id = free.id;
        INSERT INTO tandem.outage (service, since, until, status) VALUES (p_service, s.away_since, v_now, s.away_status) ON CONFLICT DO NOTHING;
        DELETE FROM tandem.outage WHERE service = p_service AND until < v_now - 31 * 86400000::bigint;
        UPDATE tandem.batch_limit SET waits_since = NULL WHERE service = p_service AND waits_since IS NOT NULL;
        -- It is begun with half, and grows as it answers.
        s.learned_concurrency := greatest(1, coalesce(v_concurrency, s.learned_concurrency) / 2);
        s.reason := 'the service is back';
        s.last_cut_at := v_now;
        s.back_at := v_now;
      END IF;
      DELETE FROM tandem.fallen WHERE service = p_service;
      s.streak := 0;
      s.streak_since := NULL;
      s.away_since := NULL;
      s.away_status := NULL;
      s.looks := 0;
      s.probe_batch := NULL;
      s.probe_job := NULL;
      s.probe_number := NULL;
      v_is_probe := false;
    END IF;
  END IF;

  -- What was sent before the service was back, or before what it answered itself since, tells nothing of it as it is now.
  SELECT array_agg(g.job), count(*) FILTER (WHERE g.sent > s.sound_sent) INTO v_counted, v_new
    FROM unnest(p_jobs, p_sent) AS g (job, sent) WHERE s.streak > 0 OR g.sent >= greatest(s.back_at, s.sound_sent);
  IF v_counted IS NOT NULL THEN
    s.streak_since := coalesce(s.streak_since, v_now);
    s.streak := s.streak + cardinality(v_counted);
    s.latest := s.latest + v_new;
    INSERT INTO tandem.fallen AS f (service, batch, job, asked) SELECT DISTINCT p_service, p_batch, job, p_asked FROM unnest(v_counted) AS fell (job)
      ON CONFLICT (service, batch, job) DO UPDATE SET asked = false WHERE f.asked AND NOT excluded.asked;
    IF s.away_since IS NOT NULL THEN
      s.away_status := p_status;
      -- A question looks for the service: the times in which one request at most would have done so are counted.
      IF p_asked THEN
        s.looked_at := v_now;
        IF v_now >= s.next_look_at THEN
          s.looks := s.looks + 1;
          s.next_look_at := v_now + tandem.look_wait(s.looks);
        END IF;
      END IF;
    ELSE
      SELECT count(*) INTO v_flying FROM tandem.sending WHERE service = p_service AND doubt_since IS NULL AND run_id IS NULL;
      SELECT count(*) INTO v_jobs FROM (SELECT FROM tandem.fallen WHERE service = p_service LIMIT 2) AS fell;
      SELECT coalesce(sum(c.jobs - c.done), 0) INTO v_left FROM tandem.slice c JOIN tandem.batch b ON b.no = c.batch
        WHERE c.service = p_service AND c.state = 'open' AND b.state = 'running';
      -- One row that is answered so may be at fault itself; where it is the only one left it is asked three times.
      IF (s.latest >= least(5, greatest(2, coalesce(v_concurrency, 1))) AND v_jobs > 1)
          OR (s.streak > 1 AND v_flying = 0 AND (v_jobs > 1 OR v_left > 1 OR s.streak > 2)) THEN
        UPDATE tandem.batch_limit l SET waits_since = v_now, waits_looks = 0, proven = l.proven OR EXISTS (
            SELECT FROM tandem.attempt a JOIN tandem.job j ON j.batch = a.batch AND j.id = a.job JOIN tandem.target t ON t.batch = j.batch AND t.id = j.target
            WHERE a.batch = l.batch AND a.kind = 'ok' AND t.service = p_service)
            OR EXISTS (SELECT FROM tandem.sending r WHERE r.service = p_service AND r.batch = l.batch AND r.run_id IS NOT NULL)
          FROM tandem.batch b WHERE l.service = p_service AND b.no = l.batch AND b.state = 'running';
        s.away_since := s.streak_since;
        s.away_status := p_status;
        -- Where it has never answered, these were looks already.
        s.looks := CASE WHEN (SELECT bool_or(l.proven) FROM tandem.batch_limit l JOIN tandem.batch b ON b.no = l.batch
          WHERE l.service = p_service AND b.state = 'running') THEN 0 ELSE s.streak END;
        s.looked_at := v_now;
        s.next_look_at := v_now + tandem.look_wait(s.looks);
      END IF;
    END IF;
  END IF;
  IF v_is_probe THEN
    -- A time-out, or a wait that was asked for, is no answer: it is looked again, and not counted.
    IF p_jobs IS NOT NULL AND s.probe_job = ANY (p_jobs) THEN s.looks := s.looks + 1; END IF;
    s.looked_at := v_now;
    s.next_look_at := v_now + tandem.look_wait(s.looks);
    s.probe_batch := NULL;
    s.probe_job := NULL;
    s.probe_number := NULL;
  END IF;
  UPDATE tandem.service SET streak = s.streak, latest = s.latest, streak_since = s.streak_since, sound_sent = s.sound_sent, away_since = s.away_since,
    away_status = s.away_status, looks = s.looks, looked_at = s.looked_at, next_look_at = s.next_look_at, probe_batch = s.probe_batch,
    probe_job = s.probe_job, probe_number = s.probe_number, back_at = s.back_at, learned_concurrency = s.learned_concurrency, reason = s.reason,
    last_cut_at = s.last_cut_at WHERE id = p_service;
END $$;

-- A batch waits for a service that is away: until when, by what its suite says or the service has proven (null: for some looks), and
-- whether that is over. Then nothing more is sent to its targets.
CREATE OR REPLACE FUNCTION tandem.waits_for(p_batch integer, s tandem.service, p_now bigint, OUT until bigint, OUT given_up boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_waits tandem.batch_limit;
BEGIN
  UPDATE tandem.batch_limit SET waits_since = coalesce(waits_since, p_now), waits_looks = CASE WHEN waits_since IS NULL THEN s.looks ELSE waits_looks END
    WHERE service = s.id AND batch = p_batch RETURNING * INTO v_waits;
  until := v_waits.waits_since + coalesce(v_waits.patience_ms, CASE WHEN v_waits.proven THEN 300000 END);
  given_up := coalesce(CASE WHEN until IS NULL THEN s.looks - v_waits.waits_looks >= 5 ELSE s.looked_at >= until END, false);
  IF NOT given_up THEN RETURN; END IF;
  UPDATE tandem.target SET stopped = format('a gateway answered %s in the place of the service for %s s', s.away_status,
      ceil((p_now - s.away_since) / 1000.0))
    WHERE batch = p_batch AND service = s.id AND stopped IS NULL;
  IF FOUND THEN PERFORM pg_notify('tandem_b' || p_batch, ''); END IF;
END $$;

-- The state of a service that is away, as workers are told it.
CREATE OR REPLACE FUNCTION tandem.outage_of(s tandem.service, p_given_up boolean, p_now bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('status', s.away_status, 'forMs', p_now - s.away_since, 'isGivenUp', p_given_up)
$$;

-- Runs of a service are asked for: it takes a minute at the longest until the next question.
CREATE OR REPLACE FUNCTION tandem.is_asked(s tandem.service, p_now bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT s.asked_at > p_now - 65000 AND EXISTS (SELECT FROM tandem.sending WHERE service = s.id AND run_id IS NOT NULL AND doubt_since IS NULL)
$$;
CREATE OR REPLACE FUNCTION tandem.are_asked(p_service integer) RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  UPDATE tandem.service SET asked_at = tandem.now_ms() WHERE id = p_service AND asked_at < tandem.now_ms() - 5000
$$;

-- Answers to questions for runs of a worker. `p_sound`: when the latest question was asked that the service answered itself; `p_jobs`,
-- `p_sent`: those of which a gateway answered the question, and when that was asked. Returns the state of the service.
CREATE OR REPLACE FUNCTION tandem.note_asked(p_worker uuid, p_batch integer, p_service integer, p_sound bigint, p_jobs bigint[], p_sent bigint[],
  p_status integer) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  s tandem.service;
  v_now bigint;
  v_jobs bigint[];
  v_sent bigint[];
  v_given_up boolean := false;
BEGIN
  SELECT v.* INTO s FROM (SELECT pg_advisory_xact_lock_shared(746320, p_batch)) AS held, tandem.service v
    WHERE v.id = p_service AND EXISTS (SELECT FROM tandem.batch_limit l JOIN tandem.worker w ON w.id = p_worker AND NOT w.gone
      WHERE l.batch = p_batch AND l.service = v.id);
  IF NOT FOUND THEN RETURN jsonb_build_object('isSuspect', false, 'away', NULL); END IF;
  v_now := tandem.now_ms();
  SELECT array_agg(r.job), array_agg(least(g.sent, v_now)) INTO v_jobs, v_sent FROM unnest(p_jobs, p_sent) AS g (job, sent)
    JOIN tandem.sending r ON r.batch = p_batch AND r.job = g.job
    WHERE r.service = p_service AND r.worker = p_worker AND r.run_id IS NOT NULL AND r.doubt_since IS NULL;
  PERFORM tandem.are_asked(p_service);
  IF v_jobs IS NOT NULL OR s.streak > 0 THEN
    -- `least` takes no notice of null.
    PERFORM tandem.note_answers(p_batch, p_service, CASE WHEN p_sound IS NOT NULL THEN least(p_sound, v_now) END, v_jobs, v_sent, least(greatest(p_status, 0), 999), NULL, true);
    SELECT * INTO s FROM tandem.service WHERE id = p_service;
    IF s.away_since IS NOT NULL AND (SELECT state FROM tandem.batch WHERE no = p_batch) = 'running' THEN
      SELECT w.given_up INTO v_given_up FROM tandem.waits_for(p_batch, s, tandem.now_ms()) AS w;
    END IF;
  END IF;
  RETURN jsonb_build_object('isSuspect', s.streak > 1,
    'away', CASE WHEN s.away_since IS NOT NULL THEN tandem.outage_of(s, v_given_up, tandem.now_ms()) END);
END $$;
