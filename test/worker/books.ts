import { randomUUID } from "node:crypto";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import type { SettledAttempt } from "../../src/worker/postgres/settle.ts";
import {
  addInputs,
  addJobs,
  addService,
  addChunks,
  addTargets,
  enterBatch,
  type NewBatch,
  type NewJob,
  setRemoteState,
} from "../../src/worker/postgres/submit.ts";
import { enterWorker } from "../../src/worker/postgres/workers.ts";
import type { Rate } from "../../src/suite/suite.ts";

export const newBatch = (more: Partial<NewBatch> = {}): NewBatch => ({
  id: randomUUID(),
  namespace: "default",
  name: `batch-${randomUUID()}`,
  suiteName: "suite",
  version: "0.0.0",
  suite: "{}",
  seed: 1,
  onAmbiguous: "retry",
  inDoubt: "hold",
  conversations: false,
  budget: { requests: null, failures: null, cost: null, durationMs: null },
  submitter: "here",
  ...more,
});

export interface BookOptions extends Partial<NewBatch> {
  jobs?: number;
  concurrency?: number;
  rate?: Rate | null;
  /** Name of the service. */
  service?: string;
  /** Turns of each conversation; 1: cases of their own. */
  turns?: number;
  /** Fields of every job. */
  job?: Partial<NewJob>;
}

/** A running batch with one target and one chunk. Jobs have the ids 1, 2, ... */
export async function runningBatch(
  db: Postgres,
  {
    jobs = 10,
    concurrency = 4,
    rate = null,
    service: name = randomUUID(),
    turns = 1,
    job = {},
    ...more
  }: BookOptions = {},
): Promise<{ batch: number; service: number; name: string }> {
  const made = newBatch({ conversations: turns > 1, ...more });
  const { no: batch } = await enterBatch(db, made);
  const service = await addService(db, batch, { name, concurrency, rate });
  await addTargets(db, batch, [{ id: 1, name: "target", deployment: "prod", endpoint: "chat", service, data: "{}" }]);
  await addChunks(db, batch, [{ id: 1, deployment: "prod", service, jobs }]);
  const ids = Array.from({ length: jobs }, (_none, index) => index + 1);
  await addInputs(
    db,
    batch,
    ids.map((id) => ({ id, input: JSON.stringify({ question: id }) })),
  );
  const plain = { slice: 1, target: 1, repeat: 1, attempts: 0, failures: 0, outcome: null, record: null, ...job };
  await addJobs(
    db,
    batch,
    ids.map((id) => {
      const turn = ((id - 1) % turns) + 1;
      return { ...plain, id, caseId: id, input: id, turn, waitsFor: turn === 1 ? null : id - 1 };
    }),
  );
  await setRemoteState(db, batch, "running");
  return { batch, service, name: made.name };
}

/** A worker that is there. */
export async function newWorker(db: Postgres, name = "worker"): Promise<string> {
  const id = randomUUID();
  await enterWorker(db, { id, name, host: "host", version: "0.0.0", deployments: ["prod"], addresses: [] });
  return id;
}

/** A result that decides its job. */
export const answer = (batch: number, job: number, more: Partial<SettledAttempt> = {}): SettledAttempt => ({
  batch,
  job,
  number: 1,
  kind: "ok",
  final: true,
  failure: false,
  spent: true,
  cost: null,
  costUnknown: false,
  entry: JSON.stringify({ jobId: job, number: 1 }),
  body: Buffer.from(`{"job":${job}}`),
  ...more,
});
