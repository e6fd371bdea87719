import type { Rate } from "../../suite/suite.ts";
import type { Postgres } from "./connection.ts";
import type { RemoteState } from "./submit.ts";
import { storable } from "./text.ts";
import type { WorkerState } from "./workers.ts";

export interface RemoteService {
  id: number;
  name: string;
  /** Requests of this batch in flight. */
  inFlight: number;
  /** Requests of all batches in flight. */
  inFlightOfAll: number;
  /** Runs of this batch that the service has taken. */
  atService: number;
  inDoubt: number;
  /** Unfinished jobs of this batch that are neither in flight nor in doubt. */
  ready: number;
  pausedMs: number;
  concurrency: number | null;
  rate: Rate | null;
  /** Why the limits were last moved. */
  reason: string | null;
  /** Gateways answer in its place: since when, and how long this batch waits for it at the most; null: they do not. */
  away: { status: number; since: number; forMs: number; nextMs: number; leftMs: number | null } | null;
  /** The times in which it was away while this batch was there, by the database's clock. */
  outages: { status: number; since: number; until: number }[];
}

export interface RemoteProgress {
  state: RemoteState;
  reason: string | null;
  /** Jobs of its chunks, and those that are over. */
  jobs: number;
  done: number;
  /** Chunks that no worker has finished. */
  openSlices: number;
  /** Attempts that are not pulled yet. */
  unpulled: boolean;
  services: RemoteService[];
  /** Targets to which nothing more is sent. */
  stopped: { target: number; reason: string }[];
  spent: { requests: number; failures: number; cost: number };
  /** Requests in doubt that the policy of the batch decides by itself, and has not yet. */
  undecided: number;
  dbNow: number;
}

const servicesOf = `
  SELECT s.id, s.name, greatest(0, s.paused_until - tandem.now_ms()) AS "pausedMs", least(l.concurrency, s.learned_concurrency) AS concurrency,
    CASE WHEN s.learned_rate_count IS NOT NULL THEN jsonb_build_object('count', s.learned_rate_count, 'windowMs', s.learned_rate_window_ms)
      WHEN l.rate_count IS NOT NULL THEN jsonb_build_object('count', l.rate_count, 'windowMs', l.rate_window_ms) END AS rate, s.reason,
    CASE WHEN s.away_since IS NOT NULL THEN jsonb_build_object('status', s.away_status, 'since', s.away_since,
      'forMs', tandem.now_ms() - s.away_since,
      'nextMs', greatest(0, s.next_look_at - tandem.now_ms()),
      'leftMs', CASE WHEN l.waits_since + coalesce(l.patience_ms, CASE WHEN l.proven THEN 300000 END) IS NOT NULL
        THEN greatest(0, l.waits_since + coalesce(l.patience_ms, CASE WHEN l.proven THEN 300000 END) - tandem.now_ms()) END) END AS away,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('status', u.status, 'since', u.since, 'until', u.until) ORDER BY u.since), '[]')
      FROM tandem.outage u WHERE u.service = s.id AND u.until >= (SELECT created_at FROM tandem.batch WHERE no = $1)) AS outages,
    o.flying AS "inFlight", o.all_flying AS "inFlightOfAll", o.runs AS "atService", o.doubts AS "inDoubt",
    greatest(0, (SELECT coalesce(sum(jobs - done), 0) FROM tandem.slice WHERE batch = $1 AND service = s.id AND state = 'open')
      - o.flying - o.runs - o.doubts)::integer AS ready
  FROM tandem.batch_limit l JOIN tandem.service s ON s.id = l.service,
  LATERAL (
    SELECT count(*) FILTER (WHERE batch = $1 AND doubt_since IS NULL AND run_id IS NULL)::integer AS flying,
      count(*) FILTER (WHERE doubt_since IS NULL AND run_id IS NULL)::integer AS all_flying,
      count(*) FILTER (WHERE batch = $1 AND doubt_since IS NULL AND run_id IS NOT NULL)::integer AS runs,
      count(*) FILTER (WHERE batch = $1 AND doubt_since IS NOT NULL)::integer AS doubts
    FROM tandem.sending WHERE service = s.id) AS o
  WHERE l.batch = $1 ORDER BY s.name`;

/** Progress of a batch; null: there is no such batch. It also tells the workers' side that the submitter is there. */
export async function remoteProgress(db: Postgres, batch: number): Promise<RemoteProgress | null> {
  const [head] = await db.query<Omit<RemoteProgress, "services">>(
    `SELECT b.state, b.reason, tandem.now_ms() AS "dbNow",
       (SELECT coalesce(sum(jobs), 0)::integer FROM tandem.slice WHERE batch = $1) AS jobs,
       (SELECT coalesce(sum(done), 0)::integer FROM tandem.slice WHERE batch = $1) AS done,
       (SELECT count(*)::integer FROM tandem.slice WHERE batch = $1 AND state = 'open') AS "openSlices",
       EXISTS (SELECT FROM tandem.unpulled WHERE batch = $1) AS unpulled,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('target', id, 'reason', stopped) ORDER BY id), '[]') FROM tandem.target
         WHERE batch = $1 AND stopped IS NOT NULL) AS stopped,
       (SELECT count(*)::integer FROM tandem.sending
         WHERE batch = $1 AND doubt_since IS NOT NULL AND NOT held AND b.in_doubt <> 'hold') AS undecided,
       jsonb_build_object('requests', s.requests, 'failures', s.failures, 'cost', s.cost) AS spent
     FROM tandem.batch b JOIN tandem.spending s ON s.batch = b.no WHERE b.no = $1`,
    [batch],
  );
  if (head === undefined) return null;
  return { ...head, services: await db.query<RemoteService>(servicesOf, [batch]) };
}

/** The submitter gives a sign of life. Returns who submits the batch by now where that is another; null: it is this one. */
export async function submitterSeen(db: Postgres, batch: number, submitter: string): Promise<string | null> {
  const [row] = await db.query<{ submitter: string }>(
    `WITH seen AS (
       UPDATE tandem.batch SET submitter_seen_at = tandem.now_ms() WHERE no = $1 AND submitter = $2)
     SELECT submitter FROM tandem.batch WHERE no = $1 AND submitter <> $2`,
    [batch, storable(submitter)],
  );
  return row?.submitter ?? null;
}

export interface WorkerNow {
  id: string;
  name: string;
  host: string;
  version: string;
  deployments: string[];
  /** Addresses that it may send to. */
  addresses: string[];
  state: WorkerState | "gone";
  told: string[];
  /** Milliseconds since its last sign of life. */
  silentMs: number;
  inFlight: number;
  inDoubt: number;
}

/** A worker with what it has told of the open work. */
export interface ServingWorker extends WorkerNow {
  /** Kinds of requests that it serves. */
  serves: string[];
  /** Kinds that it leaves to others, with the reasons. */
  leaves: Record<string, string>;
}

const allWorkers = (more = ""): string =>
  `SELECT w.id, w.name, w.host, w.version, w.deployments, w.addresses, CASE WHEN w.gone THEN 'gone' ELSE w.state END AS state, w.told${more},
       tandem.now_ms() - w.seen_at AS "silentMs", o.flying AS "inFlight", o.doubts AS "inDoubt"
     FROM tandem.worker w, LATERAL (
       SELECT count(*) FILTER (WHERE doubt_since IS NULL)::integer AS flying, count(doubt_since)::integer AS doubts
       FROM tandem.sending WHERE worker = w.id) AS o
     WHERE w.seen_at > tandem.now_ms() - 86400000 OR o.doubts > 0 ORDER BY w.name, w.entered_at`;

/** Workers that are there, or were there within the last day or still have something in doubt. */
export async function workersNow(db: Postgres): Promise<WorkerNow[]> {
  return db.query(allWorkers());
}

/** The same with what they serve. */
export async function workersServing(db: Postgres): Promise<ServingWorker[]> {
  return db.query(allWorkers(", w.serves, w.leaves"));
}

/** Asks a worker for a state, which it takes with its next sign of life. False: there is no such worker. */
export async function setWorkerState(db: Postgres, workerId: string, state: WorkerState): Promise<boolean> {
  const rows = await db.query("UPDATE tandem.worker SET state = $2 WHERE id = $1 RETURNING id", [workerId, state]);
  return rows.length > 0;
}

export interface RemoteBatch {
  no: number;
  id: string;
  namespace: string;
  name: string;
  suiteName: string;
  version: string;
  state: RemoteState;
  reason: string | null;
  submitter: string;
  /** Milliseconds since the submitter's last sign of life; null: it has gone by itself. */
  submitterSilentMs: number | null;
  createdAt: number;
  jobs: number;
  done: number;
  inDoubt: number;
}

/** Batches of a namespace (null: of all), the newest first; with a name: that one. */
export async function remoteBatches(
  db: Postgres,
  { namespace, name }: { namespace: string | null; name?: string },
): Promise<RemoteBatch[]> {
  return db.query(
    `SELECT no, id, namespace, name, suite_name AS "suiteName", version, state, reason, submitter,
       tandem.now_ms() - nullif(submitter_seen_at, 0) AS "submitterSilentMs", created_at AS "createdAt",
       (SELECT coalesce(sum(jobs), 0)::integer FROM tandem.slice WHERE batch = no) AS jobs,
       (SELECT coalesce(sum(done), 0)::integer FROM tandem.slice WHERE batch = no) AS done,
       (SELECT count(*)::integer FROM tandem.sending WHERE batch = no AND doubt_since IS NOT NULL) AS "inDoubt"
     FROM tandem.batch WHERE namespace = coalesce($1, namespace) AND name = coalesce($2, name) ORDER BY created_at DESC, no DESC`,
    [namespace, name ?? null],
  );
}
