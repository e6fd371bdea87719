import {
  correctedDifference,
  differenceByLabels,
  withKnown,
  fewestLabelledClusters,
  fewestLabels,
  type JudgedDifferences,
  type LabelsRefused,
} from "../../stats/judged/corrected-difference.ts";
import { differenceOf, pairedFigures, type PairedOptions } from "../../stats/difference.ts";
import type { ChosenRows, LabelsCause } from "../cause.ts";
import { type ComparedMetric, endsOf, isMargin, type LabellersAgreement, rangeOf } from "../comparison-plan.ts";
import { signOf } from "../cases/case-turn.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { LabelledCase, PeopleNumbers } from "../tallies/people-tally.ts";
import type { PeopleView } from "./people-view.ts";
import { type Inferred, pairedNumbers } from "./metric-inference.ts";

/** The labels of a metric, and what is decided by them. */
export interface ByPeople {
  view: PeopleView;
  /** Null: the labels decide nothing. */
  found: DecidedByPeople | null;
}

/** ComparedFigures of the sides, and the rule that decides. */
interface DecidedByPeople {
  inferred: Inferred;
  baseline: number;
  candidate: number;
  /** The same with the differences of cases that a side has no answer in, by place: each as it is given. */
  withGaps: (gaps: ReadonlyMap<number, number>) => Inferred | null;
}

interface PeopleOptions {
  clusters: Int32Array | null;
  questions: Int32Array | null;
  has?: (place: number) => boolean;
  /** Why nothing may be inferred from the cases at hand; null: something may. */
  chosen: ChosenRows | Extract<LabelsCause, { kind: "decided-early-by-labels" }> | null;
  /** ComparedFigures by the judge alone. */
  judge: PeopleView["judge"];
  options: PairedOptions;
}

/** Share of the cases of a draw that may be without a label: more of them would be a choice of the labeller's. */
const mostUnlabelled = 0.1;

/** Decides by the labels of people where these are a draw, or of every case. Null where nobody labelled. */
export function byPeople(
  compared: ComparedMetric,
  numbers: Pick<MetricNumbers, "differences" | "sides" | "single"> & { people?: PeopleNumbers },
  given: PeopleOptions,
): ByPeople | null {
  const { people } = numbers;
  if (people === undefined) return null;
  if (people.labelled.length + people.examples.length === 0 && (people.open ?? []).length === 0) return null;
  const frame = frameOf(numbers.differences, people, given.has);
  const own = people.labelled.filter(({ place }) => frame.at.has(place));
  const isWhole = own.length > 0 && own.length === frame.places.length;
  const labelled = isWhole ? own : own.filter(({ drawn }) => drawn !== null);
  const open = isWhole ? [] : (people.open ?? []).filter(({ place }) => frame.at.has(place));
  const view = {
    cases: frame.places.length,
    labels: labelled.length,
    unlabelled: open.length,
    worse: labelled.filter(({ human }) => human < 0).length,
    better: labelled.filter(({ human }) => human > 0).length,
    stale: people.stale,
    examples: frame.examples,
    ...(compared.agreement !== undefined && { agreement: compared.agreement }),
    judge: given.judge,
  };
  const refuse = (refused: LabelsCause): ByPeople => ({
    view: { ...view, refused, alone: null, corrected: null },
    found: null,
  });
  if (given.chosen !== null) return refuse(given.chosen);
  const accepts = compared.gates.some((gate) => isMargin(gate) && gate.accept === "disagreement");
  if (compared.agreement?.tooLow === true && !accepts) return refuse(disagreeing(compared.agreement));
  if (isWhole) {
    const withGaps = (gaps: ReadonlyMap<number, number>): Inferred | null =>
      allLabelled(compared, numbers, { ...given, labelled, gaps });
    const inferred = withGaps(new Map());
    if (inferred === null) return refuse({ kind: "no-labels" });
    const sides = sidesOf(compared, mean(labelled), inferred.comparison.estimate ?? 0);
    return { view: { ...view, refused: null, alone: null, corrected: null }, found: { inferred, ...sides, withGaps } };
  }
  if (frame.places.length === 0) return refuse({ kind: "all-examples" });
  if (labelled.length === 0 && open.length === 0)
    return refuse(own.length === 0 ? { kind: "no-labels" } : { kind: "not-drawn", labels: own.length });
  if (labelled.length === 0) return refuse({ kind: "no-labels" });
  // Those that the judge was written with were counted among them, and not drawn.
  const later = given.has === undefined ? frame.places.length + frame.examples - (people.drawnOf ?? 0) : 0;
  if (later > 0) return refuse({ kind: "drawn-before", rows: later });
  if (open.length > mostUnlabelled * (open.length + labelled.length))
    return refuse({ kind: "draw-incomplete", labels: labelled.length, of: open.length + labelled.length });
  const chances = chancesOf(labelled, open);
  const clusters = given.clusters ?? given.questions;
  const drawn = {
    labels: labelled.map((each) => {
      return { place: frame.at.get(each.place) ?? 0, human: each.human, probability: chances(each) };
    }),
    clusters: clusters === null ? null : Int32Array.from(frame.places, (place) => clusters[place] ?? 0),
    range: rangeOf(compared),
  };
  const corrected = correctedDifference({ ...drawn, judge: frame.judge });
  if (typeof corrected === "string") return refuse(refusals[corrected](labelled.length));
  const withGaps = (gaps: ReadonlyMap<number, number>): Inferred => {
    const difference = differenceByLabels(withKnown(corrected, Array.from(gaps.values())));
    return { difference, comparison: pairedFigures(difference, given.options) };
  };
  const { lambda, correlation, sd, isWidened, differing, labelledClusters, df } = corrected;
  const before = baselineOf(numbers, { labelled, frame: frame.places, chances, lambda });
  return {
    view: {
      ...view,
      refused: null,
      alone: labelsAlone({ ...drawn, judge: new Float64Array(frame.judge.length) }),
      corrected: { lambda, correlation, sd, isWidened, differing, labelledClusters, df },
    },
    found: { inferred: withGaps(new Map()), ...sidesOf(compared, before, corrected.estimate), withGaps },
  };
}

/** The difference by the labels, of a judge that sees none: what people alone would say, with its interval. */
function labelsAlone(data: JudgedDifferences): PeopleView["alone"] {
  const found = correctedDifference(data);
  if (typeof found === "string") return null;
  return { estimate: found.estimate, interval: differenceByLabels(found).interval(0.95) };
}

/** The cases that both sides answered, by place, and the judge's differences in them. */
interface Frame {
  places: number[];
  at: ReadonlyMap<number, number>;
  judge: Float64Array;
  /** Number of those that the judge was written with: they are not among the places. */
  examples: number;
}

function frameOf(
  differences: Float64Array,
  { ungraded, own, examples }: PeopleNumbers,
  has: (place: number) => boolean = () => true,
): Frame {
  const open = new Set(ungraded);
  const written = new Set(examples);
  const places: number[] = [];
  for (let place = 0; place < differences.length; place++) {
    if (!has(place) || written.has(place)) continue;
    if (!Number.isNaN(differences[place]) || open.has(place)) places.push(place);
  }
  const judge = Float64Array.from(places, (place) => own.get(place) ?? differences[place] ?? Number.NaN);
  const at = new Map(places.map((place, index) => [place, index]));
  return { places, at, judge, examples: examples.filter(has).length };
}

/** The chance of a case to have a label: that of the draw, times the share of its part that came back. */
function chancesOf(
  labelled: readonly LabelledCase[],
  open: NonNullable<PeopleNumbers["open"]>,
): (each: LabelledCase) => number {
  const [back, lost] = [new Map<number, number>(), new Map<number, number>()];
  for (const { drawn } of labelled) if (drawn !== null) back.set(drawn.part, (back.get(drawn.part) ?? 0) + 1);
  for (const { part } of open) lost.set(part, (lost.get(part) ?? 0) + 1);
  return ({ drawn }) => {
    if (drawn === null) return 1;
    const came = back.get(drawn.part) ?? 1;
    return (drawn.probability * came) / (came + (lost.get(drawn.part) ?? 0));
  };
}

/** Every case has a label: the judge has nothing to add, and the usual rule decides by people's differences. */
function allLabelled(
  compared: ComparedMetric,
  numbers: Pick<MetricNumbers, "differences" | "sides" | "single">,
  given: PeopleOptions & { labelled: readonly LabelledCase[]; gaps: ReadonlyMap<number, number> },
): Inferred | null {
  const { labelled, gaps, clusters, questions, options } = given;
  const differences = new Float64Array(numbers.differences.length).fill(Number.NaN);
  for (const { place, human } of labelled) differences[place] = human;
  for (const [place, difference] of gaps) differences[place] = difference;
  const paired = pairedNumbers(compared, { single: numbers.single, sides: null }, { differences, clusters, questions });
  if (paired.n === 0) return null;
  const difference = differenceOf(paired);
  return { difference, comparison: pairedFigures(difference, options) };
}

/** The baseline as people would grade it, by the same estimator as the difference. */
function baselineOf(
  { sides }: Pick<MetricNumbers, "sides">,
  given: {
    labelled: readonly LabelledCase[];
    frame: readonly number[];
    chances: (each: LabelledCase) => number;
    lambda: number;
  },
): number {
  const { labelled, chances } = given;
  const judge = (place: number): number => sides?.baseline[place] ?? Number.NaN;
  const known = given.frame.map(judge).filter((value) => !Number.isNaN(value));
  const lambda = known.length === 0 ? 0 : given.lambda;
  const all = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  let [total, whole] = [0, 0];
  for (const each of labelled) {
    const own = judge(each.place);
    const weight = 1 / chances(each);
    whole += weight;
    total += weight * (each.baseline - lambda * (Number.isNaN(own) ? all : own));
  }
  return lambda * all + total / whole;
}

const mean = (labelled: readonly LabelledCase[]): number =>
  labelled.reduce((sum, { baseline }) => sum + baseline, 0) / labelled.length;

/** The sides of a difference, within the ends of the scale: the difference is the one that was inferred. */
function sidesOf(compared: ComparedMetric, baseline: number, difference: number) {
  const { min, max } = endsOf(compared) ?? { min: -Infinity, max: Infinity };
  const within = (value: number): number => Math.min(max, Math.max(min, value));
  return { baseline: within(baseline), candidate: within(baseline + signOf(compared) * difference) };
}

function disagreeing({ alpha, interval, both }: LabellersAgreement): LabelsCause {
  return { kind: "labellers-disagree", alpha, interval, answers: both };
}

const refusals: Record<LabelsRefused, (labels: number) => LabelsCause> = {
  "too-few-labels": (labels) => ({ kind: "too-few-labels", labels, fewest: fewestLabels }),
  "too-few-clusters": () => ({ kind: "too-few-label-groups", fewest: fewestLabelledClusters }),
  "no-variation": () => ({ kind: "labels-alike" }),
};
