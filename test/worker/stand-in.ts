import { randomUUID } from "node:crypto";
import type { Outcome } from "../../src/client/outcome.ts";
import { version } from "../../src/lib/version.ts";
import type { PendingJob } from "../../src/runner/journal.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { workKind } from "../../src/worker/postgres/open-work.ts";
import { completeChunk, fetchChunks, chunkQueue } from "../../src/worker/postgres/queues.ts";
import { settle } from "../../src/worker/postgres/settle.ts";
import { endChunk, loadChunk } from "../../src/worker/postgres/chunk.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { outcome } from "../runner/outcome.ts";
import { beat, enterWorker, leaveWorker, reap, tellOfWorker } from "../../src/worker/postgres/workers.ts";

/** A run record, as a service would make it. */
export function okOutcome(text: string): Outcome {
  const body = Buffer.from(JSON.stringify({ id: "abcdefghijkl", output: { output_text: [text] } }));
  const record = { id: "abcdefghijkl", url: null, createdAt: null, body };
  return outcome({ answer: "answered", status: 200, record });
}

export interface StandIn {
  id: string;
  /** Jobs that were given to it, in order. */
  sent: number[];
  stop: () => Promise<void>;
  /** Dies with what it has in flight. */
  die: () => Promise<void>;
}

/** Takes chunks and answers their jobs as a worker does, without a service: for tests of those who submit. */
export async function standIn(
  db: Postgres,
  {
    deployments = ["prod", "test"],
    answer = (job) => okOutcome(`answer to ${job.input}`),
  }: { deployments?: string[]; answer?: (job: PendingJob) => Outcome | null } = {},
): Promise<StandIn> {
  const id = randomUUID();
  await enterWorker(db, {
    id,
    name: `stand-in-${id.slice(0, 4)}`,
    host: "here",
    version,
    deployments,
    addresses: ["http://127.0.0.1:*"],
  });
  const sent: number[] = [];
  const state = { isOn: true };
  const drive = async (ref: { batch: number; slice: number }): Promise<void> => {
    const chunk = await loadChunk(db, { ...ref, worker: id });
    if (chunk === null) return;
    for (let jobs = chunk.jobs; jobs.length > 0 && state.isOn;) {
      const asked = jobs.slice(0, 20).map(({ id: job, attempts }) => ({ job, number: attempts + 1 }));
      const token = randomUUID();
      const { granted, refused, stopped } = await take(db, {
        worker: id,
        token,
        batch: ref.batch,
        service: chunk.service.id,
        jobs: asked,
      });
      for (const job of jobs.filter((each) => granted.includes(each.id))) {
        sent.push(job.id);
        const given = answer(job);
        if (given === null) continue;
        const number = job.attempts + 1;
        const final = given.kind !== "target";
        const entry = { jobId: job.id, number, queuedAt: 1_000, outcome: given, final };
        await settle(db, id, [
          {
            batch: ref.batch,
            job: job.id,
            number,
            kind: given.kind,
            final,
            failure: final && given.kind !== "ok",
            spent: true,
            cost: null,
            costUnknown: false,
            entry: JSON.stringify({
              ...entry,
              outcome: { ...given, record: given.record && { ...given.record, body: null } },
            }),
            body: given.record?.body ?? null,
          },
        ]);
      }
      jobs = jobs.filter((each) => !granted.includes(each.id) && !refused.includes(each.id));
      if (stopped !== null) return;
      if (granted.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await endChunk(db, ref);
  };
  let reported = "[]";
  const tell = async (open: readonly { service: number; deployment: string }[]): Promise<void> => {
    const serves = open
      .filter(({ deployment }) => deployments.includes(deployment))
      .map((each) => workKind({ ...each, version }));
    if (JSON.stringify(serves) !== reported) await tellOfWorker(db, id, { lines: [], serves, leaves: {} });
    reported = JSON.stringify(serves);
  };
  const loop = async (): Promise<void> => {
    while (state.isOn) {
      await beat(db, id);
      const open = await db.query<{ service: number; deployment: string }>(
        "SELECT DISTINCT service, deployment FROM tandem.slice WHERE state = 'open'",
      );
      await tell(open);
      let isIdle = true;
      for (const { service, deployment } of open) {
        if (!deployments.includes(deployment)) continue;
        const queue = chunkQueue({ service, deployment, version });
        for (const fetched of await fetchChunks(db, queue, 1)) {
          isIdle = false;
          await drive(fetched);
          if (state.isOn) await completeChunk(db, queue, fetched);
        }
      }
      if (isIdle) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const running = loop();
  const stop = async (): Promise<void> => {
    state.isOn = false;
    await running;
  };
  return {
    id,
    sent,
    stop,
    async die() {
      await stop();
      await leaveWorker(db, id);
      await reap(db, { deadAfterMs: 60_000 });
    },
  };
}
