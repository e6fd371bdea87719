import type { TagCell } from "../../compare/summary/tag-map.ts";
import type { CandidateSummary } from "../../compare/summary/candidate-summary.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type {
  GateFacts,
  FactsOf,
  SegmentFigures,
  GateAdvice,
  MarginFacts,
  BoundsEvidence,
  OpenCause,
} from "../../compare/verdict/facts.ts";
import { type ComparedMetric, isMargin, type LabellersAgreement, unitOf } from "../../compare/comparison-plan.ts";
import { type MetricSummary, overallFigures } from "../../compare/summary/metric-summary.ts";
import type { PeopleView } from "../../compare/metrics/people-view.ts";
import type { ReportPeople } from "../shape/gate.ts";
import type {
  ReportGate,
  ReportMetric,
  ReportPlace,
  ReportSegment,
  ReportTagCell,
  ReportTagMap,
} from "../shape/model.ts";
import { clusterWords } from "../../compare/metrics/cluster-words.ts";
import { dependenceWords } from "../say/dependence.ts";
import { gateName } from "./model-looks.ts";
import { falseAlarmWords } from "../say/gates.ts";
import { pValue, loss, shareFigure, type ShownMeasure } from "../say/figures.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { HeldBy, PairedComparison, TestName } from "../../stats/difference.ts";
import {
  dropWords,
  gateDetails,
  gateDropWords,
  lossShown,
  metricDetails,
  shownAs,
  shownInterval,
} from "../say/gate-details.ts";
import { capitalised, counted, number, roughly } from "../say/quantity.ts";
import { addRowsWords, countedRows, countRowsWords, fewestInAll } from "../say/rows-to-add.ts";

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
    const isAlone = own.every(({ slice: segment }) => segment !== null);
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
    groups: summary.groups,
    detectable,
    smallestDrop,
    ...(summary.people !== undefined && { people: reportPeople(summary.people, comparison, metric) }),
    details: [...metricDetails(summary, metric), ...(smallestDrop === null ? [] : [smallestDrop])],
    advice: comparison?.reason ?? null,
  };
}

/** A gate with the numbers of the rule that decided it: no other interval and no other p stand beside its state. */
function reportGate(
  summary: MetricSummary,
  metric: ReportMetric,
  { gate, level, file }: { gate: GateFacts; level: readonly string[]; file: string },
): ReportGate {
  const shown = shownKind(gate);
  const { slice: segment, state, word, tooFew } = gate;
  const dependence = isMargin(gate) ? gate.dependence : undefined;
  const overall = overallFigures(summary);
  const figures =
    gate.figures ?? (dependence === undefined ? overall : { ...overall, comparison: dependence.comparison });
  const drop = shown.drop(gate, metric);
  const of = {
    cases: figures.cases,
    changed: figures.worse + figures.better,
    questions: segment === null ? (summary.questions ?? null) : null,
    file,
  };
  const also = isMargin(gate) ? alsoWords(gate, of) : null;
  const ofSegment = segment === null ? metricDetails(summary, metric) : [];
  return {
    candidate: gate.candidate,
    ...(gate.decided !== null && { kind: gate.kind }),
    ...figuresOf(figures, metric),
    name: gateName(metric.name, gate),
    slice: segment,
    state,
    word,
    tooFew,
    ...shown.decided(gate, figures.comparison, metric),
    ...shown.counted?.(gate, figures),
    groups:
      dependence === undefined
        ? segment === null
          ? summary.groups
          : null
        : clusterWords(dependence.comparison.clusters, dependence.comparison.n, dependence.column),
    ...(isMargin(gate) &&
      gate.people !== undefined && { people: reportPeople(gate.people, figures.comparison, metric) }),
    ...(dependence !== undefined && { byRows: dependence.byRows }),
    ...(segment === null && summary.questions !== undefined && { questions: summary.questions }),
    ...(segment === null && summary.noise !== null && { noise: noiseShown(summary.noise) }),
    ...drop,
    details: [
      ...shown.details(gate, metric, level),
      ...ofSegment,
      ...(drop.smallestDrop === null ? [] : [drop.smallestDrop]),
    ],
    advice: shown.advice(gate, of, metric),
    ...(also !== null && { otherAdvice: also }),
  };
}

/** The runs that say how far answers vary by themselves. */
function noiseShown({ share, runs }: NonNullable<MetricSummary["noise"]>): NonNullable<ReportGate["noise"]> {
  return { share, runs: Math.max(runs.baseline, runs.candidate) };
}

/** Labels of people beside a judge, as they are shown. */
function reportPeople(
  { judge, alone, corrected, agreement, ...counts }: PeopleView,
  comparison: PairedComparison | null,
  metric: ReportMetric,
): ReportPeople {
  return {
    ...counts,
    interval: counts.refused === null ? shownInterval(comparison?.interval ?? null, metric) : null,
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
  /** Its cases, and those that got worse, where it counts some that have no difference; left out: they are those of the metric. */
  counted?: (gate: FactsOf<K>, figures: SegmentFigures) => Pick<ReportGate, "cases" | "worse">;
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
    advice: ({ reason }) => reason,
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
    advice: ({ reason }) => reason,
  },
};

function shownKind<K extends GateKind>({ kind }: { kind: K }): ShownKind<K> {
  return shownKinds[kind];
}

function figuresOf({ cases, comparison, baseline, candidate, worse, better }: SegmentFigures, metric: ReportMetric) {
  const estimate = comparison?.estimate ?? null;
  return {
    metric: metric.name,
    difference: estimate === null ? differenceOf(baseline, candidate) : shownAs(metric)(estimate),
    baseline,
    now: candidate,
    cases,
    clusters: comparison?.clusters ?? null,
    worse,
    better,
    test: comparison === null ? "" : testName(comparison),
    method: comparison === null ? "" : methodOf(comparison),
  };
}

/** The difference of the sides, for a gate that only counts. */
function differenceOf(baseline: number | null, candidate: number | null): number | null {
  return baseline === null || candidate === null ? null : candidate - baseline;
}

/** Where the main metric of a candidate changed, by the values of two tags; null: there are no two. */
export function reportTagMap(
  { candidate, tagMap, metrics: candidateMetrics }: CandidateSummary,
  metrics: readonly ReportMetric[],
): ReportTagMap | null {
  if (tagMap === undefined) return null;
  const { metric, of, tags, values, alone, cells } = tagMap;
  const about = metrics[candidateMetrics.findIndex((each) => each.metric === metric && each.of === of)];
  if (about === undefined) return null;
  const shown = shownAs(about);
  const cell = ({ cases, worse, better, difference, adjusted }: TagCell): ReportTagCell => {
    return { cases, worse, better, difference: shown(difference), p: adjusted };
  };
  return {
    candidate,
    metric: about.name,
    tags,
    values,
    alone: [alone[0].map(cell), alone[1].map(cell)],
    cells: cells.map((line) => line.map((each) => (each === null ? null : cell(each)))),
  };
}

/** Where a candidate is surely worse than elsewhere. */
export function reportPlaces(
  { candidate, places, metrics: candidateMetrics }: CandidateSummary,
  metrics: readonly ReportMetric[],
): ReportPlace[] {
  return places.flatMap(({ of, pLost: _pLost, ...told }) => {
    const about = metrics[candidateMetrics.findIndex((each) => each.metric === told.metric && each.of === of)];
    if (about === undefined) return [];
    return [{ candidate, ...told, metric: about.name, difference: shownAs(about)(told.difference) }];
  });
}

/** The metrics of a candidate in the cases with one value of a tag. */
export function reportSegments(
  { candidate, slices: segments, metrics: candidateMetrics }: CandidateSummary,
  metrics: readonly ReportMetric[],
): ReportSegment[] {
  return segments.flatMap((segment) => {
    const { metric, of, adjusted, ...told } = segment;
    const place = candidateMetrics.findIndex((each) => each.metric === metric && each.of === of);
    const about = metrics[place];
    if (about === undefined) return [];
    const shown = shownAs(about);
    return [
      {
        candidate,
        metric: about.name,
        ...told,
        difference: told.difference === null ? null : shown(told.difference),
        interval: shownInterval(told.interval, about),
        p: adjusted,
      },
    ];
  });
}

/** The cases of a gate, as its advice counts them. */
export interface AdvisedCases {
  cases: number;
  /** Cases that got worse or better: without one there is none to go by. */
  changed: number;
  /** Different questions among the cases, where some are asked more than once; else null. */
  questions: number | null;
  /** The suite's file as it is typed, or `SUITE`: where a gate of the advice is written. */
  file: string;
}

/** Words what would settle a gate, or why there is no answer; null when there is nothing to add. */
export function adviceWords(gate: MarginFacts, of: AdvisedCases, metric: ShownMeasure): string | null {
  const settling = settledBy(gate, of, metric);
  const { dependence } = gate;
  if (dependence === undefined) return settling;
  return [dependenceWords(dependence), ...(settling === null ? [] : [settling])].join(" ");
}

function settledBy(gate: MarginFacts, of: AdvisedCases, metric: ShownMeasure): string | null {
  const { cases } = of;
  if (gate.settle === null) return gate.reason;
  if (gate.tooFew) return tooFewWords(gate, gate.settle, { cases, metric });
  const { settle, margin } = gate;
  const also = alsoWords(gate, of);
  const way = settlingWords(settle, { ...of, margin, metric });
  return `${firstWords(settle, of)}${way}${lookWords(settle, of)}.${leastWords(settle, countedRows(of))}${also === null ? "" : ` ${also}`}`;
}

/** A gate that counts rows, for the runs to come: it fits a small sheet of which no answer is wrong by chance, or each row is asked more often. */
function countingWords({ metric, baseline, word, guard }: MarginFacts, settle: GateAdvice, file: string): string[] {
  const { countRows, repeatFirst, fewestToPass } = settle;
  const isSmall = repeatFirst !== undefined && fewestToPass !== null;
  if ((word !== "too-few-cases" && guard !== "hopeless") || (countRows === undefined && !isSmall)) return [];
  const why =
    countRows === undefined
      ? ""
      : countRows === "repeats itself"
        ? ", since functions repeat their answers"
        : `, since ${baseline} was graded alike in all its runs`;
  const repeats = countRows === undefined ? (repeatFirst ?? null) : null;
  return [`To decide by these rows alone from the next run on${why}, ${countRowsWords(metric, { repeats, file })}.`];
}

/** The end of the advice for more rows: why it is open although nothing speaks against it, and other ways to decide; null: nothing else would help. */
function alsoWords(gate: MarginFacts, of: AdvisedCases): string | null {
  const { settle, decided, reason, tooFew } = gate;
  if (settle === null || tooFew) return null;
  // The number of rows that it takes says why so few decide nothing.
  const isSaid = decided === null ? fewestInAll(settle, countedRows(of)) !== null : decided.heldBy === null;
  const words = [
    ...(settle.instead.length === 0 ? [] : [insteadWords(settle.instead)]),
    ...(isSaid || reason === null ? [] : [reason]),
  ];
  const counting = countingWords(gate, settle, of.file);
  const said = [...(words.length === 0 ? [] : [`${capitalised(words.join("; "))}.`]), ...counting];
  return said.length === 0 ? null : said.join(" ");
}

/** The rows that changed come first: asked more often they show which of the changes are chance. */
function firstWords({ repeatFirst, kind, next }: GateAdvice, { changed }: AdvisedCases): string {
  if (repeatFirst === undefined || kind === "last" || changed === 0) return "";
  return `First ask each row ${repeatFirst} times (\`--repeats ${repeatFirst}${next?.by === "flag" ? " --second-look" : ""}\`), to see which changes are chance. `;
}

/** A second look is told as one, because it has a level of its own. */
function lookWords(settle: GateAdvice, of: AdvisedCases): string {
  const { next, kind } = settle;
  if (next === undefined || kind === "last") return "";
  if (kind === "too many" && settle.repeats === null && addRowsWords(settle, of) === null) return "";
  return {
    flag: ", and run it again with `--second-look`",
    suite: ", for the second look",
    alpha: `, and run it again with \`compare: { alpha: ${next.alpha} }\``,
  }[next.by];
}

/** The fewest rows with which the look that is advised can pass, where no number to add is said; nothing where there are as many. */
function leastWords(settle: GateAdvice, cases: number): string {
  const least = settle.kind === "unknown" ? fewestInAll(settle, cases) : null;
  return least === null ? "" : ` A PASS takes at least ${number(least)} in all.`;
}

/** Advice that nobody could follow is none: it is said that these cases do not decide. */
function hopelessWords(needed: number | null, cases: number): string {
  if (needed === null) return "More rows would hardly decide it";
  return `${cases === 1 ? "This row" : `These ${counted(cases, "row")}`} cannot decide it`;
}

function tooFewWords(
  { margin }: MarginFacts,
  settle: GateAdvice,
  { cases, metric }: { cases: number; metric: ShownMeasure },
): string {
  const least = fewestInAll(settle, cases);
  const needs =
    least !== null
      ? `a PASS takes ${number(least)} in all with none worse, with a limit of ${loss(margin, metric)}`
      : settle.kind === "clusters"
        ? `it takes ${settle.least} ${settle.noun}`
        : "it takes more";
  return `Too few rows: ${number(cases)}; ${needs}. The verdict does not wait for it.`;
}

interface Size extends AdvisedCases {
  margin: number;
  metric: ShownMeasure;
}

function settlingWords(settle: GateAdvice, size: Size): string {
  switch (settle.kind) {
    case "clusters": {
      const more = addRowsWords(settle, size);
      if (more !== null) return capitalised(more);
      return `It takes more ${settle.noun}: at least ${settle.least}`;
    }
    case "cases": {
      const more = capitalised(addRowsWords(settle, size) ?? "add rows");
      return settle.repeats === null ? more : `${more} or ask each of these ${settle.repeats} times`;
    }
    case "too many":
      return tooManyWords(settle, size);
    case "labels":
      return labelsWords(settle);
    case "last":
      return `This was the second look: a third one would find something by chance too often${changedRowsWords(size)}`;
    case "unknown":
      return "Add rows";
  }
}

/** Labels that would settle it, in all. */
function labelsWords({ labels, cases, isAll }: Extract<GateAdvice, { kind: "labels" }>): string {
  if (labels !== null)
    return `${counted(labels, "labelled row")} in all would settle it (\`tandem label draw --labels ${labels}\`)`;
  return cases === null
    ? "More labels would hardly decide it"
    : `No number of labels settles it: it takes ${number(roughly(cases))} rows${isAll ? ", all of them labelled" : " first"}`;
}

function tooManyWords(settle: Extract<GateAdvice, { kind: "too many" }>, size: Size): string {
  const { cases, margin, metric, questions } = size;
  const { cases: needed, repeats } = settle;
  if (repeats !== null) return `Ask each of these ${counted(cases, "row")} ${repeats} times`;
  const limit = `limit of ${loss(margin, metric)}`;
  const why =
    needed === null ? causes[settle.cause](limit) : `for a ${limit} it takes about ${number(roughly(needed))}`;
  const more = addRowsWords(settle, size);
  if (questions !== null) {
    const are = `These ${counted(cases, "row")} are ${counted(questions, "different question")}`;
    if (more !== null) return `${are}: ${more}`;
    const least = fewestInAll(settle, questions);
    const takes = least === null ? why : `a PASS takes at least ${counted(least, "different question")} in all`;
    return `${are}, and cannot decide it: ${takes}${changedRowsWords(size)}`;
  }
  return more === null ? `${hopelessWords(needed, cases)}: ${why}${changedRowsWords(size)}` : capitalised(more);
}

const causes: Record<OpenCause, (limit: string) => string> = {
  close: (limit) => `the loss is so close to the ${limit}`,
  noisy: () => "answers vary too much from run to run",
  groups: () => "rows of one group go right or wrong together",
};

/** The rows that are left to go by where the verdict stays open; empty where none changed. */
const changedRowsWords = ({ changed }: AdvisedCases): string => (changed === 0 ? "" : "; go by the rows that changed");

function insteadWords(instead: readonly string[]): string {
  const named = instead.map((of) => `\`of: ${of}\``).join(" or ");
  return `compare by ${named}, which a few large values move less`;
}

/** Each test as it is named beside a difference, and beside a gate, with the data that it is for. */
const tests: Record<TestName, { name: string; ofGate?: string; why: string }> = {
  "exact-score": {
    name: "McNemar mid-p",
    ofGate: "Tango's score test",
    why: "pass or fail, one run each side, every row on its own; every outcome is counted",
  },
  "cluster-t": { name: "cluster-robust t", why: "scores, several runs, or clusters of several rows" },
  "corrected-t": {
    name: "t of the judge corrected by people",
    why: "graded by a judge, and by people in rows that were drawn: the judge is corrected by them",
  },
  alike: { name: "Wilson's bound for none that differs", why: "all rows differ by the same amount" },
  "sign-test": {
    name: "sign test of the median",
    why: "half of the rows lie on each side of the median, however far",
  },
  betting: {
    name: "test by betting",
    why: "it was looked at after each row, so that the run could stop when it was decided",
  },
  none: { name: "no test", why: "too few rows or clusters allow none" },
};

const beside: Record<HeldBy, string> = {
  skewness: "t corrected for skewness",
  "one-more": "one more row that loses what it can",
  unseen: "the chance that so many do not show the loss",
  "fewer-losses": "the same with fewer losses",
};

/** The name of the test by which a gate decided. */
function gateTestName({ by }: Pick<BoundsEvidence, "by">): string {
  return tests[by].ofGate ?? tests[by].name;
}

/** The test and bounds by which a gate decided, and why these. */
function gateMethodOf({ by, heldBy }: BoundsEvidence): string {
  const second = heldBy === null ? "" : `, and ${beside[heldBy]}, which claims less here`;
  return `${gateTestName({ by })} with its one-sided bounds${second}: ${tests[by].why}`;
}

/** A test has one name wherever it is told. */
function testName({ test }: PairedComparison): string {
  return tests[test].name;
}

/** The test and the reason for it. */
function methodOf({ test }: PairedComparison): string {
  return `${tests[test].name} and its interval: ${tests[test].why}`;
}
