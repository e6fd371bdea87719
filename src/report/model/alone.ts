import type { Comparison } from "../../compare/comparison.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";
import { scoreFigure, scoreRange } from "../words/figures.ts";
import { counted, number } from "../words/quantity.ts";
import type { ReportMetric } from "../shape/model.ts";

/** The result of a batch in which nothing is compared: the score of its one target, and how sure it is. */
export function aloneSentence({ targets, cases }: Comparison, metrics: readonly ReportMetric[]): string {
  const [first, ...others] = targets;
  if (first === undefined) return "There is nothing to show";
  if (others.length > 0) return `${counted(targets.length, "target")}, ${counted(cases, "case")}; nothing is compared`;
  const answered = `${first.target} answered ${number(first.answered)} of ${counted(first.jobs, "job")}`;
  const told = scoreOf(first, metrics);
  if (told === null) return answered;
  const { metric, mean, scored, interval } = told;
  const what = metric.passes ? "the rate" : "the average";
  const sure = interval === null ? "" : `. With chance taken into account, ${what} may be ${interval}`;
  const missing = first.answered === first.jobs ? "" : `. ${answered}`;
  if (!metric.passes)
    return `\`${metric.name}\` of ${first.target} is ${scoreFigure(mean, metric)} on average in ${counted(scored, "case")}${sure}${missing}`;
  const failing = Math.round((1 - mean) * scored * 10) / 10;
  return `${first.target} passes \`${metric.name}\` in ${scoreFigure(mean, metric)} of ${counted(scored, "case")}; ${number(failing)} fail${sure}${missing}`;
}

/** The score that tells most: the primary one, else the first that says pass or fail, else the first. */
function scoreOf({ scores }: TargetSummary, metrics: readonly ReportMetric[]) {
  const graded = metrics.flatMap((metric, place) => {
    const { mean = null, cases: scored = 0, interval = null } = scores[place] ?? {};
    if (mean === null) return [];
    const range = interval === null ? null : scoreRange({ lower: interval.low, upper: interval.high }, metric);
    return [{ metric, mean, scored, interval: range }];
  });
  return graded.find(({ metric }) => metric.primary) ?? graded.find(({ metric }) => metric.passes) ?? graded[0] ?? null;
}

/** The way to a verdict for answers that nothing grades: lines of YAML that can be pasted, which stand as code. */
export function aloneDetails({ targets }: Comparison, metrics: readonly ReportMetric[]): string[] {
  if (targets.length === 0 || metrics.length > 0) return [];
  const isExpected = targets.some(({ expected }) => expected !== null);
  const [type, what] = isExpected
    ? ["contains", "which answers hold the expected text"]
    : ["not-empty", "which answers say something"];
  return [
    `Nothing grades the answers. Stored ones are graded by \`tandem score --scorer ${type}\`: it tells ${what}.`,
    `For every later run add this line to the suite: \`scorers: [{ type: ${type} }]\``,
  ];
}
