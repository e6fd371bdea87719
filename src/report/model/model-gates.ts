import type { CandidateSummary } from "../../compare/summary/candidate-summary.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { FactsOf, GateFacts, GateFigures } from "../../compare/verdict/facts.ts";
import { type ComparedMetric, isMargin, type LabellersAgreement, unitOf } from "../../compare/comparison-plan.ts";
import { markOf } from "../../compare/summary/slice-table.ts";
import { type MetricSummary, overallFigures } from "../../compare/summary/metric-summary.ts";
import type { PeopleView } from "../../compare/metrics/people-view.ts";
import type { ReportPeople } from "../shape/gate.ts";
import type { ReportGate, ReportMetric, ReportPlace, ReportSlice, ReportSliceTable } from "../shape/model.ts";
import { type Cause, groupsOf } from "../../compare/cause.ts";
import { type AdvisedCases, adviceWords, alsoWords } from "../say/advice.ts";
import { causeWords, unitsInWords } from "../say/causes.ts";
import { gateName } from "./model-looks.ts";
import { falseAlarmWords } from "../say/gates.ts";
import { pValue, shareFigure } from "../say/figures.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { PairedComparison } from "../../stats/difference.ts";
import {
  dropWords,
  gateDetails,
  gateDropWords,
  lossShown,
  metricDetails,
  shownAs,
  shownInterval,
} from "../say/gate-details.ts";
import { gateMethodOf, gateTestName, methodOf, testName } from "../say/tests.ts";

/** Metrics in the order of the comparison, which is that of the scores of a row. */
export function reportMetrics(compared: readonly ComparedMetric[]): ReportMetric[] {
  return compared.map(({ metric, of }, place) => {
    const isSecond = compared.findIndex((each) => each.metric.name === metric.name) !== place;
    const bounds = metric.scale.kind === "bounded" ? metric.scale : null;
    const isRate = of === "pass" || metric.scale.kind === "pass";
    return {
      name: isSecond ? `${metric.name} (${of})` : metric.name,
      scorer: metric.name,
      type: metric.type,
      primary: metric.primary && !isSecond,
      lowerIsBetter: of !== "pass" && metric.lowerIsBetter,
      passes: isRate,
      relative: of === "ratio",
      ...(of === "median" && { isMedian: true }),
      unit: unitOf({ metric, of }),
      min: isRate ? 0 : (bounds?.min ?? null),
      max: isRate ? 1 : (bounds?.max ?? null),
    };
  });
}

/** Every metric of a candidate, in the order of the metrics: each of its gates, or the metric alone. */
export function candidateGates(
  candidate: CandidateSummary,
  { gates, decision, stopping, verdicts }: Pick<Comparison, "gates" | "decision" | "stopping" | "verdicts">,
  metrics: readonly ReportMetric[],
  file: string,
): ReportGate[] {
  return candidate.metrics.flatMap((summary, place) => {
    const metric = metrics[place];
    if (metric === undefined) return [];
    const own = gates.filter(
      (each) => each.candidate === candidate.candidate && each.metric === summary.metric && each.of === summary.of,
    );
    const isBetter = verdicts.some(
      ({ word, gain, ...about }) =>
        word === "better" &&
        about.candidate === candidate.candidate &&
        gain?.metric === summary.metric &&
        gain.of === summary.of,
    );
    const isAlone = own.every(({ slice }) => slice !== null);
    const level = levelOf(decision);
    const reported = own.map((gate) => ({
      ...reportGate(summary, metric, { gate, level, file }),
      ...(isBetter && gate.slice === null && isMargin(gate) && gainShown(summary, metric)),
      ...(isStoppedEarly(gate, stopping) && { stoppedEarly: true as const }),
    }));
    return isAlone ? [measuredAlone(summary, metric, candidate.candidate), ...reported] : reported;
  });
}

/** The two-sided test and interval by which a candidate is called better: no bound of the gate stands beside that word. */
function gainShown({ comparison }: MetricSummary, metric: ReportMetric): Partial<ReportGate> {
  if (comparison === null) return {};
  const { interval, p } = comparison;
  return {
    interval: shownInterval(interval, metric),
    confidence: 0.95,
    sides: 2,
    p,
    test: testName(comparison),
    method: methodOf(comparison),
  };
}

/** It was decided by a bet before all cases were in, and the rest was not sent. */
function isStoppedEarly(gate: GateFacts, stopping: Comparison["stopping"]): boolean {
  if (stopping === null || stopping.decidedAfter === null || stopping.spared === 0) return false;
  return isMargin(gate) && gate.decided?.by === "betting" && stopping.decidedAfter < stopping.cases;
}

/** The level at which a gate decides, if it is not the usual one. */
function levelOf({ alpha, nights, look }: Comparison["decision"]): string[] {
  if (Math.abs(alpha - defaultAlpha) < 1e-9) return [];
  if (nights > 1) {
    return [
      `It calls a regression at p ${pValue(alpha)}, its share of the ${nights} nights over which alpha is spent.`,
    ];
  }
  if (look !== undefined && look.by !== null) {
    const why = look.by === "suite" ? "the suite declares two looks" : "this is the second look";
    return [`It decides at p ${pValue(alpha)}, and its bounds hold at ${shareFigure(1 - alpha)} each, because ${why}.`];
  }
  const asks = alpha < defaultAlpha ? "more" : "less";
  return [`It decides at p ${pValue(alpha)}: it asks for ${asks} than at the usual ${defaultAlpha}.`];
}

const defaultAlpha = 0.05;

/** A metric that no gate decides by over all cases: its two-sided interval and p. */
function measuredAlone(summary: MetricSummary, metric: ReportMetric, candidate: string): ReportGate {
  const { comparison } = summary;
  const detectable = summary.detectable === null ? null : lossShown(summary.detectable, metric);
  const smallestDrop = dropWords(detectable, summary.notDetectable, metric);
  return {
    candidate,
    ...figuresOf(overallFigures(summary), metric),
    name: metric.name,
    slice: null,
    state: null,
    word: null,
    tooFew: false,
    margin: null,
    losses: null,
    interval: shownInterval(comparison?.interval ?? null, metric),
    confidence: 0.95,
    sides: 2,
    p: comparison?.p ?? null,
    pLoss: null,
    groups: unitsInWords(summary.groups),
    detectable,
    smallestDrop,
    ...(summary.people !== undefined && { people: reportPeople(summary.people, comparison, metric) }),
    details: [...metricDetails(summary, metric), ...(smallestDrop === null ? [] : [smallestDrop])],
    advice: reasonWords(comparison),
  };
}

const reasonWords = (of: { reason: Cause | null } | null): string | null =>
  of === null || of.reason === null ? null : causeWords(of.reason);

/** A gate with the numbers of the rule that decided it: no other interval and no other p stand beside its state. */
function reportGate(
  summary: MetricSummary,
  metric: ReportMetric,
  { gate, level, file }: { gate: GateFacts; level: readonly string[]; file: string },
): ReportGate {
  const shown = shownKind(gate);
  const { slice, state, word, tooFew } = gate;
  const dependence = isMargin(gate) ? gate.dependence : undefined;
  const overall = overallFigures(summary);
  const figures =
    gate.figures ?? (dependence === undefined ? overall : { ...overall, comparison: dependence.comparison });
  const drop = shown.drop(gate, metric);
  const of = {
    cases: figures.cases,
    changed: figures.worse + figures.better,
    questions: slice === null ? (summary.questions ?? null) : null,
    file,
  };
  const also = isMargin(gate) ? alsoWords(gate, of) : null;
  const overAll = slice === null ? metricDetails(summary, metric) : [];
  return {
    candidate: gate.candidate,
    ...(gate.decided !== null && { kind: gate.kind }),
    ...figuresOf(figures, metric),
    name: gateName(metric.name, gate),
    slice,
    state,
    word,
    tooFew,
    ...shown.decided(gate, figures.comparison, metric),
    ...shown.counted?.(gate, figures),
    groups:
      dependence === undefined
        ? slice === null
          ? unitsInWords(summary.groups)
          : null
        : unitsInWords(groupsOf(dependence.comparison.clusters, dependence.comparison.n, dependence.column)),
    ...(isMargin(gate) &&
      gate.people !== undefined && { people: reportPeople(gate.people, figures.comparison, metric) }),
    ...(dependence !== undefined && { byRows: dependence.byRows }),
    ...(slice === null && summary.questions !== undefined && { questions: summary.questions }),
    ...(slice === null && summary.noise !== null && { noise: noiseShown(summary.noise) }),
    ...drop,
    details: [
      ...shown.details(gate, metric, level),
      ...overAll,
      ...(drop.smallestDrop === null ? [] : [drop.smallestDrop]),
    ],
    advice: shown.advice(gate, of, metric),
    ...(also !== null && { otherAdvice: also.join(". ") }),
  };
}

/** The runs that say how far answers vary by themselves. */
function noiseShown({ share, runs }: NonNullable<MetricSummary["noise"]>): NonNullable<ReportGate["noise"]> {
  return { share, runs: Math.max(runs.baseline, runs.candidate) };
}

/** Labels of people beside a judge, as they are shown. */
function reportPeople(
  { judge, alone, corrected, agreement, refused, ...counts }: PeopleView,
  comparison: PairedComparison | null,
  metric: ReportMetric,
): ReportPeople {
  return {
    ...counts,
    refused: refused === null ? null : causeWords(refused),
    interval: refused === null ? shownInterval(comparison?.interval ?? null, metric) : null,
    lambda: corrected?.lambda ?? null,
    correlation: corrected?.correlation ?? null,
    isWidened: corrected?.isWidened ?? false,
    ...(agreement !== undefined && { agreement: reportAgreement(agreement) }),
    alone: alone === null ? null : { difference: alone.estimate, interval: shownInterval(alone.interval, metric) },
    judge: {
      baseline: judge.baseline,
      now: judge.candidate,
      difference: judge.estimate,
      interval: shownInterval(judge.interval, metric),
    },
  };
}

function reportAgreement({
  labellers,
  both,
  alpha,
  interval,
}: LabellersAgreement): NonNullable<ReportPeople["agreement"]> {
  const ends = interval === null ? null : { lower: interval.low, upper: interval.high };
  return { labellers: [...labellers], both, alpha, interval: ends };
}

/** Parts of a gate that each kind shows in its own way, beside the figures of its cases. */
interface ShownKind<K extends GateKind> {
  decided: (gate: FactsOf<K>, comparison: PairedComparison | null, metric: ReportMetric) => Decided;
  /** Its cases, and those that got worse, where it counts some that have no difference. */
  counted?: (gate: FactsOf<K>, figures: GateFigures) => Pick<ReportGate, "cases" | "worse">;
  /** Sentences behind it; `level`: the one at which it decides, where it is not the usual. */
  details: (gate: FactsOf<K>, metric: ReportMetric, level: readonly string[]) => string[];
  /** The smallest drop that it calls, and the same as a sentence. */
  drop: (gate: FactsOf<K>, metric: ReportMetric) => Pick<ReportGate, "detectable" | "smallestDrop">;
  advice: (gate: FactsOf<K>, of: AdvisedCases, metric: ReportMetric) => string | null;
}

type Decided = Pick<
  ReportGate,
  | "margin"
  | "losses"
  | "tries"
  | "sureLoss"
  | "interval"
  | "confidence"
  | "upperConfidence"
  | "sides"
  | "p"
  | "pLoss"
  | "test"
  | "method"
>;

const undecided = {
  interval: null,
  confidence: 0.95,
  sides: 1 as const,
  p: null,
  pLoss: null,
  test: "",
  method: "",
  margin: null,
  losses: null,
};
const noDrop = { detectable: null, smallestDrop: null };

const shownKinds: { [K in GateKind]: ShownKind<K> } = {
  margin: {
    decided({ margin, decided, sureLoss, state }, comparison, metric) {
      if (decided === null) return { ...undecided, margin };
      const { lower, pRegression, adjusted, pPass } = decided;
      const pLoss = adjusted ?? pRegression;
      // A loss that is sure is said by the bound of its own level: no other one is drawn or listed beside it.
      const [upper, ofUpper] =
        sureLoss === null ? [decided.upper, decided.confidence.upper] : [sureLoss.upper, sureLoss.confidence];
      const ofLower = decided.confidence.lower;
      return {
        margin,
        losses: null,
        ...(sureLoss !== null && { sureLoss: { ...sureLoss, upper: shownAs(metric)(sureLoss.upper) } }),
        interval: lower === null || upper === null ? null : shownInterval({ low: lower, high: upper }, metric),
        confidence: ofLower,
        ...(Math.abs(ofUpper - ofLower) > 1e-9 && { upperConfidence: ofUpper }),
        sides: 1,
        p: state === "pass" ? pPass : pLoss,
        pLoss,
        test: gateTestName(decided),
        method: comparison === null ? "" : gateMethodOf(decided),
      };
    },
    details: (gate, metric, level) => [...level, ...gateDetails(gate, metric)],
    drop({ smallestDrop, noSmallestDrop }, metric) {
      const detectable = smallestDrop === null ? null : lossShown(smallestDrop, metric);
      return { detectable, smallestDrop: gateDropWords(detectable, noSmallestDrop, metric) };
    },
    advice: adviceWords,
  },
  losses: {
    decided: ({ decided, losses: allowed }) => ({
      ...undecided,
      losses: decided === null ? null : { ...decided, allowed },
      test: "counted",
      method: "rows that newly fail, counted",
    }),
    counted({ decided }, { cases, worse }) {
      const beyond = decided === null ? 0 : decided.cases - cases;
      return { cases: cases + beyond, worse: worse + beyond };
    },
    details: () => [],
    drop: () => noDrop,
    advice: reasonWords,
  },
  cases: {
    decided: ({ decided, tries }) => ({
      ...undecided,
      ...(decided !== null && { tries: { ...tries, ...decided } }),
      test: "counted",
      method: "tries of each row that pass, counted",
    }),
    details: ({ decided, tries }) => (decided === null ? [] : [falseAlarmWords(tries, decided.cases)]),
    drop: () => noDrop,
    advice: reasonWords,
  },
};

function shownKind<K extends GateKind>({ kind }: { kind: K }): ShownKind<K> {
  return shownKinds[kind];
}

function figuresOf({ comparison, ...figures }: GateFigures, metric: ReportMetric) {
  const estimate = comparison?.estimate ?? null;
  return {
    metric: metric.name,
    ...figures,
    difference: estimate === null ? differenceOf(figures) : shownAs(metric)(estimate),
    clusters: comparison?.clusters ?? null,
    test: comparison === null ? "" : testName(comparison),
    method: comparison === null ? "" : methodOf(comparison),
  };
}

/** The difference of the sides, for a gate that only counts. */
function differenceOf({ baseline, now }: Omit<GateFigures, "comparison">): number | null {
  return baseline === null || now === null ? null : now - baseline;
}

/** The name and the unit of a metric of a candidate in its report; null: it has none there. */
function metricOf(
  { metrics: own }: Pick<CandidateSummary, "metrics">,
  metrics: readonly ReportMetric[],
  { metric, of }: Pick<ComparedSlice, "metric" | "of">,
): ReportMetric | null {
  return metrics[own.findIndex((each) => each.metric === metric && each.of === of)] ?? null;
}

type ComparedSlice = CandidateSummary["slices"][number];

/** The metrics of a candidate by slice. `isValid`: data that are not complete mark nothing. */
export function reportSlices(
  summary: CandidateSummary,
  metrics: readonly ReportMetric[],
  isValid: boolean,
): ReportSlice[] {
  return summary.slices.flatMap(({ adjusted: p, of, ...slice }) => {
    const about = metricOf(summary, metrics, { ...slice, of });
    if (about === null) return [];
    const difference = slice.difference === null ? null : shownAs(about)(slice.difference);
    const shown = { difference, interval: shownInterval(slice.interval, about), p };
    return [
      {
        candidate: summary.candidate,
        ...slice,
        metric: about.name,
        ...shown,
        mark: isValid ? markOf(difference, p) : null,
      },
    ];
  });
}

/** Where the main metric of a candidate changed, by the values of two tags; null: there are no two. */
export function reportSliceTable(
  { candidate, sliceTable }: CandidateSummary,
  metrics: readonly ReportMetric[],
): ReportSliceTable | null {
  const about = metrics.find(({ primary }) => primary) ?? metrics[0];
  if (sliceTable === undefined || about === undefined) return null;
  const shown = shownAs(about);
  const lines = sliceTable.lines.map(({ slice, cells }) => ({
    slice,
    cells: cells.map((cell) => cell && { ...cell, difference: shown(cell.difference) }),
  }));
  return { candidate, metric: about.name, ...sliceTable, lines };
}

/** Where a candidate is surely worse than elsewhere. */
export function reportPlaces(summary: CandidateSummary, metrics: readonly ReportMetric[]): ReportPlace[] {
  return summary.places.flatMap(({ of, pLost: _pLost, ...told }) => {
    const about = metricOf(summary, metrics, { ...told, of });
    if (about === null) return [];
    const difference = shownAs(about)(told.difference);
    return [{ candidate: summary.candidate, ...told, metric: about.name, difference }];
  });
}
