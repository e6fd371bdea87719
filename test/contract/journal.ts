import { describe, expect, test } from "vitest";
import { outcomeKinds } from "../../src/api/outcomes.ts";
import type { Outcome } from "../../src/client/outcome.ts";
import type { Journal, PendingJob } from "../../src/runner/journal.ts";
import { outcome } from "../runner/outcome.ts";

/** A plan in a store: conversations of so many turns, each for two targets. */
export interface ContractPlan {
  conversations: number;
  turns: number;
  inDoubt?: "hold" | "resend" | "fail";
}

/** A store with a plan, as the contract looks at it from outside. */
export interface ContractStore {
  journal: Journal;
  /** Ids of the two targets. */
  targets: [number, number];
  /** The process dies as it is, and another goes on with the plan. */
  successor: () => Promise<Journal>;
  /** Attempts as they are entered, by job and number. */
  attempts: () => Promise<{ job: number; number: number; kind: string; body: Buffer | null }[]>;
  /** Outcomes of jobs that are over. */
  outcomes: () => Promise<Map<number, string>>;
  /** Why nothing more is sent to a target. */
  stopped: (target: number) => Promise<string | null>;
}

const recordOf = (text: string) => ({
  id: "run",
  url: "https://service/run",
  createdAt: null,
  body: Buffer.from(text),
});
const ok = (text = "{}"): Outcome => outcome({ kind: "ok", status: 200, record: recordOf(text) });

/** The number of the next attempt of a job that no other process has tried. */
const next = ({ attempts }: PendingJob): number => attempts + 1;

async function send(journal: Journal, job: PendingJob, number = next(job)): Promise<void> {
  expect(await journal.sending({ jobId: job.id, number, queuedAt: journal.now(), service: null })).toBe(true);
}

async function settle(journal: Journal, job: PendingJob, result: Outcome, final: boolean, number = next(job)) {
  return journal.settle({ jobId: job.id, number, queuedAt: journal.now(), outcome: result, final });
}

/** What the runner asks of every store. `make` gives a store of its own for each test. */
export function journalContract(store: string, make: (plan: ContractPlan) => Promise<ContractStore>): void {
  describe(`a journal in ${store}`, () => {
    test("gives jobs that may be sent page by page, in the order of the plan, of the targets asked for", async () => {
      const { journal, targets } = await make({ conversations: 5, turns: 1 });
      const all = journal.pending(targets, 0, 100);
      expect(all).toHaveLength(10);
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b));
      const [page, rest] = [journal.pending(targets, 0, 4), journal.pending(targets, all[3]?.id ?? 0, 100)];
      expect([...page, ...rest]).toEqual(all);
      const own = journal.pending([targets[1]], 0, 100);
      expect(own).toEqual(all.filter(({ targetId }) => targetId === targets[1]));
      expect(own).toHaveLength(5);
      for (const job of all) {
        expect(JSON.parse(job.input)).toEqual({ input_prompt: expect.stringMatching(/^prompt of /) });
        expect(job).toMatchObject({ repeat: 1, turn: 1, waitsFor: null, attempts: 0, failures: 0, firstTriedAt: null });
      }
    });

    test("keeps later turns back until their time, and tells the answers before them byte by byte", async () => {
      const { journal, targets } = await make({ conversations: 2, turns: 3 });
      const [first, other] = journal.pending(targets, 0, 100);
      if (first === undefined || other === undefined) throw new Error("the plan is empty");
      expect(journal.pending(targets, 0, 100).map(({ turn }) => turn)).toEqual([1, 1, 1, 1]);
      expect(journal.history(first)).toEqual([]);
      await send(journal, first);
      await settle(journal, first, ok('{"answer": "été \\u0000 1"}'), true);
      const second = journal.successor(first.id);
      if (second === null) throw new Error("nothing waits for the first turn");
      expect(second).toMatchObject({ turn: 2, waitsFor: first.id, targetId: first.targetId });
      expect(journal.pending(targets, 0, 100).map(({ id }) => id)).toContain(second.id);
      await send(journal, second);
      await settle(journal, second, ok('{"answer":2}'), true);
      const third = journal.successor(second.id);
      if (third === null) throw new Error("nothing waits for the second turn");
      expect(journal.history(third)).toEqual([
        { input: first.input, record: '{"answer": "été \\u0000 1"}' },
        { input: second.input, record: '{"answer":2}' },
      ]);
      expect(journal.successor(third.id)).toBeNull();
      expect(journal.history(other)).toEqual([]);
    });

    test("enters every kind of outcome with its body, and ends a job when it is final", async () => {
      const { journal, targets, attempts, outcomes } = await make({ conversations: 5, turns: 1 });
      const jobs = journal.pending(targets, 0, 100);
      const bodies = new Map<number, Buffer>();
      for (const [place, kind] of outcomeKinds.entries()) {
        const job = jobs[place];
        if (job === undefined) throw new Error("the plan has fewer jobs than there are kinds");
        await send(journal, job);
        const body = Buffer.from([123, 0, 255, 254, place, 125]);
        bodies.set(job.id, body);
        const record = { id: null, url: null, createdAt: null, body };
        expect(await settle(journal, job, outcome({ kind, record, error: "zero \0 and half \uD800" }), true)).toBe(
          true,
        );
      }
      expect(journal.pending(targets, 0, 100)).toEqual([]);
      const over = await outcomes();
      expect(jobs.map(({ id }) => over.get(id))).toEqual([...outcomeKinds]);
      const entered = await attempts();
      expect(entered.map(({ job, number, kind }) => ({ job, number, kind }))).toEqual(
        jobs.map(({ id }, place) => ({ job: id, number: 1, kind: outcomeKinds[place] })),
      );
      for (const { job, body } of entered) expect(body?.equals(bodies.get(job) ?? Buffer.of())).toBe(true);
    });

    test("tells a later process the attempts that were made, and which of them used up a retry", async () => {
      const { journal, targets, successor } = await make({ conversations: 1, turns: 1 });
      const [job, other] = journal.pending(targets, 0, 100);
      if (job === undefined || other === undefined) throw new Error("the plan is empty");
      for (const [place, kind] of (["throttled", "run-failed", "not-sent", "ambiguous"] as const).entries()) {
        await send(journal, job, place + 1);
        await settle(journal, job, outcome({ kind }), false, place + 1);
      }
      expect(journal.pending(targets, 0, 100).map(({ id }) => id)).toEqual([job.id, other.id]);
      const later = await successor();
      expect(later.pending(targets, 0, 100)).toMatchObject([
        { id: job.id, attempts: 4, failures: 2 },
        { id: other.id, attempts: 0, failures: 0 },
      ]);
    });

    test("enters many at once, none twice and none lost", async () => {
      const { journal, targets, attempts, outcomes } = await make({ conversations: 150, turns: 1 });
      const jobs = journal.pending(targets, 0, 1_000);
      expect(jobs).toHaveLength(300);
      await Promise.all(
        jobs.map(async (job) => {
          await send(journal, job);
          await settle(journal, job, ok(`{"job":${job.id}}`), true);
        }),
      );
      const entered = await attempts();
      expect(entered.map(({ job, body }) => [job, body?.toString()])).toEqual(
        jobs.map(({ id }) => [id, `{"job":${id}}`]),
      );
      expect((await outcomes()).size).toBe(300);
    });

    test("ends a job and all that wait for it, and tells how many", async () => {
      const { journal, targets, outcomes, successor } = await make({ conversations: 1, turns: 3 });
      const [first] = journal.pending(targets, 0, 100);
      if (first === undefined) throw new Error("the plan is empty");
      await send(journal, first);
      await settle(journal, first, outcome({ kind: "rejected", status: 400 }), true);
      const second = journal.successor(first.id);
      expect(await journal.skip(second?.id ?? 0, "turn 1 had no answer (rejected)")).toBe(2);
      expect(journal.successor(first.id)).toBeNull();
      expect([...(await outcomes()).values()].toSorted()).toEqual(["rejected", "skipped", "skipped"]);
      const later = await successor();
      expect(later.pending(targets, 0, 100)).toHaveLength(1);
    });

    test("keeps a run that the service has taken, for whoever comes after", async () => {
      const { journal, targets, successor, outcomes } = await make({ conversations: 2, turns: 1 });
      const [job] = journal.pending(targets, 0, 100);
      if (job === undefined) throw new Error("the plan is empty");
      await send(journal, job);
      const run = { id: "run-7", url: "https://service/run-7", createdAt: "2026-11-22T00:00:00Z" };
      await journal.taken({ jobId: job.id, number: 1, queuedAt: 1, sentAt: 1_763_000_000_000, run });
      const later = await successor();
      expect(later.takenRuns([targets[0], targets[1]])).toMatchObject([
        { job: { id: job.id, attempts: 0 }, taken: { jobId: job.id, number: 1, sentAt: 1_763_000_000_000, run } },
      ]);
      expect(later.takenRuns(targets.filter((id) => id !== job.targetId))).toEqual([]);
      expect(await settle(later, job, ok(), true, 1)).toBe(true);
      expect((await outcomes()).get(job.id)).toBe("ok");
      const last = await successor();
      expect(last.takenRuns(targets)).toEqual([]);
    });

    test("leaves what was in flight when its process died to the policy", async () => {
      const left: Record<string, unknown> = {};
      for (const inDoubt of ["hold", "resend", "fail"] as const) {
        const { journal, targets, successor } = await make({ conversations: 1, turns: 1, inDoubt });
        const [job, other] = journal.pending(targets, 0, 100);
        if (job === undefined || other === undefined) throw new Error("the plan is empty");
        await send(journal, job);
        const later = await successor();
        const pending = later.pending(targets, 0, 100);
        left[inDoubt] = pending.map(({ id, attempts }) => [id === job.id ? "in flight" : "other", attempts]);
      }
      expect(left).toEqual({
        hold: [["other", 0]],
        resend: [
          ["in flight", 1],
          ["other", 0],
        ],
        fail: [["other", 0]],
      });
    });

    test("keeps why nothing more is sent to a target", async () => {
      const { journal, targets, stopped } = await make({ conversations: 1, turns: 1 });
      await journal.stopTarget(targets[0], "no such bot: \0");
      expect(await stopped(targets[0])).toMatch(/^no such bot/);
      expect(await stopped(targets[1])).toBeNull();
    });

    test("has a clock, and is where it was", async () => {
      const { journal } = await make({ conversations: 1, turns: 1 });
      expect(Math.abs(journal.now() - Date.now())).toBeLessThan(5_000);
      expect(() => journal.check()).not.toThrow();
      expect(journal.lastPace("prod", "video-bots")).toBeNull();
    });
  });
}
