import type { Comparison } from "../compare/comparison.ts";
import { decimal, difference, pValue, score } from "./figures.ts";
import type { ReportGate, ReportMetric, Verdict } from "./model.ts";
import { counted, number } from "./quantity.ts";

/** The whole result of a comparison in plain words: one sentence, and what stands behind it. */
export function verdictOf(
  comparison: Comparison,
  gates: readonly ReportGate[],
  metrics: readonly ReportMetric[],
): Verdict {
  const { candidates, verdict } = comparison;
  if (candidates.length === 0) return { state: "none", sentence: answeredSentence(comparison), details: [] };
  if (verdict === "invalid") return invalid(comparison);
  if (verdict === null) {
    return {
      state: "none",
      sentence: differenceSentence(comparison),
      details: ["There is no metric to decide by: add a scorer to the suite."],
    };
  }
  const deciding = gates.filter(({ state }) => state === verdict);
  const told = deciding.length > 0 ? deciding : gates.slice(0, 1);
  const sentence = sentenceOf(verdict, told, metrics);
  const details = told.slice(0, 3).flatMap((gate) => gateDetails(gate, metrics));
  return { state: verdict, sentence, details: [...details, ...powerOf(comparison, gates, metrics)] };
}

function invalid({ validity, gates }: Comparison): Verdict {
  const reasons = validity?.state === "invalid" ? validity.reasons : gates.flatMap(({ reason }) => reason ?? []);
  const [first = "Something is missing.", ...others] = new Set(reasons);
  return { state: "invalid", sentence: "This comparison cannot be believed", details: [first, ...others] };
}

function sentenceOf(
  state: Exclude<Verdict["state"], "invalid" | "none">,
  [first, ...others]: readonly ReportGate[],
  metrics: readonly ReportMetric[],
): string {
  if (first === undefined) return "Nothing was decided";
  const { candidate, metric, baseline, now } = first;
  const about = metrics.find(({ name }) => name === metric);
  const change = about === undefined ? "" : `: ${score(baseline, about)} → ${score(now, about)}`;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  if (state === "regression") return `${candidate} is worse on ${metric}${change}${more}`;
  if (state === "pass") return `${candidate} is no worse on ${metric}${change}${more}`;
  return `It is open whether ${candidate} is worse on ${metric}${change}${more}`;
}

function gateDetails(gate: ReportGate, metrics: readonly ReportMetric[]): string[] {
  const metric = metrics.find(({ name }) => name === gate.metric);
  if (metric === undefined) return [];
  const { difference: middle, interval, confidence, p, cases, clusters, worse, better, advice } = gate;
  const parts = [difference(middle, metric)];
  if (interval !== null) {
    const [low, high] = [difference(interval.lower, metric, false), difference(interval.upper, metric, false)];
    parts.push(`${decimal(confidence * 100, 0)} % interval ${low} to ${high}`);
  }
  if (p !== null) parts.push(`p ${pValue(p)}`);
  const where = clusters === null || clusters === cases ? "" : ` in ${counted(clusters, "conversation")}`;
  const turns = `${number(worse)} got worse, ${number(better)} better, of ${counted(cases, "case")}${where}.`;
  const name = metrics.length > 1 ? `${metric.name}: ` : "";
  return [`${name}${parts.join(", ")}; ${turns}`, ...(advice === null ? [] : [`${name}${advice}`])];
}

/** What the batch could have shown at all, so that "no worse" is not taken for more than it is. */
function powerOf(comparison: Comparison, gates: readonly ReportGate[], metrics: readonly ReportMetric[]): string[] {
  const [gate] = gates;
  const metric = metrics.find(({ name }) => name === gate?.metric);
  const summary = comparison.candidates
    .find(({ candidate }) => candidate === gate?.candidate)
    ?.metrics.find((each) => each.metric === metric?.scorer && (each.of === "pass") === metric.passes);
  const least = summary?.detectable ?? null;
  if (metric === undefined || least === null || metric.relative) return [];
  const drop = difference(-least, metric).replace("−", "");
  return [`A drop of ${drop} is the smallest that so many cases would show (80 % power).`];
}

function differenceSentence({ candidates }: Comparison): string {
  const [first] = candidates;
  if (first === undefined) return "Nothing was compared";
  const { candidate, baseline, answerDiffers, compared } = first;
  return `${candidate} answers ${number(answerDiffers)} of ${counted(compared, "case")} otherwise than ${baseline}`;
}

function answeredSentence({ targets, cases }: Comparison): string {
  const [first, ...others] = targets;
  if (first === undefined) return "There is nothing to show";
  if (others.length > 0) return `${counted(targets.length, "target")}, ${counted(cases, "case")}; nothing is compared`;
  return `${first.target} answered ${number(first.answered)} of ${counted(first.jobs, "job")}`;
}
