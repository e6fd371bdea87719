import { causeWords } from "../../report/say/causes.ts";
import type { Metric, Score } from "../../score/contract/scorer.ts";
import type { ProbeGrade } from "../../score/probes/asked-probes.ts";
import type { JudgeProbe, ProbeName } from "../../score/probes/probe-plan.ts";
import { wrongKinds } from "../../score/probes/wrong-answers.ts";
import { fewestAgreementUnits, krippendorff } from "../../stats/agreement/krippendorff.ts";
import { clusterSlope, type SlopePoint } from "../../stats/agreement/observed-bias.ts";
import { clusterCodes } from "../../stats/clusters.ts";
import type { Interval } from "../../stats/interval.ts";
import { holm } from "../../stats/multiplicity.ts";
import type { PairedCounts } from "../../stats/paired/mcnemar.ts";
import { differenceOf } from "../../stats/difference.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { type TEstimate, tInterval, tTest } from "../../stats/paired/t-estimate.ts";

/** Errors of the judge in cases that people labelled: its score less theirs, as a share of the scale. */
export interface ObservedErrors {
  /** By case: the error of the difference of both sides, and the logarithm of the ratio of their lengths. */
  pairs: readonly SlopePoint[];
}

export type FindingState = "fine" | "alarm" | "inconclusive" | "untested";

/** The result of one probe. Figures are shares of the judge's scale, positive where more is given. */
export interface BiasFinding {
  probe: ProbeName | "replies" | "marks";
  /** Its part: `planted` or `observed`; empty where there is one thing only. */
  of: string;
  variant: string;
  state: FindingState;
  /** Answers, or pairs of them, that it goes by. */
  cases: number;
  estimate: number | null;
  interval: Interval | null;
  /** Two-sided; null: it is no test. */
  p: number | null;
  /** By Holm over all probes of the check. */
  adjusted: number | null;
  /** Shares beside it, each with its interval. */
  more: { name: "disagreeing" | "alpha" | "within" | "spread"; value: number; interval: Interval | null }[];
  /** Why nothing was tested, or nothing can be told; null where the figures say it. */
  reason: string | null;
}

/** Bias that is no bias, as a share of the scale. */
export const tolerance = 0.05;
const level = 0.95;
const alpha = 0.05;

/** Answers with which a judge's agreement with itself can be told, and labelled cases with which length is tested. */
const fewestRepeated = 40;
const fewestLabelled = 20;
/** Share of answers whose grade changes when they are asked about again, and spread of their marks, that are too many. */
const mostFlips = 0.1;
const mostSpread = 0.1;
/** Lower end of the share of planted wrong answers that are found, and how many it takes to say that it is not reached. */
export const foundShare = 0.8;
const enoughWrong = 44;
/** Share of questions that may stay without a grade. */
const mostUngraded = 0.1;

interface Judged {
  metric: Pick<Metric, "scale" | "lowerIsBetter">;
  observed: ObservedErrors;
  probes: readonly ProbeName[];
}

/** Everything that the replies of a judge, and people's labels, say of it; the alarms first. */
export function biasFindings(grades: readonly ProbeGrade[], judged: Judged): BiasFinding[] {
  const marked = new JudgeGrades(grades, judged.metric);
  const wants = (name: ProbeName): boolean => judged.probes.includes(name);
  const found: BiasFinding[] = [
    ...repliesFinding(grades),
    ...sameMarks(marked),
    ...(wants("order") ? orderFinding(marked) : []),
    ...(wants("length") ? [plantedLength(marked), ...observedLength(judged.observed)] : []),
    ...(wants("consistency") ? [consistency(marked)] : []),
    ...(wants("wrongs") ? wrongs(marked) : []),
  ];
  const adjusted = holm(found.map(({ p }) => p));
  return found.map((each, place) => decided({ ...each, adjusted: adjusted[place] ?? null }));
}

/**
 * A test is an alarm when its p, corrected for all of them, is small and more is lost or given than is tolerated, and inconclusive where
 * the interval holds that much and chance is not ruled out.
 */
function decided(finding: BiasFinding): BiasFinding {
  const { p, adjusted, interval, estimate } = finding;
  if (p === null || adjusted === null || interval === null || estimate === null) return finding;
  const isWithin = interval.low >= -tolerance && interval.high <= tolerance;
  if (isWithin) return { ...finding, state: "fine" };
  if (adjusted > alpha) return { ...finding, state: "inconclusive" };
  return { ...finding, state: Math.abs(estimate) > tolerance ? "alarm" : "fine" };
}

const nothing = {
  of: "",
  variant: "",
  cases: 0,
  estimate: null,
  interval: null,
  p: null,
  adjusted: null,
  more: [],
  reason: null,
} satisfies Partial<BiasFinding>;

/** Reads a value as a share of the scale of a metric, more is better. */
export function shareOf({ scale, lowerIsBetter }: Judged["metric"]): (value: number) => number {
  const [min, max] = scale.kind === "bounded" ? [scale.min, scale.max] : [0, 1];
  return (value) => {
    const share = (value - min) / (max - min);
    return lowerIsBetter ? 1 - share : share;
  };
}

/** Reads a score as such a share. */
export function shareReader(metric: Judged["metric"]): (score: Score | null) => number | null {
  const share = shareOf(metric);
  return (score) => (score === null || "unscored" in score ? null : share(score.value));
}

/** Grades from 0 to 1, more is better, looked up by what was asked. */
class JudgeGrades {
  readonly grades: readonly ProbeGrade[];
  readonly isPair: boolean;
  readonly #value: (score: Score | null) => number | null;
  readonly #known = new Map<string, ProbeGrade>();

  constructor(grades: readonly ProbeGrade[], metric: Judged["metric"]) {
    this.grades = grades;
    this.isPair = grades.some(({ pair }) => pair !== null);
    this.#value = shareReader(metric);
    for (const grade of grades) this.#known.set(idOf(grade.probe), grade);
  }

  of(probe: Pick<JudgeProbe, "kind" | "unit" | "variant" | "repeat">): number | null {
    return this.#value(this.#known.get(idOf(probe))?.score ?? null);
  }

  plain(unit: number, repeat = 0): number | null {
    return this.of({ kind: "plain", unit, variant: "", repeat });
  }

  value({ score }: ProbeGrade): number | null {
    return this.#value(score);
  }

  ofKind(kind: JudgeProbe["kind"]): ProbeGrade[] {
    return this.grades.filter(({ probe }) => probe.kind === kind);
  }
}

const idOf = ({ kind, unit, variant, repeat }: Pick<JudgeProbe, "kind" | "unit" | "variant" | "repeat">): string =>
  `${kind} ${variant} ${unit} ${repeat}`;

const clusterOf = ({ probe }: ProbeGrade): string => probe.answer.case.cluster;

function repliesFinding(grades: readonly ProbeGrade[]): BiasFinding[] {
  const missing = grades.filter(({ score }) => score === null || "unscored" in score);
  if (missing.length <= mostUngraded * grades.length) return [];
  const first = missing.map(({ score }) =>
    score === null ? "no reply" : "unscored" in score ? score.unscored : "",
  )[0];
  return [
    {
      ...nothing,
      probe: "replies",
      state: "inconclusive",
      cases: grades.length,
      estimate: missing.length / grades.length,
      interval: wilsonInterval(missing.length, grades.length, level),
      reason: first ?? null,
    },
  ];
}

/** A judge that says the same whatever it is shown tells nothing. */
function sameMarks(marks: JudgeGrades): BiasFinding[] {
  const isAsked = marks.grades.some(({ probe }) => probe.kind === "wrong");
  const values = marks.grades.flatMap((grade) => marks.value(grade) ?? []);
  if (!isAsked || values.length < fewestRepeated || values.some((value) => value !== values[0])) return [];
  return [{ ...nothing, probe: "marks", state: "alarm", cases: values.length, estimate: values[0] ?? null }];
}

function orderFinding(marks: JudgeGrades): BiasFinding[] {
  if (!marks.isPair) return [];
  const known = marks.ofKind("plain").flatMap((grade) => {
    const [first, second] = grade.pair ?? [null, null];
    return grade.probe.repeat > 0 || first === null || second === null ? [] : [{ grade, first, second }];
  });
  // With the candidate first it stands in the first place, with the baseline first that one does.
  const lean = known.map(({ first, second }) => {
    if (first === "candidate" && second === "baseline") return 1;
    return first === "baseline" && second === "candidate" ? -1 : 0;
  });
  const disagreeing = known.filter(({ first, second }) => first !== second).length;
  const tested = pairedFinding(
    { probe: "order", of: "", variant: "" },
    known.map(({ grade }, place) => ({ value: lean[place] ?? 0, cluster: clusterOf(grade) })),
  );
  const interval = wilsonInterval(disagreeing, known.length, level);
  const more =
    known.length === 0 ? [] : [{ name: "disagreeing" as const, value: disagreeing / known.length, interval }];
  return [{ ...tested, more }];
}

function plantedLength(marks: JudgeGrades): BiasFinding {
  const about = { probe: "length" as const, of: "planted", variant: "" };
  const differences = marks.ofKind("padded").flatMap((grade) => {
    const [longer, plain] = [marks.value(grade), marks.plain(grade.probe.unit)];
    if (longer === null || (!marks.isPair && plain === null)) return [];
    // Two answers are compared: won less lost.
    return [{ value: marks.isPair ? 2 * longer - 1 : longer - (plain ?? 0), cluster: clusterOf(grade) }];
  });
  return pairedFinding(about, differences);
}

/** A difference case by case, where every case has one of -1, 0 and 1 counted by McNemar's test. */
function pairedFinding(
  about: Pick<BiasFinding, "probe" | "of" | "variant">,
  differences: readonly { value: number; cluster: string }[],
): BiasFinding {
  const found = { ...nothing, ...about, cases: differences.length };
  if (differences.length === 0) return { ...found, state: "untested", reason: "no answer could be asked about" };
  const clusters = clusterCodes(differences.map(({ cluster }) => cluster));
  const isAlone = new Set(clusters).size === differences.length;
  const isCounted = differences.every(({ value }) => value === 0 || Math.abs(value) === 1);
  const {
    estimate,
    interval: intervalAt,
    p,
    reason,
  } = differenceOf({
    differences: Float64Array.from(differences, ({ value }) => value),
    clusters: isAlone ? null : clusters,
    counts: isAlone && isCounted ? countsOf(differences) : null,
    range: 1,
  });
  const interval = intervalAt(level);
  return {
    ...found,
    state: "inconclusive",
    estimate,
    interval,
    p,
    reason: interval === null && reason !== null ? causeWords(reason) : null,
  };
}

function countsOf(differences: readonly { value: number }[]): PairedCounts {
  const [onlyA, onlyB] = [1, -1].map((side) => differences.filter(({ value }) => value === side).length);
  return {
    bothPass: 0,
    onlyA: onlyA ?? 0,
    onlyB: onlyB ?? 0,
    bothFail: differences.length - (onlyA ?? 0) - (onlyB ?? 0),
  };
}

/** The logarithm of an answer longer by half: the slope is over the logarithm of the ratio. */
const halfMore = Math.log(1.5);

function observedLength({ pairs }: ObservedErrors): BiasFinding[] {
  if (pairs.length === 0) return [];
  const about = { ...nothing, probe: "length" as const, of: "observed", cases: pairs.length };
  if (pairs.length < fewestLabelled) {
    return [{ ...about, state: "untested", reason: `fewer than ${fewestLabelled} labelled rows` }];
  }
  const slope = clusterSlope(pairs);
  const scaled = { ...slope, mean: times(slope.mean, halfMore), se: times(slope.se, halfMore) };
  return [estimated(about, scaled)];
}

const times = (value: number | null, factor: number): number | null => (value === null ? null : value * factor);

function estimated(about: Omit<BiasFinding, "state">, found: TEstimate): BiasFinding {
  const interval = tInterval(found, level);
  if (interval === null)
    return { ...about, state: "untested", reason: found.reason === null ? null : causeWords(found.reason) };
  return { ...about, state: "inconclusive", estimate: found.mean, interval, p: tTest(found, 0).twoSided };
}

function consistency(marks: JudgeGrades): BiasFinding {
  const repeated = Map.groupBy(marks.ofKind("plain"), ({ probe }) => probe.unit);
  const units = Array.from(repeated.values()).flatMap((own) => {
    const values = own.flatMap((grade) => marks.value(grade) ?? []);
    return values.length < 2
      ? []
      : [
          {
            values,
            verdicts: own.flatMap((grade) => verdictOf(grade, marks.isPair) ?? []),
            cluster: own[0] === undefined ? "" : clusterOf(own[0]),
          },
        ];
  });
  const about = { ...nothing, probe: "consistency" as const, cases: units.length };
  if (units.length === 0) return { ...about, state: "untested", reason: "no answer was graded twice" };
  const flips = units.filter(({ verdicts }) => new Set(verdicts).size > 1).length;
  const share = flips / units.length;
  const interval = wilsonInterval(flips, units.length, level);
  const within = units.reduce((sum, { values }) => sum + varianceOf(values), 0) / units.length;
  const all = varianceOf(units.flatMap(({ values }) => values));
  const agreement = krippendorff(
    units.map(({ verdicts }) => verdicts),
    { level: "nominal", confidence: level, clusters: clusterCodes(units.map(({ cluster }) => cluster)) },
  );
  const more: BiasFinding["more"] = [
    ...(agreement.alpha === null
      ? []
      : [
          {
            name: "alpha" as const,
            value: agreement.alpha,
            interval: agreement.units < fewestAgreementUnits ? null : agreement.interval,
          },
        ]),
    { name: "spread", value: Math.sqrt(within), interval: null },
    ...(all > 0 ? [{ name: "within" as const, value: Math.min(1, within / all), interval: null }] : []),
  ];
  const isSpread = Math.sqrt(within) > mostSpread;
  const flipped = share > mostFlips;
  const isSure = (flipped && (interval?.low ?? 0) > mostFlips) || (isSpread && !flipped);
  const isFew = units.length < fewestRepeated;
  const state = (flipped || isSpread) && isSure ? "alarm" : flipped || isSpread || isFew ? "inconclusive" : "fine";
  const reason = isFew ? `fewer than ${fewestRepeated} answers` : null;
  return { ...about, state, estimate: share, interval, more, reason };
}

/** Pass or fail as a number, or which of two answers is preferred. */
function verdictOf({ score }: ProbeGrade, isPair: boolean): number | null {
  if (score === null || "unscored" in score) return null;
  return isPair || score.pass === null ? score.value : score.pass ? 1 : 0;
}

function varianceOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** Wrong answers of each kind that get less than the right one; where that has the lowest mark, there is no less. */
function wrongs(marks: JudgeGrades): BiasFinding[] {
  const asked = marks.ofKind("wrong");
  return wrongKinds.map((variant) => {
    const compared = asked.flatMap((grade) => {
      if (grade.probe.variant !== variant) return [];
      const [wrong, plain] = [marks.value(grade), marks.isPair ? 0.5 : marks.plain(grade.probe.unit)];
      return wrong === null || plain === null || plain <= 0 ? [] : [wrong < plain];
    });
    const about = { ...nothing, probe: "wrongs" as const, of: "planted", variant, cases: compared.length };
    if (compared.length === 0)
      return { ...about, state: "untested", reason: "no wrong answer of this kind could be made" };
    const found = compared.filter(Boolean).length;
    const interval = wilsonInterval(found, compared.length, level);
    const isFound = (interval?.low ?? 0) >= foundShare;
    const isSure = compared.length >= enoughWrong || (interval?.high ?? 1) < foundShare;
    const state = isFound ? "fine" : isSure ? "alarm" : "inconclusive";
    return { ...about, state, estimate: found / compared.length, interval };
  });
}
