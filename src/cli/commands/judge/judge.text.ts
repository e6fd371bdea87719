import type { CheckPlan, JudgeCheckReport, ToldFinding } from "../../../app/judge/check-judge.ts";
import type { FindingState } from "../../../app/judge/bias-findings.ts";
import { markdownText } from "../../../report/text/markdown-text.ts";
import { visible } from "../../../report/text/visible.ts";
import { wrapped } from "../../../report/text/wrap.ts";
import { counted, number } from "../../../report/say/quantity.ts";

/** One line before anything is sent. */
export function planLine({ scorer, judge, questions, known, answers, batch, cost }: CheckPlan): string {
  const before = known === 0 ? "" : `, ${number(known)} of them answered before it was broken off`;
  const price = cost === null ? "" : `, cost ${number(cost)}`;
  return `check of ${visible(scorer)}: ${counted(questions, "question")} to ${visible(judge)}${before}, with ${counted(answers, "answer")} of ${batch}${price}`;
}

const partNames: Record<CheckPlan["parts"][number]["kind"], string> = {
  plain: "about answers as they are, some of them several times",
  padded: "about longer answers",
  wrong: "about wrong answers",
};

/** The questions that a check would ask (--dry-run). */
export function checkPlanText(plan: CheckPlan): string {
  const most = plan.parts.reduce((width, { questions }) => Math.max(width, number(questions).length), 0);
  return [
    `${planLine(plan)}.`,
    ...plan.parts.map(({ kind, questions }) => `  ${number(questions).padStart(most)}  ${partNames[kind]}`),
    ...(plan.cost === null ? ["No price is known: write `price` at the judge or its deployment."] : []),
    "Nothing was sent.",
  ].join("\n");
}

/** The sentence where questions are left. */
export function openText(command: string): string {
  return `Not everything was answered; what was is kept. Go on: ${command}`;
}

const signs: Record<FindingState, string> = { fine: "ok", alarm: "ALARM", inconclusive: "unsure", untested: "-" };

const order: readonly FindingState[] = ["alarm", "inconclusive", "fine", "untested"];

function sorted(findings: readonly ToldFinding[]): ToldFinding[] {
  return order.flatMap((state) => findings.filter((finding) => finding.state === state));
}

const headOf = ({ scorer, verdict }: JudgeCheckReport): string => `${scorer}: ${verdict}`;

function aboutOf({ judge, answers, batch, questions, at }: JudgeCheckReport): string {
  return `The judge ${judge} was asked ${counted(questions, "question")} about ${counted(answers, "answer")} of ${batch} on ${at.slice(0, 10)}.`;
}

function limitsOf({ tolerance }: JudgeCheckReport): string {
  return `Figures are points of a scale of 100, or shares, with 95 % intervals. A bias is an alarm when it is more than chance, over all lines together, and more than ${tolerance * 100} points.`;
}

function keptText({ kept, scorer }: JudgeCheckReport): string {
  if (kept === 0)
    return "Too few of its questions have a grade for `tandem night` to see by them whether the judge changes.";
  return `Where ${scorer} decides a gate, \`tandem night\` asks ${counted(kept, "question")} of these again each week, to see whether the judge has changed.`;
}

/** The page of results for a terminal. */
export function checkText(report: JudgeCheckReport, width: number): string {
  const body = sorted(report.findings).flatMap((finding) => {
    const { title, said, advice } = finding;
    const lines = wrapped(visible(`${title}: ${said}.`), width - 8);
    const next =
      advice === null
        ? []
        : wrapped(visible(advice), width - 11).map((line, at) => `${at === 0 ? "-> " : "   "}${line}`);
    return [...lines, ...next].map((line, at) => `${(at === 0 ? signs[finding.state] : "").padEnd(7)} ${line}`);
  });
  return [
    ...wrapped(visible(headOf(report)), width),
    "",
    ...body,
    "",
    ...wrapped(visible(aboutOf(report)), width),
    ...wrapped(limitsOf(report), width),
    ...wrapped(visible(keptText(report)), width),
  ].join("\n");
}

/** The same as Markdown. */
export function checkMarkdown(report: JudgeCheckReport): string {
  const rows = sorted(report.findings).map((finding) => {
    const { title, said, advice } = finding;
    const cells = [signs[finding.state], title, said, advice ?? ""].map((cell) => markdownText(cell));
    return `| ${cells.join(" | ")} |`;
  });
  return [
    `# ${markdownText(headOf(report))}`,
    "",
    markdownText(aboutOf(report)),
    "",
    "| | tried | found | what to do |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    limitsOf(report),
    "",
  ].join("\n");
}
