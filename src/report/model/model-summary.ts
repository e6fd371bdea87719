import { causeSentence } from "../say/causes.ts";
import { storedVersion } from "../../lib/stored-version.ts";
import type { UnreadExpected } from "../say/scorers.ts";
import { endpointWord } from "../../api/endpoint-name.ts";
import type { ChosenBaseline, Comparison, MissingPart } from "../../compare/comparison.ts";
import { type ComparisonPlan, labelled, labelOf } from "../../compare/comparison-plan.ts";
import type { LostTag } from "../../compare/summary/lost-tags.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";
import { sureMetrics } from "../../compare/summary/worse.ts";
import { errorShare, isOfRows } from "../../compare/summary/validity.ts";
import { reportBehaviour, reportFlips, reportOutputFields } from "./model-changes.ts";
import { candidateGates, reportMetrics, reportPlaces, reportSlices, reportSliceTable } from "./model-gates.ts";
import type { ModelCounts } from "./model-tally.ts";
import type {
  ShownInterval,
  Latency,
  ReportGate,
  ReportJudge,
  ReportLostTag,
  ReportMetric,
  ReportSummary,
  ReportResult,
  ReportTarget,
  ValidityCheck,
  Verdict,
} from "../shape/model.ts";
import type { JudgeWatch } from "../shape/judge-watch.ts";
import type { ProviderFinding } from "../shape/provider.ts";
import { reportChoice } from "./model-choice.ts";
import { cautionsOf, notesOf, type StandInJudge } from "../say/cautions.ts";
import { counted, number } from "../say/quantity.ts";
import { confirmationOf } from "./model-looks.ts";
import type { LimitFound } from "../../store/results/limits-found.ts";
import type { StoredOutage } from "../../store/results/outages.ts";
import { type DecidingScorer, findingNotes, raceDetails, stoppingWords } from "../say/notes.ts";
import { findingsOf } from "../findings.ts";
import { type Findings, subjectOfHeadline } from "../shape/findings.ts";
import { headlineWords } from "../say/findings.ts";

/** The parts of a summary, when the last case has gone by. */
export interface SummaryOptions {
  /** Version of tandem. */
  version: string;
  batch: {
    name: string;
    suite: string;
    state: string;
    reason: string | null;
    startedAt: number;
    durationMs: number | null;
    /** Changes after it was planned, as sentences. */
    changes?: readonly string[];
    /** Times in which a service was away. */
    outages?: readonly StoredOutage[];
    /** Limits of requests that were found meanwhile. */
    limits?: readonly LimitFound[];
    /** Columns of its sheet. */
    columns?: readonly string[];
    possiblyPaidTwice?: ReportSummary["possiblyPaidTwice"];
  };
  comparison: Comparison;
  comparisonPlan: ComparisonPlan & {
    fixedBaseline?: boolean;
    missingParts?: readonly MissingPart[];
    chosenBaseline?: ChosenBaseline;
    isSameBot?: boolean;
  };
  counts: ModelCounts;
  /** The source of each side; null if it is not known, as for an exported pin. */
  origins: readonly ({ deployment: string; exampleId: string; isStandIn?: boolean } | null)[];
  past: ReportSummary["past"];
  suiteTargets?: ReportSummary["suiteTargets"];
  alarms: ReportResult["alarms"];
  stillOn?: ReportSummary["stillOn"] | null;
  /** The words of services of themselves. */
  provider?: ProviderFinding | null;
  /** Words that people said of its regressions. */
  known?: readonly string[];
  /** Judges of the grading that counts. */
  judges?: ReportJudge[];
  /** Judges that were asked about frozen answers in this night. */
  judgeWatch?: JudgeWatch[];
  /** Judges that stand in for one that nobody named. */
  standInJudges?: readonly StandInJudge[];
  /** A scorer that would decide where none does; null: none that looks at expected answers could. */
  proposal?: DecidingScorer | null;
  /** Expected answers that no metric reads. */
  unread?: UnreadExpected | null;
  /** The file of its suite as it is typed. */
  suitePath?: string;
  /** Nobody says what decides: no gate, and nothing that is chosen. */
  mayChoose?: boolean;
  /** The one thing to do next. */
  next?: ReportSummary["next"];
}

/** The summary of a report: what every format tells. */
export function reportSummary(given: SummaryOptions): ReportSummary {
  const { version, batch, comparison, comparisonPlan, counts, past, alarms, suiteTargets } = given;
  const { stillOn = null, known = [], judges = [], judgeWatch = [], proposal = null, next = null } = given;
  const metrics = reportMetrics(comparisonPlan.metrics);
  const newFailures = counts.newFailures;
  const { suitePath = "SUITE" } = given;
  const gates = comparison.candidates.flatMap((candidate) => candidateGates(candidate, comparison, metrics, suitePath));
  const confirmation = confirmationOf(comparison, metrics);
  const isValid = comparison.validity?.state !== "invalid";
  const slices = comparison.candidates.flatMap((candidate) => reportSlices(candidate, metrics, isValid));
  const places = comparison.candidates.flatMap((candidate) => reportPlaces(candidate, metrics));
  const tables = isValid ? comparison.candidates.flatMap((each) => reportSliceTable(each, metrics) ?? []) : [];
  const told = { ...comparison, ...labelled(comparison, comparisonPlan.sides) };
  const unread = given.unread ?? null;
  const { standInJudges = [] } = given;
  const possiblyPaid = comparison.targets.reduce((sum, target) => sum + target.possiblyPaid, 0);
  const about = { ...comparisonPlan, ...batch, standIns: standInsOf(given), standInJudges, unread, judgeWatch };
  const decidingFirst = withSure(gates, comparison, metrics).toSorted(
    (a, b) => Number(a.state === null) - Number(b.state === null),
  );
  const choice = comparison.choice === undefined ? null : reportChoice(comparison.choice, metrics, comparison);
  const ends =
    choice?.race === undefined
      ? stoppingWords(comparison, batch.name, given.suitePath)
      : raceDetails(choice, choice.race, { comparison, batch: batch.name, suitePath: given.suitePath });
  const lacksParts = comparisonPlan.missingParts?.some(({ isAllowed }) => !isAllowed) === true;
  const findings = findingsOf({
    comparison,
    gates: decidingFirst,
    metrics,
    places,
    choice,
    // Parts that are missing say more than that one of them did not come to its end.
    isInterrupted: batch.state !== "finished" && !lacksParts,
    lacksParts,
    isSameBot: comparisonPlan.isSameBot === true,
    provider: given.provider ?? null,
    mayChoose: given.mayChoose ?? false,
    notes: findingNotes({ comparison, proposal }, { gates: decidingFirst, metrics, confirmation, ends, known }),
  });
  const targets = comparison.targets.map((target, place) => reportTarget(target, place, given));
  const sentence = headlineWords(findings, { metrics, targets });
  const verdict = verdictOf(comparison, findings, sentence);
  return {
    version: storedVersion,
    tandem: version,
    suite: batch.suite,
    batch: batch.name,
    state: batch.state,
    reason: batch.reason,
    startedAt: new Date(batch.startedAt).toISOString(),
    durationMs: batch.durationMs,
    verdict,
    findings,
    stopping: stoppingOf(comparison),
    ...(confirmation !== null && { confirmation }),
    next,
    baseline: comparison.baseline,
    candidates: comparison.candidates.map(({ candidate }) => candidate),
    ...(choice !== null && { choice }),
    pairs: comparison.verdicts.map(({ baseline, candidate, word, claim }) => ({ baseline, candidate, word, claim })),
    targets,
    ...(suiteTargets !== undefined && { suiteTargets }),
    metrics,
    gates: decidingFirst,
    validity: {
      state: comparison.validity?.state ?? "unknown",
      checks: checksOf(told),
      ...(comparison.validity?.state === "invalid" && comparison.validity.byJudge !== undefined && { byJudge: true }),
      ...(comparisonPlan.missingParts?.some(({ isAllowed }) => isAllowed) === true && { isPartial: true }),
    },
    flips: comparison.candidates.flatMap(reportFlips),
    behaviour: reportBehaviour(comparison, comparisonPlan),
    members: comparison.candidates.flatMap(reportOutputFields),
    slices,
    places,
    ...(tables.length > 0 && { sliceTables: tables }),
    judges,
    ...(judgeWatch.length > 0 && { judgeWatch }),
    ...(possiblyPaid > 0 && { possiblyPaid }),
    possiblyPaidTwice: batch.possiblyPaidTwice ?? { cases: 0, judges: 0 },
    ...(comparison.lostTags.length > 0 && {
      lostTags: comparison.lostTags.map((each) => reportLostTag(each, metrics)),
    }),
    // Nothing is newly failing where the data are not complete.
    ...(newFailures.length > 0 && comparison.verdict !== "invalid" && { newFailures }),
    past,
    alarms,
    ...(stillOn !== null && { stillOn }),
    cautions: cautionsOf(told, about),
    notes: notesOf(told, about),
    cases: comparison.cases,
    tags: counts.tags,
    ...(counts.fields !== undefined && { fields: counts.fields }),
    columns: [...(batch.columns ?? [])],
  };
}

/** Metrics without a gate that surely differ, marked as worse or better. */
function withSure(
  gates: readonly ReportGate[],
  { candidates, validity }: Comparison,
  metrics: readonly ReportMetric[],
): ReportGate[] {
  const found = validity?.state === "valid" ? sureMetrics(candidates) : [];
  return gates.map((gate) => {
    const own = found.find(
      ({ candidate, place }) => candidate === gate.candidate && metrics[place]?.name === gate.metric,
    );
    if (own === undefined || gate.state !== null || gate.slice !== null) return gate;
    return { ...gate, sure: own.difference < 0 ? ("worse" as const) : ("better" as const) };
  });
}

/** Targets that are answered by the bot that tandem makes, not by one of the reader's. */
function standInsOf({ comparison, comparisonPlan, origins }: SummaryOptions): string[] {
  return comparison.targets.flatMap(({ target }, place) =>
    origins[place]?.isStandIn === true ? [labelOf(comparisonPlan.sides, target)] : [],
  );
}

/** The verdict in a word and a sentence. */
function verdictOf(
  { verdict, word, candidates, verdicts }: Comparison,
  { headline }: Findings,
  sentence: string,
): Verdict {
  const isAlone = candidates.length === 0 && verdict !== "invalid";
  const about = subjectOfHeadline(headline);
  const metric = about?.metric ?? (headline.kind === "choice" ? headline.metric : null);
  return {
    state: isAlone ? "none" : (verdict ?? "none"),
    word: verdict === "invalid" ? "invalid" : isAlone || verdict === null ? null : word,
    claim: verdicts.find(({ candidate }) => candidate === about?.candidate && verdict !== "invalid")?.claim ?? "none",
    metric,
    sentence,
  };
}

function reportLostTag({ place, ...lost }: LostTag, metrics: readonly ReportMetric[]): ReportLostTag {
  return { ...lost, metric: metrics[place]?.name ?? lost.metric };
}

function stoppingOf({ stopping, targets }: Comparison): ReportSummary["stopping"] {
  if (stopping === null) return null;
  const { decidedAfter, spared, saved } = stopping;
  const planned = targets.reduce((sum, { jobs }) => sum + jobs, 0);
  return { decidedAfter, planned, sent: targets.reduce((sum, { attempts }) => sum + attempts, 0), spared, saved };
}

function reportTarget(
  target: TargetSummary,
  place: number,
  { counts, origins, comparisonPlan }: SummaryOptions,
): ReportTarget {
  const label = comparisonPlan.sides.find((side) => side.target === target.target)?.label;
  const { scores, jobs, answered, expected, tokens, cost, stopped } = target;
  return {
    name: target.target,
    ...(label !== undefined && { label }),
    deployment: origins[place]?.deployment ?? "",
    endpoint: endpointWord(target.endpoint),
    exampleId: origins[place]?.exampleId ?? "",
    jobs,
    answered,
    outcomes: counts.outcomes[place] ?? {},
    errorShare: errorShare(target),
    errors: target.errorGroups,
    ungraded: target.ungraded,
    stopped,
    latency: latencyOf(target, counts.slowest[place] ?? null),
    expected,
    tokens: tokens === null ? null : { input: tokens.input, output: tokens.output },
    cost,
    scores: scores.map(({ mean, interval, cases: scored, unscored, repeated }) => {
      return { value: mean, interval: intervalOf(interval), scored, unscored, repeated };
    }),
    ...(target.edited !== undefined && { edited: target.edited }),
    ...(target.following !== undefined && { following: target.following }),
    ...(target.byTag !== undefined && {
      byTag: target.byTag.map(({ interval, ...about }) => ({ ...about, interval: intervalOf(interval) })),
    }),
  };
}

/** The quantiles of the comparison, so that each of them is one number wherever it is shown. */
function latencyOf({ latency }: TargetSummary, max: number | null): Latency | null {
  if (latency === null || max === null) return null;
  const { median: p50, p90, p99 } = latency;
  return { p50, p90, p99, max };
}

function intervalOf(interval: { low: number; high: number } | null): ShownInterval | null {
  return interval === null ? null : { lower: interval.low, upper: interval.high };
}

function checksOf({ validity, candidates, targets, decision }: Comparison): ValidityCheck[] {
  if (validity === null) return [];
  if (validity.state === "invalid") return validity.reasons.map((cause) => ({ ok: false, text: causeSentence(cause) }));
  const pairs = candidates.map(({ candidate, baseline, pairing, compared }) => ({
    ok: true,
    text: `${counted(pairing.paired, "row")} in both ${baseline} and ${candidate}, ${number(compared)} answered by both`,
  }));
  const errors = targets.map((target) => ({ ok: true, text: errorWords(target, decision.maxErrorShare) }));
  return [...pairs, ...errors];
}

function errorWords(summary: TargetSummary, allowed: number): string {
  const { target, runsTried, runsWithoutAnswer } = summary;
  if (runsWithoutAnswer === 0) return `${target}: an answer ${isOfRows(summary) ? "to every row" : "in every run"}`;
  const some = `${number(runsWithoutAnswer)} of ${number(runsTried)} ${isOfRows(summary) ? "rows" : "runs"}`;
  return `${target}: ${some} without an answer, no more than the ${Math.round(allowed * 1000) / 10} % allowed`;
}
