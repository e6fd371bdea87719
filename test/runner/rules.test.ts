import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomeKinds } from "../../src/api/outcomes.ts";
import type { Outcome } from "../../src/client/outcome.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { fullJitter } from "../../src/runner/backoff.ts";
import { Budget } from "../../src/runner/budget.ts";
import { decide, Repetition } from "../../src/runner/decision.ts";
import type { GatedQueue } from "../../src/runner/gate.ts";
import { Lockstep } from "../../src/runner/lockstep.ts";
import { outcome } from "./outcome.ts";
import { pendingJob } from "./pending-job.ts";

describe("what an outcome means for its job", () => {
  const context = {
    failures: 0,
    retries: 2,
    onAmbiguous: "retry",
    waitsForService: false,
    outOfTime: false,
    refusal: "stops",
  } as const;
  const table: Record<Outcome["kind"], string> = {
    ok: "finish",
    rejected: "finish",
    "not-sent": "wait",
    throttled: "wait",
    auth: "stop-deployment",
    credits: "stop-deployment",
    target: "stop-target",
    "not-the-api": "stop-target",
    "run-failed": "retry",
    ambiguous: "retry",
  };

  test.each(outcomeKinds)("%s", (kind) => {
    expect(decide(outcome({ kind }), context)).toBe(table[kind]);
  });

  test("nothing is retried more often than the retries allow", () => {
    for (const kind of ["run-failed", "ambiguous"] as const) {
      expect(decide(outcome({ kind }), { ...context, failures: 1 })).toBe("retry");
      expect(decide(outcome({ kind }), { ...context, failures: 2 })).toBe("finish");
    }
  });

  test("a gateway's answer in an outage decides nothing, however few retries there are", () => {
    const held = { ...context, retries: 0, waitsForService: true };
    expect(decide(outcome({ kind: "ambiguous" }), held)).toBe("hold");
    expect(decide(outcome({ kind: "ambiguous" }), { ...held, outOfTime: true })).toBe("hold");
  });

  test("what may have been paid is not sent again when the suite says so", () => {
    expect(decide(outcome({ kind: "ambiguous" }), { ...context, onAmbiguous: "fail" })).toBe("finish");
    expect(decide(outcome({ kind: "run-failed" }), { ...context, onAmbiguous: "fail" })).toBe("retry");
  });

  test("a job whose time is over is decided, but what this machine lacks is not its failure", () => {
    const late = { ...context, outOfTime: true };
    for (const kind of ["run-failed", "ambiguous", "throttled", "not-sent"] as const) {
      expect(decide(outcome({ kind }), late)).toBe("finish");
    }
    expect(decide(outcome({ kind: "not-sent", localLimit: true }), late)).toBe("stop-deployment");
  });

  test("a refusal stops nothing where others are accepted", () => {
    for (const kind of ["auth", "credits", "target", "not-the-api"] as const) {
      expect(decide(outcome({ kind }), { ...context, refusal: "row" })).toBe("finish");
      expect(decide(outcome({ kind }), { ...context, refusal: "unknown" })).toBe("set-aside");
    }
  });

  test("the text of an error decides nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...outcomeKinds), fc.string(), (kind, error) => {
        expect(decide(outcome({ kind, error }), context)).toBe(decide(outcome({ kind }), context));
      }),
    );
  });
});

describe("the same error for case after case", () => {
  const failed = (error: string): Outcome => outcome({ kind: "run-failed", error });

  test("stops at the fifth distinct case", () => {
    const repetition = new Repetition();
    for (const caseId of [1, 2, 3, 4]) expect(repetition.note(caseId, failed("no such model"))).toBeNull();
    expect(repetition.note(5, failed("no such model"))).toBe("no such model");
  });

  test("retries of one case count once", () => {
    const repetition = new Repetition();
    for (let i = 0; i < 20; i++) expect(repetition.note(1, failed("x"))).toBeNull();
  });

  test("a success, another text or another outcome begins anew; waiting does not", () => {
    for (const between of [outcome({ kind: "ok" }), failed("y"), outcome({ kind: "ambiguous" })]) {
      const repetition = new Repetition();
      for (const caseId of [1, 2, 3, 4]) repetition.note(caseId, failed("x"));
      repetition.note(9, between);
      expect(repetition.note(5, failed("x"))).toBeNull();
    }
    const repetition = new Repetition();
    for (const caseId of [1, 2, 3, 4]) repetition.note(caseId, failed("x"));
    repetition.note(9, outcome({ kind: "throttled" }));
    expect(repetition.note(5, failed("x"))).toBe("x");
  });
});

describe("back-off", () => {
  test("is drawn between nothing and a bound that doubles up to its cap", () => {
    const random = seededRandom(7);
    for (let failures = 1; failures < 40; failures++) {
      const wait = fullJitter(failures, random);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThan(Math.min(60_000, 1_000 * 2 ** (failures - 1)));
    }
  });

  test("the same seed waits the same", () => {
    expect(fullJitter(3, seededRandom("a"))).toBe(fullJitter(3, seededRandom("a")));
  });
});

describe("the budget", () => {
  test("says which limit is spent, and takes a throttled request back", () => {
    const budget = new Budget({ requests: 2, cost: null, durationMs: null, failures: null }, 0);
    expect(budget.spent(0)).toBeNull();
    budget.take();
    budget.take();
    expect(budget.spent(0)).toContain("--budget");
    budget.giveBack();
    expect(budget.spent(0)).toBeNull();
  });

  test("knows time and failures", () => {
    const budget = new Budget({ requests: null, cost: null, durationMs: 1_000, failures: 1 }, 0);
    expect(budget.spent(999)).toBeNull();
    expect(budget.spent(1_000)).toContain("--max-duration");
    budget.failed();
    expect(budget.spent(0)).toContain("--max-failures");
  });
});

/** A queue that has finished everything before this job. */
const gatedAt = (frontier: () => number | null): GatedQueue => ({
  targets: [],
  jobs: { putAhead: () => null, keepOrder: () => {} },
  frontier,
  isAskedByOthers: () => false,
});

describe("lockstep", () => {
  test("no side begins what is too far ahead of another; a side that leaves holds nobody back", () => {
    const frontiers: Record<string, number | null> = { a: 1, b: 2 };
    const lockstep = new Lockstep(4);
    const [a, b] = ["a", "b"].map((side) => gatedAt(() => frontiers[side] ?? null));
    if (a === undefined || b === undefined) throw new Error("no side");
    for (const side of [a, b]) lockstep.join(side);
    expect(lockstep.mayBegin(pendingJob(5), a)).toBe(true);
    expect(lockstep.mayBegin(pendingJob(6), a)).toBe(false);
    // It was begun before.
    expect(lockstep.mayBegin({ ...pendingJob(6), firstTriedAt: 1 }, a)).toBeNull();
    frontiers["b"] = 3;
    expect(lockstep.mayBegin(pendingJob(6), a)).toBe(true);
    frontiers["b"] = null;
    expect(lockstep.mayBegin(pendingJob(1_000), a)).toBe(true);
    expect(lockstep.mayBegin(pendingJob(1_000), b)).toBe(false);
  });

  test("whoever is furthest behind never waits", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }), (frontiers) => {
        const lockstep = new Lockstep(2);
        const sides = new Map(frontiers.map((at) => [at, gatedAt(() => at)]));
        for (const side of sides.values()) lockstep.join(side);
        const last = Math.min(...frontiers);
        expect(lockstep.mayBegin(pendingJob(last), sides.get(last) ?? expect.unreachable())).toBe(true);
      }),
    );
  });
});
