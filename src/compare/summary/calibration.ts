import { seededRandom, type Random } from "../../lib/random.ts";
import type { Interval } from "../../stats/interval.ts";
import { normalCdf, normalQuantile } from "../../stats/distributions/normal.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { type ComparedMetric, lossOf, lowerIsBetter, marginGate, rangeOf, worstOf } from "../comparison-plan.ts";
import type { GateQuestion, MarginQuestion } from "./gate-question.ts";
import { gateQuestions, type Numbers } from "./gate-questions.ts";
import type { GateState } from "./gate-result.ts";
import { gateStates } from "./gates.ts";
import { inferredOf, pairedNumbers } from "./metric-inference.ts";
import { type Slice, sliceIndex } from "../tallies/slices.ts";

/** The repeated runs of one target: what it does when nothing has changed. */
export interface RepeatedRuns {
  /** Cases of each cluster, one cluster after the other: cluster c has the cases from starts[c] to below starts[c + 1]. */
  starts: readonly number[];
  /** Runs of each cluster that all of its cases have: the first so many of a case's list. */
  runs: readonly number[];
  /** Tags of each case. */
  tags: readonly Readonly<Record<string, string>>[];
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
  promised: number | null;
  /**
   * True when the gates give no more false alarms than promised, as far as so many repetitions tell; null beyond the
   * margin.
   */
  kept: boolean | null;
  /** The same of passes, from a drop of the margin on, where each is a false one; null below. */
  keptPass: boolean | null;
  /** Share of repetitions in which a gate that counts losses called a regression; null without such a gate. It promises nothing. */
  losses: number | null;
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
    let [half, lost] = [0, 0];
    for (let repetition = 0; repetition < plan.repetitions; repetition++) {
      const found = repeatOnce(data, plan, { drop, random, seed: `${plan.seed}/${drop}/${repetition}` });
      if (found.state !== null) states[found.state] += 1;
      half += found.half / plan.repetitions;
      lost += Number(found.lost) / plan.repetitions;
    }
    return rowOf(plan, { drop, states, half, lost });
  });
}

function rowOf(
  plan: CalibrationPlan,
  { drop, states, half, lost }: Pick<CalibrationRow, "drop" | "states"> & { half: number; lost: number },
): CalibrationRow {
  const { repetitions, metrics } = plan;
  const isKept = (count: number, alpha: number): boolean =>
    (wilsonInterval(count, repetitions, 0.95)?.low ?? 0) <= alpha;
  const beyond = beyondMargin(plan, drop);
  const counts = metrics.some(({ gates }) => gates.some(({ kind }) => kind === "losses"));
  return {
    drop,
    states,
    repetitions,
    regression: states.regression / repetitions,
    interval: wilsonInterval(states.regression, repetitions, 0.95),
    promised: promisedOf(plan, drop, half),
    kept: beyond === null || beyond > 1e-12 ? null : isKept(states.regression, plan.alpha),
    keptPass: beyond === null || beyond < -1e-12 ? null : isKept(states.pass, plan.passAlpha),
    losses: counts ? lost : null,
  };
}

interface Repetition {
  drop: number;
  random: Random;
  seed: string;
}

interface Repeated {
  /** Worst state of the gates that accept a margin; null where there is none. */
  state: keyof CalibrationRow["states"] | null;
  /** A gate that counts losses called a regression. */
  lost: boolean;
  /** Distance from the difference to the upper bound of the first gate. */
  half: number;
}

function repeatOnce(data: RepeatedRuns, plan: CalibrationPlan, { drop, random, seed }: Repetition): Repeated {
  const { metrics, alpha, passAlpha } = plan;
  const drawn = drawnCases(data, plan, random);
  const numbers = metrics.map((compared, place) =>
    numbersOf(compared, data, { place, drawn, drop: plantedIn(compared, plan, drop), random }),
  );
  const clusters = Int32Array.from(drawn, ({ cluster }) => cluster);
  const options = { confidence: 1 - alpha, passConfidence: 1 - passAlpha, seed, second: false };
  const overall = metrics.map((compared, place) => {
    const own = numbers[place];
    const margin = lossOf(compared, marginGate(compared)?.margin ?? 0);
    if (own === undefined || marginGate(compared) === null) return { inferred: null, noise: null };
    const paired = pairedNumbers(compared, own, { differences: own.differences, clusters });
    return { inferred: inferredOf(paired, { ...options, margin }), noise: null };
  });
  const results = { metrics: numbers, clusters, slices: slicesOf(data, drawn), expectedLength: null };
  const about = { candidate: "", baseline: "", fixedBaseline: false, clusterColumn: null };
  const questions = gateQuestions({ ...about, metrics, results, alpha, passAlpha, seed, overall });
  const standings = gateStates(questions, { alpha, passAlpha });
  const of = (kind: GateQuestion["kind"]) => standings.filter((_, place) => questions[place]?.kind === kind);
  const first = questions.find((question) => question.kind === "margin");
  return {
    state: worstOfMargins(of("margin")),
    lost: of("losses").some(({ state }) => state === "regression"),
    // The bound of one value of a tag tells nothing of the others.
    half: first === undefined || first.slice !== null ? 0 : halfOf(first, alpha),
  };
}

function worstOfMargins(standings: ReturnType<typeof gateStates>): Repeated["state"] {
  if (standings.length === 0) return null;
  if (standings.some(({ state }) => state === "regression")) return "regression";
  const asked = standings.filter(({ tooFew }) => !tooFew);
  return asked.length > 0 && asked.every(({ state }) => state === "pass") ? "pass" : "inconclusive";
}

function halfOf({ inferred, lossOf: lossAt, margin }: MarginQuestion, alpha: number): number {
  const upper = inferred?.inference.rule?.first.upper(1 - alpha, -lossAt(margin)) ?? null;
  const estimate = inferred?.comparison.estimate ?? null;
  return upper === null || estimate === null ? 0 : upper - estimate;
}

/** The cases that were drawn, by the values of their tags. */
function slicesOf({ tags }: RepeatedRuns, drawn: readonly DrawnCase[]): Slice[] {
  const index = sliceIndex();
  for (const { place } of drawn) index.add(tags[place] ?? {});
  return index.slices();
}

/** The margin that drops are measured by: of the first gate that accepts one. */
function firstMargin({
  metrics,
}: Pick<CalibrationPlan, "metrics">): { compared: ComparedMetric; margin: number } | null {
  for (const compared of metrics) {
    const margin = marginOf(compared);
    if (margin !== null) return { compared, margin };
  }
  return null;
}

function marginOf({ gates }: ComparedMetric): number | null {
  for (const gate of gates) if (gate.kind === "margin" && gate.margin !== null) return gate.margin;
  return null;
}

/** Gates have units of their own: what is one margin of the first is one margin of each. */
function plantedIn(compared: ComparedMetric, plan: CalibrationPlan, drop: number): number {
  const first = firstMargin(plan);
  const own = marginOf(compared);
  if (first === null || compared === first.compared) return drop;
  if (first.margin > 0 && own !== null) return (drop / first.margin) * own;
  // Without a margin there is only the unit to go by.
  return compared.of === first.compared.of && rangeOf(compared) === rangeOf(first.compared) ? drop : 0;
}

/** Distance of a drop beyond the margin of the first gate, as the statistics take it; null where no gate has one. */
function beyondMargin(plan: CalibrationPlan, drop: number): number | null {
  const first = firstMargin(plan);
  if (first === null) return null;
  const { compared, margin } = first;
  return lossOf(compared, drop) - lossOf(compared, margin);
}

function promisedOf(plan: CalibrationPlan, drop: number, half: number): number | null {
  const beyond = beyondMargin(plan, drop);
  if (beyond === null || beyond <= 1e-12) return beyond === null ? null : plan.alpha;
  if (half <= 0) return null;
  const z = normalQuantile(1 - plan.alpha);
  return normalCdf(z * (beyond / half - 1));
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

function numbersOf(
  compared: ComparedMetric,
  { values }: RepeatedRuns,
  given: { place: number; drawn: readonly DrawnCase[]; drop: number; random: Random },
): Numbers {
  const { drawn, drop, random } = given;
  const own = values[given.place] ?? [];
  const sign = lowerIsBetter(compared) ? -1 : 1;
  const lower = dropping(compared, drop, { random, mean: meanOf(own) });
  const runsOf = (place: number, runs: readonly number[], change: (value: number) => number): number =>
    mean(runs.map((run) => change(own[place]?.[run] ?? Number.NaN)));
  const candidate = Float64Array.from(drawn, (each) => runsOf(each.place, each.candidate, lower));
  const baseline = Float64Array.from(drawn, (each) => runsOf(each.place, each.baseline, (value) => value));
  const differences = candidate.map((after, place) => sign * (after - (baseline[place] ?? Number.NaN)));
  const kept = (values_: Float64Array): number =>
    values_.reduce((sum, value, place) => (Number.isNaN(differences[place]) ? sum : sum + value), 0);
  return {
    differences,
    sides: { baseline, candidate },
    positive: false,
    beside: 0,
    sums: { baseline: kept(baseline), candidate: kept(candidate) },
    single: drawn.every((each) => each.candidate.length === 1 && each.baseline.length === 1),
  };
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
  const down = lossOf(compared, drop);
  return lowerIsBetter(compared) ? (value) => value + down : (value) => value - down;
}
