import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { version } from "../../src/lib/version.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { putChunks, chunkQueue } from "../../src/worker/postgres/queues.ts";
import {
  addInputs,
  addJobs,
  addService,
  addChunks,
  addTargets,
  enterBatch,
  type NewJob,
  setRemoteState,
} from "../../src/worker/postgres/submit.ts";
import { remoteProgress, type RemoteProgress } from "../../src/worker/postgres/watch.ts";
import { storableSuite } from "../../src/store/stored-suite.ts";
import type { Deployment, Suite } from "../../src/suite/suite.ts";
import { suite } from "../store/batch.ts";
import { openTest } from "../postgres.ts";
import { newBatch } from "./books.ts";

export interface SubmittedOptions {
  jobs: number;
  /** Jobs of a chunk. */
  slice?: number;
  deployment?: Partial<Deployment>;
  inDoubt?: "hold" | "resend" | "fail";
  version?: string;
  /** Turns of each conversation. */
  turns?: number;
  mode?: "async";
}

export interface Submitted {
  no: number;
  db: Postgres;
  progress: () => Promise<RemoteProgress>;
  /** Resolves when every job is over, or in doubt. */
  finished: (withinMs?: number) => Promise<RemoteProgress>;
  /** Attempts by kind, jobs that are over and in doubt. */
  books: () => Promise<{ attempts: Record<string, number>; over: number; doubts: number; strays: number }>;
}

/** A batch as a submitter would leave it: prompts `p1`, `p2`, ... to a service, in chunks that workers fetch. */
export async function submit(url: string, baseUrl: string, options: SubmittedOptions): Promise<Submitted> {
  const { jobs, slice: chunk = 100, turns = 1, inDoubt = "hold" } = options;
  const db = await openTest(url, 2);
  const [plain] = suite.deployments;
  if (plain === undefined) throw new Error("the suite has no deployment");
  const deployment: Deployment = { ...plain, baseUrl, keyNames: [], timeoutMs: 60_000, ...options.deployment };
  const own: Suite = { ...suite, deployments: [deployment] };
  const batch = newBatch({
    suite: storableSuite(own),
    version: options.version ?? version,
    inDoubt,
    conversations: turns > 1,
    name: `batch-${randomUUID().slice(0, 8)}`,
  });
  const { no } = await enterBatch(db, batch);
  const name = `${baseUrl} video-bots`;
  const service = await addService(db, no, { name, concurrency: deployment.concurrency, rate: deployment.rate });
  const data = JSON.stringify({
    endpoint: "video-bots",
    exampleId: "a",
    body: "{}",
    ...(options.mode !== undefined && { mode: options.mode }),
  });
  await addTargets(db, no, [
    { id: 1, name: "prod", deployment: deployment.name, endpoint: "video-bots", service, data },
  ]);
  const ids = Array.from({ length: jobs }, (_none, index) => index + 1);
  const chunks = Math.ceil(jobs / chunk);
  await addChunks(
    db,
    no,
    Array.from({ length: chunks }, (_none, index) => ({
      id: index + 1,
      deployment: deployment.name,
      service,
      jobs: Math.min(chunk, jobs - index * chunk),
    })),
  );
  await addInputs(
    db,
    no,
    ids.map((id) => ({ id, input: JSON.stringify({ input_prompt: `p${id}` }) })),
  );
  const all: NewJob[] = ids.map((id) => {
    const turn = ((id - 1) % turns) + 1;
    return {
      id,
      slice: Math.ceil(id / chunk),
      target: 1,
      caseId: id,
      input: id,
      repeat: 1,
      turn,
      waitsFor: turn === 1 ? null : id - 1,
      attempts: 0,
      failures: 0,
      outcome: null,
      record: null,
    };
  });
  for (let at = 0; at < all.length; at += 2_000) await addJobs(db, no, all.slice(at, at + 2_000));
  await setRemoteState(db, no, "running");
  const queue = chunkQueue({ service, deployment: deployment.name, version: batch.version });
  await putChunks(
    db,
    queue,
    no,
    Array.from({ length: chunks }, (_none, index) => index + 1),
  );
  const progress = async (): Promise<RemoteProgress> => {
    const found = await remoteProgress(db, no);
    if (found === null) throw new Error("the batch has gone");
    return found;
  };
  return { no, db, progress, finished: finishedBy(progress), books: () => booksOf(db, no) };
}

const finishedBy =
  (progress: () => Promise<RemoteProgress>) =>
  async (withinMs = 60_000): Promise<RemoteProgress> => {
    let last: RemoteProgress | null = null;
    await expect
      .poll(
        async () => {
          last = await progress();
          return last.openSlices;
        },
        { interval: 50, timeout: withinMs },
      )
      .toBe(0);
    if (last === null) throw new Error("nobody looked");
    return last;
  };

async function booksOf(db: Postgres, no: number) {
  const kinds = await db.query<{ kind: string; count: number }>(
    "SELECT kind, count(*)::integer AS count FROM tandem.attempt WHERE batch = $1 GROUP BY kind",
    [no],
  );
  const [row] = await db.query<{ over: number; doubts: number; strays: number }>(
    `SELECT (SELECT count(*)::integer FROM tandem.job WHERE batch = $1 AND outcome IS NOT NULL) AS over,
       (SELECT count(*)::integer FROM tandem.sending WHERE batch = $1) AS doubts,
       (SELECT count(*)::integer FROM tandem.stray WHERE batch = $1) AS strays`,
    [no],
  );
  const attempts = Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));
  return { attempts, over: row?.over ?? 0, doubts: row?.doubts ?? 0, strays: row?.strays ?? 0 };
}

/** Stops a worker, which runs as a process of this name, at a moment when it has requests in flight. */
export async function stopWhileSending(child: ChildProcess, name: string, { db, no }: Submitted): Promise<void> {
  const inFlight = async (): Promise<number> => {
    child.kill("SIGSTOP");
    // What it told the database before is entered by then.
    await delay(300);
    const rows = await db.query(
      "SELECT FROM tandem.sending JOIN tandem.worker ON worker.id = sending.worker WHERE batch = $1 AND worker.name = $2",
      [no, name],
    );
    if (rows.length === 0) child.kill("SIGCONT");
    return rows.length;
  };
  await expect.poll(inFlight, { interval: 20, timeout: 30_000 }).toBeGreaterThan(0);
}

/** Checks that are true at the end of every test: what the server has got is what the books say, and nothing was sent twice. */
export function sentOnce(prompts: readonly string[]): void {
  const times = new Map<string, number>();
  for (const prompt of prompts) times.set(prompt, (times.get(prompt) ?? 0) + 1);
  expect([...times].filter(([, count]) => count > 1)).toEqual([]);
}
