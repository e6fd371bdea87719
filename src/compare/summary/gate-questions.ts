import type { ComparedMetric, MarginGate, MetricGate } from "../comparison-plan.ts";
import { lossOf, rangeOf, worstOf } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { Slice } from "../tallies/slices.ts";
import { fewestToPassByBetting } from "../../stats/betting/fewest.ts";
import type { StopRule } from "../stop-rule.ts";
import { floorCause } from "./floor-cause.ts";
import type { GateQuestion, Inferred, LookedAt, LossesQuestion, MarginQuestion } from "./gate-question.ts";
import type { SliceFigures, TaggedCases } from "./gate-result.ts";
import { inferredUnder, type InferenceOptions, isLookedAt, pairedNumbers } from "./metric-inference.ts";
import type { NoiseSummary } from "./metric-noise.ts";
import { sideFigure } from "./side-figure.ts";

/** The numbers of a metric that gates decide by. */
export type Numbers = Pick<MetricNumbers, "differences" | "sides" | "positive" | "sums" | "single" | "beside">;

/** Numbers of one pair, of which its gates ask. */
interface Given {
  metrics: readonly ComparedMetric[];
  results: Pick<PairResults, "slices" | "clusters" | "sent" | "expectedLength"> & { metrics: readonly Numbers[] };
  candidate: string;
  baseline: string;
  alpha: number;
  passAlpha: number;
  seed: string;
  fixedBaseline: boolean;
  clusterColumn: string | null;
  /** Null: everything was looked at once, when it was in. */
  stop: StopRule | null;
  /** Why nothing is claimed of the cases; null: something may be. */
  chosen: string | null;
  /** Results of each metric over all cases. */
  overall: readonly Overall[];
}

interface Overall {
  inferred: Inferred | null;
  noise: NoiseSummary | null;
}

export function gateQuestions(given: Given): GateQuestion[] {
  return given.metrics.flatMap((compared, place) => {
    const numbers = given.results.metrics[place];
    if (numbers === undefined) return [];
    const about = { compared, numbers, given, overall: given.overall[place] ?? { inferred: null, noise: null } };
    return compared.gates.flatMap((gate) =>
      gate.by === null ? [questionOf(gate, about)] : byTag(gate, gate.by, about),
    );
  });
}

interface About {
  compared: ComparedMetric;
  numbers: Numbers;
  given: Given;
  overall: Overall;
}

/** One question for each value of a tag. */
function byTag(gate: MetricGate, tag: string, about: About): GateQuestion[] {
  const all = slicesOf(tag, about.given);
  const slices = about.numbers.beside === 0 ? all : all.filter((slice) => isGraded(slice, about.numbers));
  if (slices.length > 0) return slices.map((slice) => questionOf(gate, about, { slice, values: slices.length }));
  const question = questionOf(gate, about);
  return [{ ...question, invalid: `no case has a value of the tag ${tag}` }];
}

/** The values of a tag that the cases have; of a run that may stop those of the plan, in its cases so far. */
function slicesOf(tag: string, { results, stop }: Given): Slice[] {
  const found = results.slices.filter((slice) => slice.tag === tag);
  const planned = stop?.values.get(tag);
  if (planned === undefined) return found;
  return Array.from(planned.keys(), (value) => {
    return found.find((slice) => slice.value === value) ?? { tag, value, and: null, cases: 0, has: () => false };
  });
}

/** A value of which every case lacks what the scorer compares with has no gate. */
function isGraded({ has }: Slice, { differences }: Numbers): boolean {
  return differences.some((difference, place) => has(place) && !Number.isNaN(difference));
}

interface OfSlice {
  slice: Slice;
  values: number;
}

function questionOf(gate: MetricGate, about: About, of: OfSlice | null = null): GateQuestion {
  const question = gate.kind === "losses" ? lossesQuestion(gate.losses, about, of) : marginQuestion(gate, about, of);
  return gate.confirm === true ? { ...question, confirm: true } : question;
}

function headOf({ compared, given, numbers }: About, of: OfSlice | null) {
  const { candidate, baseline, chosen } = given;
  const slice: TaggedCases | null = of === null ? null : { tag: of.slice.tag, value: of.slice.value };
  const about = { metric: compared.metric.name, of: compared.of, candidate, baseline, slice };
  return { ...about, invalid: nothingGraded(numbers), chosen };
}

/** The reason where no case has what the scorer compares with; null where one has, or where nothing is known of it. */
function nothingGraded({ beside, differences }: Numbers): string | null {
  if (beside === 0 || differences.some((difference) => !Number.isNaN(difference))) return null;
  return `no case with an expected answer has a score on both sides; ${beside} of ${differences.length} have none`;
}

function marginQuestion(gate: MarginGate, about: About, of: OfSlice | null): MarginQuestion {
  const { compared, numbers, given } = about;
  const { clusterColumn, fixedBaseline } = given;
  const margin = gate.margin ?? 0;
  const inferred = of === null ? about.overall.inferred : sliceInferred(about, margin, of);
  const { metric } = compared;
  const isOpen = compared.of === "value" && metric.scale.kind === "unbounded";
  const head = headOf(about, of);
  return {
    ...head,
    kind: "margin",
    figures: figuresOf(about, of, inferred),
    invalid: gate.margin === null ? `${metric.name} has no bounds: its gate needs a margin` : head.invalid,
    margin,
    lossOf: (each) => lossOf(compared, each),
    inferred,
    noise: of === null ? about.overall.noise : null,
    fixedBaseline,
    clusterColumn,
    room: roomOf(about, of),
    floorCause: floorCause(compared, countsOf(about, of)),
    instead: isOpen ? (numbers.positive ? ["ratio", "median"] : ["median"]) : [],
    values: of?.values ?? 1,
    looked: lookedAt(margin, about, of),
    range: rangeOf(compared),
  };
}

/** The size of the gate, where it was looked at while its cases came in. */
function lookedAt(margin: number, { compared, given }: About, of: OfSlice | null): LookedAt | null {
  const range = rangeOf(compared);
  if (given.stop === null || given.chosen !== null || range === null || !isLookedAt(compared)) return null;
  const { most } = given.stop;
  const wager = { margin: lossOf(compared, margin) / range, most };
  return { planned: plannedOf(given.stop, of), fewest: fewestToPassByBetting(wager, given.passAlpha) };
}

function plannedOf({ planned, values }: StopRule, of: OfSlice | null): number {
  return of === null ? planned : (values.get(of.slice.tag)?.get(of.slice.value) ?? of.slice.cases);
}

function figuresOf(about: About, of: OfSlice | null, inferred: Inferred | null): SliceFigures | null {
  if (of === null) return null;
  const { compared, numbers } = about;
  const { cases, worse, better } = countsOf(about, of);
  const { has } = of.slice;
  const shown = (side: "baseline" | "candidate"): number | null => sideFigure(compared, numbers, { side, has });
  const comparison = inferred?.comparison ?? null;
  return { cases, baseline: shown("baseline"), candidate: shown("candidate"), worse, better, comparison };
}

function sliceInferred(about: About, margin: number, { slice }: OfSlice): Inferred | null {
  const { compared, numbers, given } = about;
  const { clusters, sent } = given.results;
  const cases = { differences: numbers.differences, clusters, sent, has: slice.has };
  const paired = pairedNumbers(compared, numbers, cases);
  const options: InferenceOptions = {
    margin: lossOf(compared, margin),
    confidence: 1 - given.alpha,
    passConfidence: 1 - given.passAlpha,
    seed: `${given.seed}/${compared.metric.name}/${slice.tag}/${slice.value}`,
    second: false,
  };
  // A value that no case had before the run stopped is open.
  const isNone = paired.n === 0 && !(given.stop !== null && given.chosen === null && isLookedAt(compared));
  return isNone ? null : inferredUnder(given, { compared, paired, given: cases }, options);
}

/** Room of the baseline to fall; null: a score without an end, or of which nothing is known. */
function roomOf(about: About, of: OfSlice | null): number | null {
  const worst = worstOf(about.compared);
  if (worst === null || rangeOf(about.compared) === null) return null;
  const { n, baseline } = meansOf(about, of);
  return n === 0 ? null : Math.abs(baseline - worst);
}

function meansOf({ numbers }: About, of: OfSlice | null): { n: number; baseline: number } {
  let [n, total] = [0, 0];
  const { differences, sides, sums } = numbers;
  for (let place = 0; place < differences.length; place++) {
    if (Number.isNaN(differences[place]) || (of !== null && !of.slice.has(place))) continue;
    n += 1;
    total += sides?.baseline[place] ?? 0;
  }
  const baseline = sides === null ? sums.baseline : total;
  return { n, baseline: n === 0 ? 0 : baseline / n };
}

/** Cases that newly fail or newly pass, where a case that differs by one whole pass did so in all its runs. */
function lossesQuestion(losses: number, about: About, of: OfSlice | null): LossesQuestion {
  const { lost, gained, cases, passing } = countsOf(about, of);
  return {
    ...headOf(about, of),
    kind: "losses",
    figures: figuresOf(about, of, null),
    losses,
    counted: { lost, gained, cases },
    passing,
    left: about.given.stop === null ? 0 : Math.max(0, plannedOf(about.given.stop, of) - seenOf(about, of)),
    floorCause: floorCause(about.compared, { lost, gained, cases, passing, ...expectedOf(about) }),
  };
}

/** Cases that were looked at, whether they have a score or not. */
function seenOf({ numbers }: About, of: OfSlice | null): number {
  return of === null ? numbers.differences.length : of.slice.cases;
}

function countsOf(about: About, of: OfSlice | null) {
  const { differences } = about.numbers;
  const counts = { lost: 0, gained: 0, worse: 0, better: 0, cases: 0 };
  for (let place = 0; place < differences.length; place++) {
    const difference = differences[place] ?? Number.NaN;
    if (Number.isNaN(difference) || (of !== null && !of.slice.has(place))) continue;
    counts.cases += 1;
    if (difference < 0) counts.worse += 1;
    else if (difference > 0) counts.better += 1;
    // The runs of a case are averaged: only all passes against all fails are a whole pass apart.
    if (difference === -1) counts.lost += 1;
    else if (difference === 1) counts.gained += 1;
  }
  const { baseline } = meansOf(about, of);
  return { ...counts, passing: Math.round(baseline * counts.cases), ...expectedOf(about) };
}

function expectedOf({ given }: About) {
  return { expectedLength: given.results.expectedLength };
}
