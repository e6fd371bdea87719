import { randomStream } from "../../src/lib/random.ts";
import { batchTargets, createBatch, setBatchState } from "../../src/store/batches.ts";
import { keepComparison } from "../../src/store/compared/comparisons.ts";
import type { Connection } from "../../src/store/connection.ts";
import { storeCases } from "../../src/store/plan/plan.ts";
import { beginScoring, finishScoring } from "../../src/store/scores/scores.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import type { Suite } from "../../src/suite/suite.ts";
import { gauss } from "../bench/simulation/draws.ts";
import { oneCase, suite } from "../store/batch.ts";

const dayMs = 86_400_000;
/** Noon, which is of the same day nearly everywhere. */
export const firstNight = Date.UTC(2026, 10, 1, 12);

/** What one night came to; whatever is not said is as every night. */
export interface DrawnNight {
  /** Pass rates of prod and test. */
  rates?: readonly [number, number];
  /** Runs of test without an answer, of 100. */
  failed?: number;
  latencyMs?: number;
  /** Later on the same day. */
  hours?: number;
  state?: "finished" | "stopped";
  kept?: boolean;
  /** Why nothing more was sent to test, which left two runs open; it goes with `state` stopped. */
  targetStopped?: string;
  /** Why the regression that was found could not be asked once more. */
  unconfirmed?: string;
  /** Left out: a pass, or a regression that is not confirmed. A regression has a gate that found it. */
  verdict?: "regression" | "invalid";
  /** P value of a loss beyond the limit, of a gate that could not tell. */
  undecided?: number;
  /** The bounds by which the gate of the metric decided. */
  bounds?: { lower: number; upper: number; sure?: number };
  expected?: string;
  /** Name of the metric that its comparison has; left out: that of the suite. */
  metric?: string;
  /** Its scorer is compared by its value too. */
  twice?: boolean;
  suite?: Partial<Suite>;
  against?: string;
  selection?: boolean;
}

/** Stores nights as batches of 100 rows with their comparisons; day by day from 1 November 2026. */
export async function storeNights(db: Connection, nights: readonly DrawnNight[]): Promise<void> {
  for (const [day, night] of nights.entries()) await storeNight(db, day, night);
}

async function storeNight(db: Connection, day: number, night: DrawnNight): Promise<void> {
  const { state = "finished", hours = 0, kept = true, against } = night;
  const selection = {
    grep: null,
    tags: {},
    keys: [],
    failed: null,
    changed: null,
    sample: null,
    limit: 5,
    shard: null,
  };
  const batch = createBatch(db, {
    suite: { ...suite, name: "nightly", ...night.suite },
    seed: "1",
    version: "0.0.0",
    at: firstNight + day * dayMs + hours * 3_600_000,
    repeatsOf: () => 1,
    ...(night.selection === true && { selection: { ...selection, targets: [] } }),
  });
  await storeCases(db, batch.id, { pages: onePage(night.expected ?? "yes"), rankOf: () => 0 });
  setBatchState(db, batch.id, state, { reason: state === "stopped" ? "Ctrl-C" : null });
  if (against !== undefined) sqlite(db).prepare("UPDATE batch SET against = ? WHERE id = ?").run(against, batch.id);
  if (state === "stopped" && night.unconfirmed === undefined && night.targetStopped === undefined) return;
  const rule = { kind: "all" as const, of: null, share: 1 };
  const metric = {
    name: "correct",
    type: "contains",
    primary: true,
    scale: { kind: "pass" as const },
    lowerIsBetter: false,
    passes: true,
    weight: 1,
    against: null,
  };
  const spec = { name: "correct", type: "contains", primary: true, weight: 1, when: null };
  const scorers = [{ metric, spec: { ...spec, options: {} }, code: null, graded: "now" as const }];
  const given = { batchId: batch.id, suiteHash: "s", scorers, rule, version: "0.0.0", answers: 200 };
  finishScoring(db, beginScoring(db, given), true);
  const summary = JSON.stringify(
    summaryOf(
      batchTargets(db, batch.id).map(({ name }) => name),
      day,
      night,
    ),
  );
  if (!kept) return;
  const at = batch.createdAt;
  keepComparison(db, {
    batchId: batch.id,
    against: "",
    seed: "1",
    word: null,
    verdict: "pass",
    summary,
    version: "0.0.0",
    createdAt: at,
  });
}

async function* onePage(expected: string) {
  yield [oneCase("a", { expected })];
}

/** A night varies by two points, and by five percent of its latency. */
function summaryOf(targets: readonly string[], day: number, night: DrawnNight): unknown {
  const random = randomStream(`night ${day}`);
  const { rates = [0.8, 0.7], failed = 0, latencyMs = 400, unconfirmed, bounds, undecided, metric = "correct" } = night;
  const { targetStopped = null } = night;
  const sides = targets.map((target, place) => {
    const mean = Math.round((rates[place] ?? 0.5) * 100 + 2 * gauss(random)) / 100;
    return {
      target,
      cases: 100,
      runsTried: 100,
      runsPaid: 100,
      runsWithoutAnswer: target === "test" ? failed : 0,
      errorGroups:
        target === "test" && failed > 0 ? [{ outcome: "server-error", message: "no model", jobs: failed }] : [],
      ...(target === "test" && targetStopped !== null && { stopped: targetStopped, unfinished: 2 }),
      latency: { median: latencyMs * Math.exp(0.05 * gauss(random)), p90: 0, p95: 0, p99: 0 },
      cost: null,
      scores: [
        { metric, of: "pass", cases: 100, mean, interval: { low: mean - 0.05, high: mean + 0.05 } },
        ...(night.twice === true ? [{ metric, of: "value", cases: 100, mean: 7, interval: null }] : []),
      ],
    };
  });
  const interval = { low: -0.2, high: 0 };
  const comparison = { n: 100, clusters: 100, estimate: -0.1, se: 0.05, interval };
  const verdict = night.verdict ?? (unconfirmed === undefined ? "pass" : "regression");
  return {
    verdict,
    word: verdict,
    ...(unconfirmed !== undefined && { confirmation: { unfinished: { kind: "runs-not-made" }, gates: [] } }),
    told: { invalid: failed > 5 ? "test gave no answer." : null, unconfirmed: unconfirmed ?? null },
    decision: { maxErrorShare: 0.05 },
    targets: sides,
    candidates: [{ candidate: "test", baseline: "prod", metrics: [{ metric, of: "pass", comparison }] }],
    ...(night.verdict === "regression" && { gates: [gateOf(null, { lower: -0.3, upper: -0.1 })], worse: [worseKind] }),
    ...(undecided !== undefined && { verdict: "inconclusive", word: "too-few-cases", gates: [openGate(undecided)] }),
    ...(bounds !== undefined && { gates: [gateOf("size", bounds), gateOf(null, bounds)] }),
  };
}

/** The cases of one kind lost most. */
const worseKind = {
  candidate: "test",
  place: 0,
  slice: { tag: "kind", value: "typo", cases: 24, baseline: 0.9, now: 0.1 },
  difference: -0.8,
};

function gateOf(tag: string | null, { lower, upper, sure }: NonNullable<DrawnNight["bounds"]>): unknown {
  const about = { metric: "correct", candidate: "test", baseline: "prod", state: "regression" };
  const sureLoss = sure === undefined ? null : { upper: sure, confidence: 0.99 };
  if (tag === null) return { ...about, slice: null, decided: { lower, upper }, sureLoss };
  return { ...about, slice: { tag, value: "big" }, decided: { lower: lower - 1, upper: upper - 1 } };
}

const openGate = (pRegression: number): unknown => ({
  metric: "correct",
  candidate: "test",
  baseline: "prod",
  slice: null,
  state: "inconclusive",
  margin: 0.05,
  decided: { lower: -0.2, upper: 0.01, pRegression },
});
