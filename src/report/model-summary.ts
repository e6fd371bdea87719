import type { CandidateSummary } from "../compare/candidate-summary.ts";
import type { Comparison } from "../compare/comparison.ts";
import type { GateResult } from "../compare/gates.ts";
import type { ComparedMetric, Lineup } from "../compare/lineup.ts";
import type { MetricSummary } from "../compare/metric-summary.ts";
import { isStructure } from "../compare/structure.ts";
import type { MemberCount } from "../compare/structure-tally.ts";
import type { TargetSummary } from "../compare/target-tally.ts";
import type {
  Interval,
  PastBatch,
  ReportBehaviour,
  ReportFlip,
  ReportGate,
  ReportMember,
  ReportMetric,
  ReportSlice,
  ReportSummary,
  ReportTarget,
  ValidityCheck,
} from "./model.ts";
import type { ModelTally } from "./model-tally.ts";
import { methodOf } from "./method.ts";
import { notesOf } from "./notes.ts";
import { counted, number } from "./quantity.ts";
import { verdictOf } from "./verdict.ts";

/** What a summary is made of, when the last case has gone by. */
export interface SummaryGiven {
  /** Of tandem. */
  version: string;
  batch: {
    name: string;
    suite: string;
    state: string;
    reason: string | null;
    startedAt: number;
    durationMs: number | null;
  };
  comparison: Comparison;
  lineup: Lineup;
  tally: ModelTally;
  /** Of each side; null where that is not known, as of an exported pin. */
  origins: readonly ({ deployment: string; exampleId: string } | null)[];
  past: PastBatch[];
}

/** The summary of a report: what every format tells. */
export function reportSummary(given: SummaryGiven): ReportSummary {
  const { version, batch, comparison, lineup, tally, past } = given;
  const metrics = reportMetrics(lineup.metrics);
  const gates = comparison.candidates.flatMap((candidate) => candidateGates(candidate, comparison.gates, metrics));
  const decidingFirst = gates.toSorted((a, b) => Number(a.state === null) - Number(b.state === null));
  return {
    version: 1,
    tandem: version,
    suite: batch.suite,
    batch: batch.name,
    state: batch.state,
    reason: batch.reason,
    startedAt: batch.startedAt,
    durationMs: batch.durationMs,
    verdict: verdictOf(comparison, decidingFirst, metrics),
    baseline: comparison.baseline,
    candidates: comparison.candidates.map(({ candidate }) => candidate),
    pairs: comparison.candidates.map(({ baseline, candidate }) => ({ baseline, candidate })),
    targets: comparison.targets.map((target, place) => reportTarget(target, place, given)),
    metrics,
    gates: decidingFirst,
    validity: { state: comparison.validity?.state ?? "unknown", checks: checksOf(comparison) },
    flips: comparison.candidates.flatMap(reportFlips),
    behaviour: comparison.candidates.map(reportBehaviour),
    members: comparison.candidates.flatMap(reportMembers),
    slices: comparison.candidates.flatMap((candidate) => reportSlices(candidate, metrics)),
    past,
    notes: notesOf(comparison),
    cases: comparison.cases,
    tags: tally.tags(),
  };
}

/** In the order of the comparison, which is that of the scores of a row. */
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
      unit: metric.scale.kind === "unbounded" && of !== "pass" ? metric.scale.unit : null,
      min: isRate ? 0 : (bounds?.min ?? null),
      max: isRate ? 1 : (bounds?.max ?? null),
    };
  });
}

function candidateGates(
  candidate: CandidateSummary,
  gates: readonly GateResult[],
  metrics: readonly ReportMetric[],
): ReportGate[] {
  return candidate.metrics.flatMap((summary, place) => {
    const metric = metrics[place];
    const gate = gates.find(
      (each) => each.candidate === candidate.candidate && each.metric === summary.metric && each.of === summary.of,
    );
    return metric === undefined
      ? []
      : [reportGate(summary, metric, { candidate: candidate.candidate, gate: gate ?? null })];
  });
}

function reportGate(
  summary: MetricSummary,
  metric: ReportMetric,
  { candidate, gate }: { candidate: string; gate: GateResult | null },
): ReportGate {
  const { comparison } = summary;
  const shown = shownAs(metric);
  const interval = comparison?.interval ?? null;
  return {
    candidate,
    metric: metric.name,
    state: gate?.state ?? null,
    margin: gate?.margin ?? null,
    difference: comparison?.estimate === null || comparison === null ? null : shown(comparison.estimate),
    interval: interval === null ? null : { lower: shown(interval.low), upper: shown(interval.high) },
    confidence: 0.95,
    p: comparison?.p ?? null,
    baseline: summary.baseline,
    now: summary.candidate,
    cases: comparison?.n ?? 0,
    clusters: comparison?.clusters ?? null,
    worse: summary.worse,
    better: summary.better,
    method: comparison === null ? "" : methodOf(comparison),
    advice: adviceOf(gate, summary),
  };
}

/** A ratio is compared as a difference of logarithms; it is shown as the share by which it is better. */
function shownAs({ relative, lowerIsBetter }: ReportMetric): (value: number) => number {
  if (!relative) return (value) => value;
  return lowerIsBetter ? (value) => 1 - Math.exp(-value) : (value) => Math.exp(value) - 1;
}

function adviceOf(gate: GateResult | null, { comparison }: MetricSummary): string | null {
  if (gate === null) return comparison?.reason ?? null;
  if (gate.settle !== null) return `What would settle it: ${gate.settle.text}.`;
  return gate.reason;
}

function reportTarget(target: TargetSummary, place: number, { lineup, tally, origins }: SummaryGiven): ReportTarget {
  const { cases, casesWithoutRecord, scores, jobs, stopped } = target;
  return {
    name: target.target,
    deployment: origins[place]?.deployment ?? "",
    endpoint: target.endpoint,
    exampleId: origins[place]?.exampleId ?? "",
    jobs,
    outcomes: tally.outcomes(place),
    errorShare: cases === 0 ? null : casesWithoutRecord / cases,
    stopped,
    latency: tally.latency(place),
    scores: scores.map(({ mean, interval, cases: scored, unscored }, index) => {
      const metric = lineup.metrics[index];
      if (metric === undefined) return null;
      // Of a ratio the means are of logarithms.
      const shown = metric.of === "ratio" ? null : (intervalOf(interval) ?? tally.interval(place, index));
      return { value: mean, interval: shown, scored, unscored };
    }),
  };
}

function intervalOf(interval: { low: number; high: number } | null): Interval | null {
  return interval === null ? null : { lower: interval.low, upper: interval.high };
}

function checksOf({ validity, candidates, targets, decision }: Comparison): ValidityCheck[] {
  if (validity === null) return [];
  if (validity.state === "invalid") return validity.reasons.map((text) => ({ ok: false, text }));
  const pairs = candidates.map(({ candidate, baseline, pairing, compared }) => ({
    ok: true,
    text: `${counted(pairing.paired, "case")} in both ${baseline} and ${candidate}, ${number(compared)} answered by both`,
  }));
  const errors = targets.map(({ target, cases, casesWithoutRecord }) => ({
    ok: true,
    text:
      casesWithoutRecord === 0
        ? `${target}: an answer to every case`
        : `${target}: ${number(casesWithoutRecord)} of ${counted(cases, "case")} without an answer, fewer than the ${decision.maxErrorShare * 100} % allowed`,
  }));
  return [...pairs, ...errors];
}

function reportFlips({ candidate, flips: { metric, lists } }: CandidateSummary): ReportFlip[] {
  return lists.map(({ kind, cases, first }) => ({ candidate, metric, kind, cases, keys: first.map(({ key }) => key) }));
}

function reportBehaviour({
  candidate,
  baseline,
  behaviour,
  changes,
  answerDiffers,
  compared,
}: CandidateSummary): ReportBehaviour {
  const { state, reason } = behaviour;
  const counts = `${number(answerDiffers)} of ${counted(compared, "answer")} differ`;
  const sentence = {
    changed: `Yes: ${reason}. ${counts}.`,
    unchanged: `No: ${candidate} is ${reason}. ${counts}.`,
    "no-noise-floor": `${counts} from those of ${baseline}; ${reason}.`,
    "not-compared": `Not known: ${reason}.`,
  }[state];
  return {
    candidate,
    changed: state === "changed" ? true : state === "unchanged" ? false : null,
    sentence,
    kinds: changes,
  };
}

function reportMembers({ candidate, behaviour, members, compared }: CandidateSummary): ReportMember[] {
  if (behaviour.measured > 0) {
    return behaviour.paths
      .filter(({ raw }) => raw > 0)
      .map(({ path, about, raw, noise, adjusted }) => {
        const own = members.filter((member) => member.path === path && isStructure(member) === (about === "structure"));
        return { candidate, path, about: changesWords(own), cases: raw, noise, of: compared, p: adjusted };
      });
  }
  return members.map(({ path, change: about, cases }) => {
    return { candidate, path, about, cases, noise: null, of: compared, p: null };
  });
}

/** `became empty`, or of several `became empty 30, has fewer entries 2`. */
function changesWords(members: readonly MemberCount[]): string {
  const [first, ...others] = members;
  if (first === undefined) return "";
  return others.length === 0
    ? first.change
    : members.map(({ change, cases }) => `${change} ${number(cases)}`).join(", ");
}

function reportSlices(
  { candidate, slices, metrics: candidateMetrics }: CandidateSummary,
  metrics: readonly ReportMetric[],
): ReportSlice[] {
  return slices.flatMap(({ tag, value, metric, of, cases, difference, interval, adjusted }) => {
    const place = candidateMetrics.findIndex((each) => each.metric === metric && each.of === of);
    const about = metrics[place];
    if (about === undefined) return [];
    const shown = shownAs(about);
    return [
      {
        candidate,
        metric: about.name,
        tag,
        value,
        cases,
        baseline: null,
        now: null,
        difference: difference === null ? null : shown(difference),
        interval: interval === null ? null : { lower: shown(interval.low), upper: shown(interval.high) },
        p: adjusted,
      },
    ];
  });
}
