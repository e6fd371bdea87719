import { seededRandom, type Random } from "../../lib/random.ts";
import type { Interval } from "../../stats/interval.ts";
import { normalCdf, normalQuantile } from "../../stats/distributions/normal.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { type ComparedMetric, isMargin, lossOf, marginGate, rangeOf } from "../comparison-plan.ts";
import type { MarginQuestion } from "./gate-shapes.ts";
import { gateQuestions } from "./gate-questions.ts";
import type { GateState } from "../verdict-word.ts";
import { gateRuleOf } from "./gate-rules.ts";
import { gateStates, worstState } from "./gates.ts";
import { drawnCases, numbersOf, type RepeatedRuns, segmentsOfDrawn } from "./imitation.ts";
import { inferredOf, pairedNumbers } from "./metric-inference.ts";

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
  const counts = metrics.some(({ gates }) => gates.some((gate) => !gateRuleOf(gate).claims));
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
  const drawn = drawnCases(data, plan.runs, random);
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
  const results = {
    metrics: numbers,
    clusters,
    slices: segmentsOfDrawn(data, drawn),
    sent: new Int32Array(0),
    expectedLength: null,
  };
  const about = { candidate: "", baseline: "", fixedBaseline: false, clusterColumn: null, stop: null, chosen: null };
  const questions = gateQuestions({ ...about, metrics, results, alpha, passAlpha, seed, overall });
  const standings = gateStates(questions, { alpha, passAlpha });
  const claiming = questions.map((question) => gateRuleOf(question).claims);
  const of = (claims: boolean) => standings.filter((_, place) => claiming[place] === claims);
  const first = questions.find(isMargin);
  return {
    state: decidedState(of(true)),
    lost: of(false).some(({ state }) => state === "regression"),
    // The bound of one value of a tag tells nothing of the others.
    half: first === undefined || first.slice !== null ? 0 : halfOf(first, alpha),
  };
}

/** A gate of which nothing is known is as open as any other. */
function decidedState(standings: ReturnType<typeof gateStates>): Repeated["state"] {
  const worst = worstState(standings);
  return worst === "invalid" ? "inconclusive" : worst;
}

function halfOf({ inferred, lossOf: lossAt, margin }: MarginQuestion, alpha: number): number {
  const upper = inferred?.inference.rule?.first.upper(1 - alpha, -lossAt(margin)) ?? null;
  const estimate = inferred?.comparison.estimate ?? null;
  return upper === null || estimate === null ? 0 : upper - estimate;
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
  for (const gate of gates) if (isMargin(gate) && gate.margin !== null) return gate.margin;
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
