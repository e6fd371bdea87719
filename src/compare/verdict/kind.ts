import type { GateKind } from "../../suite/gate-settings.ts";
import type { ReadSide } from "../cases/case-side.ts";
import type { CountedCase } from "../cases/case-turn.ts";
import type { Cause } from "../cause.ts";
import { type ComparedMetric, type GateByKind, isMargin } from "../comparison-plan.ts";
import type { StopRule } from "../stop-rule.ts";
import type { ByPeople } from "../metrics/by-people.ts";
import type { CaseGroups, Inferred, InferenceRule } from "../metrics/metric-inference.ts";
import type { NoiseSummary } from "../metrics/metric-noise.ts";
import { figuresAt } from "../metrics/figures.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { Slice } from "../tallies/slices.ts";
import { unableOf } from "./ceiling.ts";
import type { FactsOf, GateAbout, GateFacts, GateFigures, GateLevels, NextLook } from "./facts.ts";
import type { Basis } from "./guards.ts";
import type { MarginBasis } from "./numbers.ts";

/** A gate that is asked: its record so far, and what it is decided by, which is not kept. */
export interface AskedOf<K extends GateKind> {
  kind: K;
  facts: Undecided<FactsOf<K>>;
  basis: K extends "margin" ? MarginBasis : Basis;
}

/** Everything that is said of a gate, before its record tells the numbers. */
export interface GateFinding extends Decided {
  /** P of the claim of a regression, adjusted over all gates (Holm), and its level for this gate alone. */
  adjusted: number | null;
  level: number;
  /** P of H0: nothing is lost, adjusted over all gates, and its level for this gate alone; null: no loss is sure. */
  loss: { p: number; level: number } | null;
}

/** A record before it is decided. */
type Undecided<Facts> = Facts extends { kind: GateKind } ? Omit<Facts, keyof Decided> : never;
type Decided = Pick<GateFacts, "state" | "word" | "tooFew" | "guard" | "reason">;

/** A gate of any kind. */
export type AskedGate = AskedOf<GateKind>;

export function isAskedMargin(gate: AskedGate): gate is AskedOf<"margin"> {
  return isMargin(gate);
}

/** The part of a finding that stands in a record. */
export function decidedAs({ state, word, tooFew, guard, reason }: GateFinding): Decided {
  return { state, word, tooFew, guard, reason };
}

/** One kind of gate: everything that tells it from the others while it is decided. */
export interface GateKindRule<K extends GateKind> {
  /** Its regression is a claim about more than the cases at hand, false in at most alpha of the comparisons. */
  claims: boolean;
  /** The question of a gate, with the numbers that it decides by: over all cases, or those of one value of a tag. */
  ask: (gate: GateByKind[K], about: AskedMetric, of: AskedSlice | null) => AskedOf<K>;
  /**
   * The values of a tag in the cases that it asks about, where these are not those that both sides have a score of; left out:
   * they are.
   */
  values?: (tag: string, about: AskedMetric) => ReadonlySet<string>;
  /** True for a case without a score on both sides that it looks at all the same. */
  looksAt?: (numbers: MetricNumbers, place: number) => boolean;
  /** Completes the record by what was found. */
  conclude: (asked: AskedOf<K>, finding: GateFinding, levels: GateLevels) => FactsOf<K>;
  /** The same gate while cases come in. */
  watch: (compared: ComparedMetric, gate: GateByKind[K], plan: GatePlan) => Watch;
  /** Its limit, which beside its subject tells it from others. */
  limit: (facts: FactsOf<K>) => number | string;
  /** Cases that turned from pass to fail, where it counts them; else null. */
  lost: (facts: FactsOf<K>) => number | null;
  /** The rows without an answer or a grade that alone make it a regression; null: others do. */
  lostByGaps?: (facts: FactsOf<K>) => { unanswered: number; ungraded: number } | null;
}

/** A gate that is looked at while its cases come in. */
export interface Watch {
  /** Enters a case of the cluster that is being entered. */
  add: (counted: CountedCase, candidate: ReadSide) => void;
  /** The cluster is whole. */
  end: () => void;
  /** Gives all that it is decided by so far. */
  basis: () => Basis;
  /** Its way to a decision, from 0 to 1, at these levels. */
  share: (levels: { regression: number; pass: number }) => number;
}

/** The part of the plan that a gate is about. */
export interface GatePlan extends Pick<GateAbout, "candidate" | "baseline" | "slice"> {
  /** Place of its metric among those that are compared. */
  metric: number;
  /** Values of the tag that its gate asks one by one; 1 without a tag. */
  values: number;
  /** Cases that it will have at most, and the most of one cluster. */
  planned: number;
  most: number;
  passAlpha: number;
}

/** Rules of a comparison that hold for all of its gates. */
export interface GateRules extends InferenceRule {
  alpha: number;
  passAlpha: number;
  seed: string;
  fixedBaseline: boolean;
  clusterColumn: string | null;
  /** The look after this one; null: none is offered. Left out: as this one. */
  next?: NextLook | null;
}

/** Numbers of one pair, of which its gates ask. */
export interface AskedPair extends GateRules {
  metrics: readonly ComparedMetric[];
  /** Its rows can be asked more often, and were asked too seldom to tell chance from change. */
  repeatFirst?: boolean;
  /** Both sides answer a row alike whenever they are asked, as functions do. */
  repeatThemselves?: boolean;
  results: Pick<PairResults, "slices" | "expectedLength" | "groupColumns"> &
    CaseGroups & { metrics: readonly MetricNumbers[] };
  candidate: string;
  baseline: string;
  /** Results of each metric over all cases. */
  overall: readonly Overall[];
}

interface Overall {
  inferred: Inferred | null;
  noise: NoiseSummary | null;
  /** Labels of people beside a judge's grades; null or left out: there are none. */
  people?: ByPeople | null;
}

export interface AskedMetric {
  compared: ComparedMetric;
  numbers: MetricNumbers;
  given: AskedPair;
  overall: Overall;
}

/** A value of a tag that a gate asks about. */
export interface AskedSlice extends Slice {
  /** Number of values that it asks one by one. */
  values: number;
}

/** The cases of an early stop so far: nothing speaks against a decision. */
export const openBasis = { invalid: null, scorerFault: null, chosen: null, empty: null, weight: 0, claims: null };

export const noPair: Cause = { kind: "no-pair" };

/** Subject of a gate. */
export function subjectOf({ compared, given }: AskedMetric, of: Slice | null): GateAbout {
  const { candidate, baseline } = given;
  const slice = of === null ? null : { tag: of.tag, value: of.value };
  return { metric: compared.metric.name, of: compared.of, candidate, baseline, slice };
}

/** Why nothing may be decided, or claimed, whatever the kind. */
export function commonBasis({ compared, given, numbers }: AskedMetric) {
  const { candidate, baseline, chosen } = given;
  const scorerFault = unableOf(compared, [baseline, candidate]);
  return { invalid: nothingGraded(numbers), scorerFault, chosen, empty: null, weight: 0, claims: null };
}

/** The reason where no case has what the scorer compares with; null where one has, or where nothing is known of it. */
function nothingGraded({ beside, differences }: MetricNumbers): Cause | null {
  if (beside === 0 || differences.some((difference) => !Number.isNaN(difference))) return null;
  return { kind: "nothing-graded", beside, rows: differences.length };
}

export function plannedOf({ planned, values }: StopRule, of: Slice | null): number {
  return of === null ? planned : (values.get(of.tag)?.get(of.value) ?? of.places.length);
}

/** The figures of the slice that a gate asks about; null: it asks about all cases. */
export function sliceFigures(
  { compared, numbers, given }: AskedMetric,
  of: Slice | null,
  inferred: Inferred | null,
): GateFigures | null {
  if (of === null) return null;
  const cases = { places: of.places, questions: given.results.questions };
  return { ...figuresAt(compared, numbers, cases), comparison: inferred?.comparison ?? null };
}

/** Mean of the baseline in the cases that are compared; null: there is none. */
export function baselineMean({ numbers }: AskedMetric, of: Slice | null): number | null {
  let [n, total] = [0, 0];
  const { differences, sides, sums } = numbers;
  for (let place = 0; place < differences.length; place++) {
    if (Number.isNaN(differences[place]) || (of !== null && !of.has(place))) continue;
    n += 1;
    total += sides?.baseline[place] ?? 0;
  }
  return n === 0 ? null : (sides === null ? sums.baseline : total) / n;
}

export function countsOf(about: AskedMetric, of: Slice | null) {
  const { differences } = about.numbers;
  const counts = { lost: 0, gained: 0, cases: 0 };
  for (let place = 0; place < differences.length; place++) {
    const difference = differences[place] ?? Number.NaN;
    if (Number.isNaN(difference) || (of !== null && !of.has(place))) continue;
    counts.cases += 1;
    // The runs of a case are averaged: only all passes against all fails are a whole pass apart.
    if (difference === -1) counts.lost += 1;
    else if (difference === 1) counts.gained += 1;
  }
  const passing = Math.round((baselineMean(about, of) ?? 0) * counts.cases);
  return { ...counts, passing, expectedLength: about.given.results.expectedLength };
}
