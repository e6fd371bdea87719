import type { Interval } from "../stats/interval.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import type { Price } from "../api/price.ts";
import type { AskedText, Laxity, Metric } from "../score/contract/scorer.ts";
import type { JudgeCheck } from "../stats/rater-agreement.ts";
import type { CaseResult } from "../store/results/case-result.ts";
import type { TriesAsked } from "../stats/planning/tries.ts";
import type { GateKind } from "../suite/gate-settings.ts";

/** A side of a comparison: what one target answered in a batch, or in several batches that are pooled. */
export interface ComparedTarget {
  /** Its name wherever it is shown; unique in the comparison. */
  target: string;
  /** The same for people where it begins with the name of a batch: `prod of 21 November`. */
  label?: string;
  /** Ids of the targets of which it is made, one for each batch. Their runs of a case are counted in this order. */
  targetIds: readonly number[];
  /** Ids of their batches. */
  batchIds: readonly number[];
  /** Their names. */
  batches?: readonly string[];
  endpoint: EndpointName;
  /** The reason why nothing more was sent to it; null otherwise. */
  stopped: string | null;
  /** Runs of each case that were planned. */
  repeats: number;
  /** In the owner's unit; null: not known. */
  price: Price | null;
  /** True when only the answers of its outputs are kept, as in an exported pin: there is no structure to compare. */
  answersOnly: boolean;
}

/** The name of a target for people. */
export const labelOf = (sides: readonly Pick<ComparedTarget, "target" | "label">[], name: string): string =>
  sides.find(({ target }) => target === name)?.label ?? name;

/** Targets and candidates with the names that people know them by, for sentences. */
export function labelled<
  Targets extends readonly { target: string }[],
  Candidates extends readonly { candidate: string; baseline: string }[],
>(
  { targets, candidates }: { targets: Targets; candidates: Candidates },
  sides: readonly Pick<ComparedTarget, "target" | "label">[],
): { targets: Targets[number][]; candidates: Candidates[number][] } {
  const name = (target: string): string => labelOf(sides, target);
  return {
    targets: targets.map((each: Targets[number]) => ({ ...each, target: name(each.target) })),
    candidates: candidates.map((each: Candidates[number]) => ({
      ...each,
      candidate: name(each.candidate),
      baseline: name(each.baseline),
    })),
  };
}

/** A candidate and what it is compared with, as places in the list of sides. */
export interface Pair {
  baseline: number;
  candidate: number;
  /** Cases of the pair that were drawn for people to label. */
  drawn?: LabelDraw;
}

/** Cases that were drawn at random for people to label. */
export interface LabelDraw {
  /** By their ids. */
  cases: ReadonlyMap<number, CaseOfDraw>;
  /** Number of the cases that could be drawn. */
  of: number;
}

export interface CaseOfDraw {
  /** The place of the part that drew it in a merged batch; else 0. */
  part: number;
  /** The chance that it had to be drawn, above 0. */
  probability: number;
}

/** Labels of people on the scale of a metric, by the job whose answer they are of. */
export type PeopleLabels = ReadonlyMap<number, PeopleLabel>;

interface PeopleLabel {
  /** As most people say, or their middle. */
  value: number;
  /** A hash of the text that was labelled; null: it was not kept. */
  answer: string | null;
}

/** Agreement of the people who labelled, each without knowing of the others. */
export interface LabellersAgreement {
  /** Their names, empty where one is not told. */
  labellers: readonly string[];
  /** Answers that two of them or more labelled. */
  both: number;
  /** Krippendorff's alpha; null where nothing was labelled twice, or there is one class only. */
  alpha: number | null;
  /** Its 95 % interval, by a jackknife over cases; null below 20 such answers, and where nobody disagrees. */
  interval: Interval | null;
  /** The lower end is below .667: a gate on these labels decides nothing. */
  tooLow: boolean;
}

/** The value of a metric that is compared: of a median that of the differences, of a ratio that of the two sides. */
export type MeasureOf = "pass" | "value" | "median" | "ratio";

/** One number per case that is compared: a metric, as pass rate, mean or median value, or ratio. */
export interface ComparedMetric {
  metric: Metric;
  of: MeasureOf;
  /** Id of a target to the place of the scorer among the scores of its jobs; a target without it has no such score. */
  places: ReadonlyMap<number, number>;
  gates: readonly MetricGate[];
  /** Its scorer looks at the expected answer: sides that were graded by other texts are not compared by it. */
  byExpected?: boolean;
  /** Its scorer is a judge: the check of it by labels of people. */
  judge?: JudgeCheck;
  /** Its scorer is a judge, and people labelled answers on its scale. */
  people?: PeopleLabels;
  /** Tells which cases its judge was written with, of which their labels say nothing. */
  isExample?: (found: CaseResult) => boolean;
  /** Agreement of these people. */
  agreement?: LabellersAgreement;
  /** Share of what is no answer to a row that its scorer passes, by the name of the side that said it. */
  laxity?: ReadonlyMap<string, Laxity>;
  /** Its scorer says whether an answer is, or holds, the expected text. */
  asks?: AskedText;
  /** Its scorer measures the run and not what was said: a difference is none of the answers. */
  measuresRun?: boolean;
}

/** A gate of a metric, over all cases or over those of each value of a tag. */
export type MetricGate = GateByKind[GateKind];

/** A gate of each kind. */
export interface GateByKind {
  margin: MarginGate;
  losses: LossesGate;
  cases: CasesGate;
}

/** A gate whose regression is asked once more before it counts. */
interface Confirmable {
  confirm?: boolean;
}

export interface MarginGate extends Confirmable {
  kind: "margin";
  /** The loss that is accepted: a share of a pass rate or a ratio, else in the unit of the score. Null: none is known. */
  margin: number | null;
  /** Name of the tag; null: all cases together. */
  by: string | null;
  /** It decides only by people's labels of a draw, where its scorer is a judge. Left out: by the judge where there are none. */
  require?: "labels";
  /** It goes by labels of people who do not agree enough. */
  accept?: "disagreement";
}

interface LossesGate extends Confirmable {
  kind: "losses";
  /** The most cases that may turn from pass to fail. */
  losses: number;
  by: string | null;
}

/** It is never asked once more: its tries are. */
interface CasesGate {
  kind: "cases";
  /** Passes that every case has to have, among so many tries. */
  tries: TriesAsked;
  by: string | null;
  confirm?: never;
}

/** Narrows to a gate, a question or a result of the kind that accepts a margin: no other kind has the figures of one. */
export const isMargin = <Of extends { kind: GateKind }>(each: Of): each is Extract<Of, { kind: "margin" }> =>
  each.kind === "margin";

const takingGaps: Record<GateKind, boolean> = { margin: false, losses: true, cases: false };

/** True for a gate that takes a row which the candidate leaves without an answer or a grade for one that newly fails. */
export const losesGaps = ({ kind }: MetricGate): boolean => takingGaps[kind];

/** The gate over all cases that accepts a margin; null where there is none. */
export function marginGate({ gates }: Pick<ComparedMetric, "gates">): MarginGate | null {
  for (const gate of gates) if (isMargin(gate) && gate.by === null) return gate;
  return null;
}

/** An accepted loss as the statistics take it: of a ratio the difference of logarithms that it is. */
export function lossOf(
  { of, metric }: { of: MeasureOf; metric: Pick<ComparedMetric["metric"], "lowerIsBetter"> },
  margin: number,
): number {
  if (of !== "ratio") return margin;
  return metric.lowerIsBetter ? Math.log1p(margin) : -Math.log1p(-Math.min(margin, 0.999));
}

/** The pairs that are compared, and the metrics. */
export interface ComparisonPlan {
  /** Every side that is shown, the baseline among them, in the order of the suite. */
  sides: readonly ComparedTarget[];
  pairs: readonly Pair[];
  metrics: readonly ComparedMetric[];
  /** Member paths of which no difference counts. */
  ignore: readonly string[];
}

/** Place of the metric that a case is called better or worse by, which is the first one that is primary; -1: there is none. */
export function primaryPlace(metrics: readonly Pick<ComparedMetric, "metric">[]): number {
  const primary = metrics.findIndex(({ metric }) => metric.primary);
  return primary === -1 && metrics.length > 0 ? 0 : primary;
}

/** Metrics or scorers with the primary one first: in this order every summary, row and table has them. */
export function primaryFirst<Each extends { metric: Pick<Metric, "primary"> }>(metrics: readonly Each[]): Each[] {
  return metrics.toSorted((one, other) => Number(other.metric.primary) - Number(one.metric.primary));
}

/** Place of the primary metric if it says pass or fail, else of the first that does; -1 where none does. */
export function passPlace({ metrics }: Pick<ComparisonPlan, "metrics">): number {
  const primary = metrics.findIndex(({ metric, of }) => metric.primary && metric.passes && of === "pass");
  return primary === -1 ? metrics.findIndex(({ of }) => of === "pass") : primary;
}

/** Unit of what is compared; null: it has none. */
export function unitOf({ metric: { scale }, of }: Pick<ComparedMetric, "metric" | "of">): string | null {
  return of === "pass" || scale.kind === "pass" ? null : (scale.unit ?? null);
}

/** The ends between which values are compared; null: they have none. */
export function endsOf({ metric: { scale }, of }: Pick<ComparedMetric, "metric" | "of">): Ends | null {
  if (of === "pass") return ofShares;
  if (of === "ratio" || scale.kind === "unbounded") return null;
  return scale.kind === "pass" ? ofShares : scale;
}

interface Ends {
  min: number;
  max: number;
}

const ofShares: Ends = { min: 0, max: 1 };

/** Greatest difference that two cases can have; null: there is no bound. */
export function rangeOf(compared: Pick<ComparedMetric, "metric" | "of">): number | null {
  const ends = endsOf(compared);
  return ends && ends.max - ends.min;
}

/** A value as it is compared: one beyond the ends of a scale that values may leave counts as the end. */
export function comparedValue(value: number, { metric: { scale }, of }: Pick<ComparedMetric, "metric" | "of">): number {
  if (of === "ratio" || scale.kind !== "bounded" || scale.cut === undefined) return value;
  return Math.min(scale.max, Math.max(scale.min, value));
}

/** The value of a missing answer; null: none, the case leaves the pairing. */
export function worstOf(compared: Pick<ComparedMetric, "metric" | "of">): number | null {
  const ends = endsOf(compared);
  return ends && (lowerIsBetter(compared) ? ends.max : ends.min);
}

/** Room of a baseline to fall; null: there is no end, or nothing is known of it. */
export function headroomOf(compared: Pick<ComparedMetric, "metric" | "of">, baseline: number | null): number | null {
  const worst = worstOf(compared);
  return worst === null || baseline === null ? null : Math.abs(baseline - worst);
}

/** True when less of it is better. It never is for a pass rate. */
export function lowerIsBetter({ metric, of }: Pick<ComparedMetric, "metric" | "of">): boolean {
  return of !== "pass" && metric.lowerIsBetter;
}
