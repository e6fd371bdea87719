import { seededRandom, type Random } from "../../lib/random.ts";
import type { Interval } from "../../stats/interval.ts";
import { normalCdf, normalQuantile } from "../../stats/distributions/normal.ts";
import { comparePairs } from "../../stats/paired/paired-comparison.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { decideGates, type GateQuestion, type GateState } from "./gates.ts";
import { type ComparedMetric, lossOf, lowerIsBetter, rangeOf, worstOf } from "../comparison-plan.ts";
import { pairedNumbers } from "./metric-summary.ts";

/** The repeated runs of one target: what it does when nothing has changed. */
export interface RepeatedRuns {
  /** Cases of each cluster, one cluster after the other: cluster c has the cases from starts[c] to below starts[c + 1]. */
  starts: readonly number[];
  /** Runs of each cluster that all of its cases have: the first so many of a case's list. */
  runs: readonly number[];
  /** Values of the runs, by metric and by case. */
  values: readonly (readonly (readonly number[])[])[];
}

/** The plan of the imitated comparisons. */
export interface CalibrationPlan {
  metrics: readonly ComparedMetric[];
  /** Runs of a case on each side; fewer where there are not so many. */
  runs: { baseline: number; candidate: number };
  /** True drops that are planted, in the unit of the first gate's margin (in the others as many of theirs); 0: nothing has changed. */
  drops: readonly number[];
  repetitions: number;
  alpha: number;
  /** Share of wrong passes, the whole of it for all nights. */
  passAlpha: number;
  seed: string;
}

/** Results of the gates when a drop was planted. */
export interface CalibrationRow {
  drop: number;
  /** Repetitions in which some gate said so: the worst of the gates counts. */
  states: Record<Exclude<GateState, "invalid">, number>;
  repetitions: number;
  /** Share of repetitions with a regression, with Wilson's 95 % interval. */
  regression: number;
  interval: Interval | null;
  /**
   * The share that is promised: at most alpha up to the margin, and beyond it the power of the first gate by its mean
   * standard error.
   */
  promised: number;
  /**
   * True when the gates give no more false alarms than promised, as far as so many repetitions tell; null beyond the
   * margin.
   */
  kept: boolean | null;
  /** The same of passes, from a drop of the margin on, where each is a false one; null below. */
  keptPass: boolean | null;
}

/**
 * Compares a target with itself, again and again, through the gates as they are configured: draws whole clusters with
 * replacement, draws which of their runs are the candidate's, plants a drop, and decides. The shares are counted, not
 * derived from a formula.
 */
export function calibrate(data: RepeatedRuns, plan: CalibrationPlan): CalibrationRow[] {
  return plan.drops.map((drop) => {
    const random = seededRandom(`${plan.seed}/${drop}`);
    const states = { regression: 0, pass: 0, inconclusive: 0 };
    let half = 0;
    for (let repetition = 0; repetition < plan.repetitions; repetition++) {
      const found = repeatOnce(data, plan, { drop, random, seed: `${plan.seed}/${drop}/${repetition}` });
      states[found.state] += 1;
      half += found.half / plan.repetitions;
    }
    const { repetitions } = plan;
    const regression = states.regression / repetitions;
    const interval = wilsonInterval(states.regression, repetitions, 0.95);
    const isKept = (count: number, alpha: number): boolean =>
      (wilsonInterval(count, repetitions, 0.95)?.low ?? 0) <= alpha;
    const kept = isBeyond(plan, drop) ? null : isKept(states.regression, plan.alpha);
    const keptPass = isWithin(plan, drop) ? null : isKept(states.pass, plan.passAlpha);
    return { drop, states, repetitions, regression, interval, promised: promisedOf(plan, drop, half), kept, keptPass };
  });
}

interface Repetition {
  drop: number;
  random: Random;
  seed: string;
}

function repeatOnce(
  data: RepeatedRuns,
  plan: CalibrationPlan,
  { drop, random, seed }: Repetition,
): { state: keyof CalibrationRow["states"]; half: number } {
  const drawn = drawnCases(data, plan, random);
  const questions = plan.metrics.map((compared, place) =>
    question(compared, data, { place, drawn, plan, drop: plantedIn(compared, plan, drop), random, seed }),
  );
  const states = decideGates(questions, plan.alpha, plan.passAlpha).map(({ state }) => state);
  const { bounds, estimate } = questions[0]?.comparison ?? { bounds: { upper: null }, estimate: null };
  const half = bounds.upper === null || estimate === null ? 0 : bounds.upper - estimate;
  if (states.includes("regression")) return { state: "regression", half };
  return { state: states.every((state) => state === "pass") ? "pass" : "inconclusive", half };
}

/** Gates have units of their own: what is one margin of the first is one margin of each. */
function plantedIn(compared: ComparedMetric, { metrics: [first] }: CalibrationPlan, drop: number): number {
  const [own, ofFirst] = [compared.gate?.margin ?? 0, first?.gate?.margin ?? 0];
  if (first === undefined || compared === first) return drop;
  if (ofFirst > 0) return (drop / ofFirst) * own;
  // Without a margin there is only the unit to go by.
  return compared.of === first.of && rangeOf(compared) === rangeOf(first) ? drop : 0;
}

function isBeyond({ metrics: [first] }: CalibrationPlan, drop: number): boolean {
  return first !== undefined && dropOf(first, drop) - lossOf(first) > 1e-12;
}

function isWithin({ metrics: [first] }: CalibrationPlan, drop: number): boolean {
  return first === undefined || dropOf(first, drop) - lossOf(first) < -1e-12;
}

function promisedOf(plan: CalibrationPlan, drop: number, half: number): number {
  const { alpha, metrics } = plan;
  const [first] = metrics;
  if (first === undefined || half <= 0 || !isBeyond(plan, drop)) return alpha;
  const beyond = dropOf(first, drop) - lossOf(first);
  const z = normalQuantile(1 - alpha);
  return normalCdf(z * (beyond / half - 1));
}

/** A drop in the unit of the statistics: for a ratio the logarithm. */
function dropOf(compared: ComparedMetric, drop: number): number {
  return lossOf({ ...compared, gate: { margin: drop } });
}

interface DrawnCase {
  /** Its place among the cases. */
  place: number;
  /** Number of the draw: a cluster that is drawn twice counts as two. */
  cluster: number;
  /** Places of the runs that are each side's. */
  candidate: readonly number[];
  baseline: readonly number[];
}

function drawnCases({ starts, runs }: RepeatedRuns, plan: CalibrationPlan, random: Random): DrawnCase[] {
  const clusters = runs.length;
  const drawn: DrawnCase[] = [];
  for (let cluster = 0; cluster < clusters; cluster++) {
    const from = Math.floor(random() * clusters);
    const order = shuffled(runs[from] ?? 0, random);
    const candidates = Math.max(1, Math.min(plan.runs.candidate, order.length - 1));
    const candidate = order.slice(0, candidates);
    const baseline = order.slice(candidates, candidates + plan.runs.baseline);
    for (let place = starts[from] ?? 0; place < (starts[from + 1] ?? 0); place++) {
      drawn.push({ place, cluster, candidate, baseline });
    }
  }
  return drawn;
}

function shuffled(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other] ?? 0, order[i] ?? 0];
  }
  return order;
}

function question(
  compared: ComparedMetric,
  { values }: RepeatedRuns,
  given: { place: number; drawn: readonly DrawnCase[]; plan: CalibrationPlan } & Repetition,
): GateQuestion {
  const { drawn, plan, drop, random, seed } = given;
  const own = values[given.place] ?? [];
  const sign = lowerIsBetter(compared) ? -1 : 1;
  const lower = dropping(compared, drop, { random, mean: meanOf(own) });
  const differences = Float64Array.from(drawn, ({ place, candidate, baseline }) => {
    const runs = own[place] ?? [];
    const after = mean(candidate.map((run) => lower(runs[run] ?? Number.NaN)));
    return sign * (after - mean(baseline.map((run) => runs[run] ?? Number.NaN)));
  });
  const single = drawn.every(({ candidate, baseline }) => candidate.length === 1 && baseline.length === 1);
  const clusters = Int32Array.from(drawn, ({ cluster }) => cluster);
  const paired = pairedNumbers(compared, { single }, { differences, clusters });
  const loss = lossOf(compared);
  const options = { margin: loss, confidence: 1 - plan.alpha, passConfidence: 1 - plan.passAlpha, seed, second: false };
  const about = { metric: compared.metric.name, of: compared.of, candidate: "", baseline: "" };
  const comparison = paired.n === 0 ? null : comparePairs({ ...paired, range: rangeOf(compared) }, options);
  const margin = compared.gate?.margin ?? 0;
  return { ...about, margin, loss, comparison, noise: null, fixedBaseline: false, clusterColumn: null, invalid: null };
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function meanOf(values: readonly (readonly number[])[]): number {
  return mean(values.flat().filter((value) => !Number.isNaN(value)));
}

/** Makes a run worse, so that the mean falls by the drop: of a pass rate by failing so many of the passing runs. */
function dropping(
  compared: ComparedMetric,
  drop: number,
  { random, mean: rate }: { random: Random; mean: number },
): (value: number) => number {
  if (drop === 0) return (value) => value;
  if (compared.of === "pass") {
    const share = Math.min(1, drop / Math.max(rate, 1e-9));
    return (value) => (value > 0 && random() < share ? 0 : value);
  }
  const worst = worstOf(compared);
  // A value at the end of its scale cannot fall: each value falls by the same share of the way that it has.
  if (worst !== null) {
    const share = Math.min(1, drop / Math.max(Math.abs(rate - worst), 1e-9));
    return (value) => value + (worst - value) * share;
  }
  const down = dropOf(compared, drop);
  return lowerIsBetter(compared) ? (value) => value + down : (value) => value - down;
}
