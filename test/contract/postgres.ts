import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Journal } from "../../src/runner/journal.ts";
import type { RunTarget } from "../../src/runner/run-target.ts";
import { DatabaseLink } from "../../src/worker/journal/database-link.ts";
import { DatabaseClock, Lease, thisMoment } from "../../src/worker/journal/lease.ts";
import { SettleDesk } from "../../src/worker/journal/settle-desk.ts";
import { createChunkJournal } from "../../src/worker/journal/chunk-journal.ts";
import { Spool } from "../../src/worker/journal/spool.ts";
import { TakeDesk } from "../../src/worker/journal/take-desk.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { isAway, isOfData } from "../../src/worker/postgres/failure.ts";
import { holdAttempt, markTaken, settle, skipRemoteJobs, stopTarget } from "../../src/worker/postgres/settle.ts";
import { loadChunk } from "../../src/worker/postgres/chunk.ts";
import {
  addInputs,
  addJobs,
  addService,
  addChunks,
  addTargets,
  enterBatch,
  setRemoteState,
} from "../../src/worker/postgres/submit.ts";
import { giveBack, take } from "../../src/worker/postgres/take.ts";
import { beat, leaveWorker, reap } from "../../src/worker/postgres/workers.ts";
import { newBatch, newWorker } from "../worker/books.ts";
import type { ContractPlan, ContractStore } from "./journal.ts";

/** A plan in PostgreSQL, as a worker has it: one chunk, driven by one worker after the other. */
export async function postgresStore(db: Postgres, plan: ContractPlan): Promise<ContractStore> {
  const made = await uploaded(db, plan);
  let worker = await newWorker(db);
  return {
    journal: await workerJournal(db, made, worker),
    targets: [1, 2],
    async successor() {
      await leaveWorker(db, worker);
      await reap(db, { deadAfterMs: 60_000 });
      worker = await newWorker(db);
      return workerJournal(db, made, worker);
    },
    attempts: () =>
      db.query("SELECT job, number, kind, body FROM tandem.attempt WHERE batch = $1 ORDER BY job, number", [
        made.batch,
      ]),
    async outcomes() {
      const rows = await db.query<{ id: number; outcome: string }>(
        "SELECT id, outcome FROM tandem.job WHERE batch = $1 AND outcome IS NOT NULL ORDER BY id",
        [made.batch],
      );
      return new Map(rows.map(({ id, outcome }) => [id, outcome]));
    },
    async stopped(target) {
      const [row] = await db.query<{ stopped: string | null }>(
        "SELECT stopped FROM tandem.target WHERE batch = $1 AND id = $2",
        [made.batch, target],
      );
      return row?.stopped ?? null;
    },
  };
}

/** Jobs of both targets, a conversation's one behind the other. */
async function uploaded(db: Postgres, { conversations, turns, inDoubt = "hold" }: ContractPlan) {
  const { no: batch } = await enterBatch(db, newBatch({ conversations: turns > 1, inDoubt }));
  const service = await addService(db, batch, { name: `service of ${batch}`, concurrency: 1_000, rate: null });
  const plain = { deployment: "prod", endpoint: "video-bots", service, data: "{}" };
  await addTargets(
    db,
    batch,
    [1, 2].map((id) => ({ ...plain, id, name: `target ${id}` })),
  );
  const cases = Array.from({ length: conversations * turns }, (_none, index) => index + 1);
  await addInputs(
    db,
    batch,
    cases.map((id) => ({ id, input: JSON.stringify({ input_prompt: `prompt of ${id}` }) })),
  );
  const jobs = cases.flatMap((caseId) => {
    const turn = ((caseId - 1) % turns) + 1;
    return [1, 2].map((target) => {
      const id = (caseId - 1) * 2 + target;
      return { id, target, caseId, input: caseId, turn, waitsFor: turn === 1 ? null : id - 2 };
    });
  });
  await addChunks(db, batch, [{ id: 1, deployment: "prod", service, jobs: jobs.length }]);
  const untried = { slice: 1, repeat: 1, attempts: 0, failures: 0, outcome: null, record: null };
  await addJobs(
    db,
    batch,
    jobs.map((job) => ({ ...job, ...untried })),
  );
  await setRemoteState(db, batch, "running");
  return { batch, service };
}

/** The journal of a worker, put together as a worker does it. */
async function workerJournal(
  db: Postgres,
  { batch, service }: { batch: number; service: number },
  worker: string,
): Promise<Journal> {
  const chunk = await loadChunk(db, { batch, slice: 1, worker });
  if (chunk === null) throw new Error("the slice is done");
  const began = thisMoment();
  const [lease, clock, sign] = [new Lease(), new DatabaseClock(), await beat(db, worker)];
  lease.renewed(began);
  clock.told(sign?.dbNow ?? 0, began);
  const link = new DatabaseLink({ passes: isAway, onAway: () => undefined, onBack: () => undefined });
  const onFailure = (error: unknown): void => expect.fail(String(error));
  const folder = mkdtempSync(join(tmpdir(), "tandem-spool-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const targets = chunk.targets.map(({ id, name }): RunTarget => ({
    id,
    name,
    endpoint: "video-bots",
    exampleId: "a",
    body: "{}",
    unfinished: 1,
  }));
  return createChunkJournal({
    workerId: worker,
    slice: chunk,
    targets,
    takes: new TakeDesk({
      link,
      take: (token, jobs) => take(db, { worker, token, batch, service, jobs }),
      giveBack: (attempts) => void giveBack(db, { worker, batch, jobs: attempts }),
      takeBack: (token, jobs) => giveBack(db, { worker, batch, jobs, token }),
      mayLeave: () => lease.isHeld,
      onFailure,
    }).counter({ onOutcome: () => undefined, onWaited: () => undefined, onStopped: onFailure }),
    settles: new SettleDesk({
      link,
      spool: new Spool(folder),
      settle: (id, results) => settle(db, id, results),
      hold: (id, attempt) => holdAttempt(db, id, attempt),
      isOfData,
      onRefused: (_batch, error) => onFailure(error),
      onSetAside: (_path, error) => onFailure(error),
      onDiskFault: onFailure,
      onFailure,
    }),
    entries: {
      taken: (run) => markTaken(db, worker, batch, run),
      skip: (job, reason) => skipRemoteJobs(db, batch, job, reason),
      stopTarget: (target, reason) => stopTarget(db, batch, target, reason),
      giveBack: (attempt) => giveBack(db, { worker, batch, jobs: [attempt] }),
    },
    clock,
    lease,
    onStray: () => undefined,
  });
}
