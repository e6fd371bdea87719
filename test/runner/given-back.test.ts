import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { steadyNow } from "../../src/lib/clock.ts";
import { defaultWaits } from "../../src/runner/backoff.ts";
import { Budget, type BudgetLimits } from "../../src/runner/budget.ts";
import { Health } from "../../src/runner/health.ts";
import type { Journal } from "../../src/runner/journal.ts";
import type { QueueEvent } from "../../src/runner/queue-event.ts";
import type { Share } from "../../src/runner/account.ts";
import { Runner } from "../../src/runner/runner.ts";
import { batchTargets } from "../../src/store/batches.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { unfinishedJobs } from "../../src/store/journal/unfinished.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase } from "../store/batch.ts";
import { type Line, ScriptedClient, type Seen } from "./scripted-client.ts";

/** True for every second of the cases, whichever of its two jobs this is. */
const isSecond = (jobId: number): boolean => Math.ceil(jobId / 2) % 2 === 1;

const noLimits: BudgetLimits = { requests: null, cost: null, durationMs: null, failures: null };

/** A run of eight cases at "prod" over a journal in which something is otherwise; a service that answers everything. */
async function run(
  change: (own: Journal) => Partial<Journal>,
  limits = noLimits,
  script: (seen: Seen) => Line = () => ({ outcome: { kind: "ok", status: 200 }, delayMs: 1 }),
  onEvent: (event: QueueEvent) => void = () => {},
  shareOf?: (nudge: () => void) => Share,
) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    Array.from({ length: 8 }, (_, index) => oneCase(String(index))),
  );
  const [deployment] = suite.deployments;
  if (deployment === undefined) throw new Error("the suite has no deployment");
  const client = new ScriptedClient(db, deployment.name, script);
  const own = createJournal(db, batch.id);
  const targets = batchTargets(db, batch.id)
    .filter(({ deployment: name }) => name === deployment.name)
    .map((target) => ({ ...target, unfinished: 8 }));
  const [target] = targets;
  const share = shareOf?.(() => runner.nudge());
  const health =
    share &&
    new Health({
      deployments: [deployment],
      endpoint: "video-bots",
      share,
      journal: own,
      random: () => 0.5,
      waits: defaultWaits,
      now: steadyNow(),
    });
  const runner: Runner = new Runner({
    ...(health !== undefined && { healthOf: () => health }),
    sides: [{ deployment, account: "prod", client, targets }],
    journal: { ...own, ...change(own) },
    seed: "1",
    budget: new Budget(limits, steadyNow()),
    interleave: "off",
    onAmbiguous: "retry",
    conversations: false,
    onEvent,
  });
  const end = await runner.run();
  await client.close();
  return { client, end, unfinished: unfinishedJobs(db, batch.id).get(target?.id ?? 0) ?? 0 };
}

test("a job that may not leave is not sent, costs nothing of the budget, and holds nobody up", async () => {
  const { client, end, unfinished } = await run(
    (own) => ({ sending: async (entry) => (isSecond(entry.jobId) ? false : own.sending(entry)) }),
    { ...noLimits, requests: 4 },
  );
  expect(client.seen.length).toBe(4);
  expect(client.seen.filter(({ jobId }) => isSecond(jobId))).toEqual([]);
  expect(client.faults).toEqual([]);
  expect(unfinished).toBe(4);
  expect(end.stopped).toEqual([]);
});

test("a result that somebody else has overtaken decides nothing here, and the job is not sent again", async () => {
  const { client, unfinished } = await run((own) => ({
    settle: async (entry) => (isSecond(entry.jobId) ? false : own.settle(entry)),
  }));
  expect(client.seen.length).toBe(8);
  expect(unfinished).toBe(4);
});

test("an attempt that had to wait for its turn is dated by the end of that wait, also where the journal's clock was set meanwhile", async () => {
  const dates: number[] = [];
  const { client } = await run((own) => ({
    now: () => 1_000_000,
    sending: (entry) => {
      entry.queuedAt += 60_000;
      return own.sending(entry);
    },
    settle: (entry) => {
      dates.push(entry.queuedAt);
      return own.settle(entry);
    },
  }));
  expect(dates).toEqual(Array.from({ length: 8 }, () => 1_060_000));
  // What it is sent at, is later than when it was queued, and not by that minute.
  expect(client.seen.filter(({ at }) => at < 1_060_000 || at > 1_080_000)).toEqual([]);
});

/** A share of four requests in flight, of which three are taken away while the first ones are between their slot and their first byte. */
class ShrinkingShare implements Share {
  places = 4;
  taken = 0;
  inFlight = 0;
  /** The most in flight beyond the share of that moment. */
  beyond = 0;
  heldBack = 0;
  readonly #nudge: () => void;

  constructor(nudge: () => void) {
    this.#nudge = nudge;
  }

  waitMs(): number {
    return this.taken < this.places ? 0 : Number.POSITIVE_INFINITY;
  }

  take(): void {
    this.taken += 1;
    if (this.taken === 4) this.places = 1;
  }

  leave(): boolean {
    if (this.inFlight >= this.places) {
      this.heldBack += 1;
      return false;
    }
    this.inFlight += 1;
    this.beyond = Math.max(this.beyond, this.inFlight - this.places);
    return true;
  }

  ended(hasLeft: boolean): void {
    this.taken -= 1;
    if (hasLeft) this.inFlight -= 1;
    this.#nudge();
  }
}

test("a share that shrinks between slot and first byte is kept: what may not leave is taken back, and sent later", async () => {
  const shares: ShrinkingShare[] = [];
  const { client, end, unfinished } = await run(
    () => ({}),
    { ...noLimits, requests: 8 },
    () => ({ outcome: { kind: "ok", status: 200 }, delayMs: 5 }),
    () => {},
    (nudge) => {
      const share = new ShrinkingShare(nudge);
      shares.push(share);
      return share;
    },
  );
  const [share] = shares;
  expect(share?.heldBack).toBeGreaterThan(0);
  expect([share?.beyond, share?.inFlight, share?.taken]).toEqual([0, 0, 0]);
  // Every job was answered once, and none counts twice in the budget.
  expect(client.seen.length).toBe(8);
  expect([client.faults, unfinished, end.stopped]).toEqual([[], 0, []]);
});

test("an answer is told of when it is committed, and not before", async () => {
  const committed = new Set<number>();
  const early: number[] = [];
  await run(
    (own) => ({
      async settle(entry) {
        const isEntered = await own.settle(entry);
        await setTimeout(5);
        committed.add(entry.jobId);
        return isEntered;
      },
    }),
    noLimits,
    undefined,
    (event) => {
      if (event.type === "settled" && !committed.has(event.job.id)) early.push(event.job.id);
    },
  );
  expect([committed.size, early]).toEqual([8, []]);
});

test("a queue whose only target is stopped says which one, and why", async () => {
  const { end } = await run(
    () => ({}),
    noLimits,
    () => ({ outcome: { kind: "target", status: 404, error: "unknown example" }, delayMs: 1 }),
  );
  expect(end.stopped).toMatchObject([{ reason: "prod was stopped: unknown example" }]);
});
