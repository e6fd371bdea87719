import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Outcome } from "../../src/client/outcome.ts";
import { steadyNow } from "../../src/lib/clock.ts";
import { seededRandom } from "../../src/lib/random.ts";
import type { Waits } from "../../src/runner/backoff.ts";
import { Budget } from "../../src/runner/budget.ts";
import { Runner, type RunEnd } from "../../src/runner/runner.ts";
import { type Batch, batchTargets, reopenTargets } from "../../src/store/batches.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Connection } from "../../src/store/connection.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { settleInDoubt } from "../../src/store/journal/in-doubt.ts";
import { unfinishedJobs } from "../../src/store/journal/unfinished.ts";
import { oneCase, plannedBatch, suite, temporaryFolder } from "../store/batch.ts";
import { type Line, ScriptedClient, type Seen } from "./scripted-client.ts";
import { often } from "../often.ts";

/** The same waits as always, a thousand times shorter. */
const waits: Waits = {
  retry: { baseMs: 1, capMs: 4 },
  throttled: { baseMs: 1, capMs: 4 },
  unreached: { baseMs: 1, capMs: 3 },
  refused: { baseMs: 1, capMs: 3 },
  local: { baseMs: 1, capMs: 3 },
  asked: { leastMs: 1, mostMs: 4 },
  ask: { baseMs: 10, capMs: 50 },
  lockstepMs: 30,
};

interface Scene {
  seed: number;
  clusters: number[];
  concurrency: number;
  retries: number;
  onAmbiguous: "retry" | "fail";
  interleave: "off" | "strict";
  budget: number | null;
  /** Requests after which everything is given up; null: never. */
  giveUpAfter: number | null;
  /** True when the service also gives answers that stop a target or a deployment. */
  fatal: boolean;
}

const scenes: fc.Arbitrary<Scene> = fc.record({
  seed: fc.integer(),
  clusters: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
  concurrency: fc.integer({ min: 1, max: 6 }),
  retries: fc.integer({ min: 0, max: 3 }),
  onAmbiguous: fc.constantFrom("retry", "fail"),
  interleave: fc.constantFrom("off", "strict"),
  budget: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 6 }),
  giveUpAfter: fc.option(fc.integer({ min: 1, max: 40 })),
  fatal: fc.boolean(),
});

const record: Outcome["record"] = {
  id: "abcdefabcdef",
  url: null,
  createdAt: null,
  body: Buffer.from('{"output":{"output_text":["ok"]}}'),
};

/** Every kind of outcome, drawn anew for each request; `fatal` ones are rare. */
function script(name: string, { seed, fatal }: Scene): (seen: Seen) => Line {
  return ({ prompt, time }) => {
    const random = seededRandom(`${seed} ${name} ${prompt} ${time}`);
    const draw = Math.floor(random() * 100);
    const retryAfterMs = random() < 0.5 ? null : random() * 1e12 ** random();
    const throttled = { kind: "throttled", status: 429, retryAfterMs } as const;
    const table: [number, Partial<Outcome>][] = [
      [8, { kind: "not-sent", error: "refused" }],
      [11, { kind: "not-sent", error: "EMFILE", localLimit: true }],
      [17, throttled],
      [20, { ...throttled, limit: { kind: "concurrency", count: 1 + Math.floor(random() * 4) } }],
      [22, { ...throttled, limit: { kind: "requests", count: 1 + Math.floor(random() * 4), windowMs: 2 } }],
      [29, { kind: "run-failed", status: 500, error: random() < 0.5 ? "same" : prompt, record }],
      [37, { kind: "ambiguous", status: 502, possiblyPaid: true, error: "bad gateway" }],
      [41, { kind: "rejected", status: 422, error: "no" }],
      [42, fatal ? { kind: "auth", status: 403, error: "who?" } : {}],
      [43, fatal ? { kind: "credits", status: 402, error: "pay" } : {}],
      [44, fatal ? { kind: "target", status: 404, error: "where?" } : {}],
      [45, fatal ? { kind: "not-the-api", status: 200, error: "html", bodyStart: "<html>" } : {}],
    ];
    const [, found = {}] = table.find(([below]) => draw < below) ?? [];
    return { outcome: { kind: "ok", answer: "answered", status: 200, record, ...found }, delayMs: random() * 6 };
  };
}

/** A service that has become well, but for what a retry mends. */
const mended = (seen: Seen): Line => {
  const random = seededRandom(`${seen.prompt} ${seen.time}`);
  const kind = seen.time === 1 && random() < 0.2 ? "throttled" : "ok";
  return { outcome: { kind, status: 200, record, answer: "answered" }, delayMs: random() * 3 };
};

interface Drive {
  end: RunEnd;
  clients: Map<string, ScriptedClient>;
  runner: Runner;
}

async function drive(db: Connection, batch: Batch, scene: Scene, isMended: boolean): Promise<Drive> {
  const unfinished = unfinishedJobs(db, batch.id);
  const targets = batchTargets(db, batch.id).map((target) => ({
    ...target,
    unfinished: unfinished.get(target.id) ?? 0,
  }));
  const clients = new Map<string, ScriptedClient>();
  let requests = 0;
  const sides = suite.deployments.map((deployment) => {
    const line = isMended ? mended : script(deployment.name, scene);
    const client = new ScriptedClient(db, deployment.name, (seen) => {
      requests += 1;
      if (!isMended && requests === scene.giveUpAfter) queueMicrotask(() => runner.abort());
      return line(seen);
    });
    clients.set(deployment.name, client);
    const { concurrency, retries } = scene;
    return {
      deployment: { ...deployment, concurrency, retries },
      account: deployment.name,
      client,
      targets: targets.filter(({ deployment: name, unfinished: left }) => name === deployment.name && left > 0),
    };
  });
  const runner = new Runner({
    sides: sides.filter((side) => side.targets.length > 0),
    journal: createJournal(db, batch.id),
    seed: String(scene.seed),
    budget: new Budget(
      { requests: isMended ? null : scene.budget, cost: null, durationMs: null, failures: null },
      steadyNow(),
    ),
    interleave: scene.interleave,
    onAmbiguous: scene.onAmbiguous,
    conversations: true,
    waits,
  });
  const end = await runner.run();
  await Promise.all([...clients.values()].map((client) => client.close()));
  return { end, clients, runner };
}

interface BookedJob {
  id: number;
  target: string;
  stopped: string | null;
  outcome: string | null;
  decisive: string | null;
  attempts: number;
  /** Tries that are used up: where its service was away, those that the gateway answered are given back. */
  failures: number;
  /** Those of them that a gateway answered. */
  ofGateway: number;
  open: number;
}

const booked = (db: Connection): BookedJob[] =>
  sqlite(db)
    .prepare<[], BookedJob>(
      `SELECT job.id, target.name AS target, target.stopped, job.outcome,
         (SELECT outcome FROM attempt WHERE job_id = job.id AND number = job.attempt) AS decisive,
         (SELECT count(*) FROM attempt WHERE job_id = job.id) AS attempts,
         (SELECT count(*) FROM attempt WHERE job_id = job.id AND (outcome = 'run-failed' OR outcome = 'ambiguous'
           AND NOT EXISTS (SELECT 1 FROM outage WHERE outage.deployment = target.name))) AS failures,
         (SELECT count(*) FROM attempt WHERE job_id = job.id AND outcome = 'ambiguous') AS ofGateway,
         (SELECT count(*) FROM sending WHERE job_id = job.id) AS open
       FROM job JOIN target ON target.id = job.target_id ORDER BY job.id`,
    )
    .all();

/** Checks the rules that hold at the end of every run. */
function check(scene: Scene, jobs: BookedJob[], before: BookedJob[], { end, clients, runner }: Drive): void {
  const stopped = new Set(end.stopped.map(({ queue }) => queue.split("/")[0] ?? ""));
  for (const [index, job] of jobs.entries()) {
    const label = JSON.stringify(job);
    const sends = clients.get(job.target)?.seen.filter(({ jobId }) => jobId === job.id) ?? [];
    expect(job.attempts + job.open - (before[index]?.attempts ?? 0), label).toBe(sends.length);
    // A last try that may have fallen into an outage is made once more, for two of them at the most.
    expect(job.failures, label).toBeLessThanOrEqual(scene.retries + 1 + Math.min(2, job.ofGateway));
    expect(sends.slice(0, -1).filter(({ outcome }) => outcome?.kind === "ok" || outcome?.kind === "rejected")).toEqual(
      [],
    );
    if (job.outcome === null) expect(stopped.has(job.target) || job.stopped !== null, label).toBe(true);
    else if (job.outcome !== "skipped") expect(job.decisive, label).toBe(job.outcome);
  }
  for (const name of stopped)
    expect(jobs.some(({ target, outcome }) => target === name && outcome === null)).toBe(true);
  for (const [name, client] of clients) {
    expect(client.faults).toEqual([]);
    expect(client.mostInFlight).toBeLessThanOrEqual(scene.concurrency);
    expect(client.mostOpen).toBeLessThanOrEqual(scene.concurrency);
    const queue = runner.snapshot().find(({ deployment }) => deployment === name);
    const finished = (all: BookedJob[]): number =>
      all.filter((job) => job.target === name && job.outcome !== null).length;
    expect(queue?.done ?? 0).toBe(finished(jobs) - finished(before));
    expect(queue?.inFlight ?? 0).toBe(0);
  }
}

function checkBudget({ budget }: Scene, { clients }: Drive): void {
  const seen = [...clients.values()].flatMap((client) => client.seen);
  const spent = seen.filter(({ outcome }) => outcome?.kind !== "throttled" && outcome?.kind !== "not-sent").length;
  if (budget !== null) expect(spent).toBeLessThanOrEqual(budget);
}

test("whatever a service answers, no job is lost, doubled or retried too often, and a resume finishes everything", async () => {
  const folder = temporaryFolder();
  let number = 0;
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const db = openDatabase(join(folder, `${number++}.db`));
      try {
        const cases = scene.clusters.flatMap((turns, cluster) =>
          Array.from({ length: turns }, (_, turn) =>
            oneCase(`${cluster}.${turn + 1}`, { cluster: `c${cluster}`, turn: turn + 1 }),
          ),
        );
        const batch = await plannedBatch(db, cases);
        const before = booked(db);
        const first = await drive(db, batch, scene, false);
        const afterFirst = booked(db);
        check(scene, afterFirst, before, first);
        checkBudget(scene, first);
        settleInDoubt(db, batch.id, "resend");
        reopenTargets(db, batch.id);
        const between = booked(db);
        expect(between.filter(({ open }) => open > 0)).toEqual([]);
        const rest = await drive(db, batch, scene, true);
        const jobs = booked(db);
        check(scene, jobs, between, rest);
        expect(rest.end.stopped).toEqual([]);
        expect(jobs.filter(({ outcome }) => outcome === null)).toEqual([]);
      } finally {
        db.close();
      }
    }),
    { numRuns: often(10, 40), endOnFailure: true },
  );
});
