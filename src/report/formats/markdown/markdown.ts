import { markdownCode, markdownFold, markdownText } from "../../text/markdown-text.ts";
import type { ReportSummary, VerdictState } from "../../shape/model.ts";
import { counted, duration } from "../../words/quantity.ts";
import type { ReportFrame, Reporter } from "../../shape/reporter.ts";
import { type WorstRow, worstRows } from "../../model/worst-rows.ts";
import { flipSection, memberSection, sliceSection } from "./difference-sections.ts";
import { gateSection } from "./gate-section.ts";
import { listOf, moreLine, mostListed } from "./lists.ts";
import { rowSection } from "./row-section.ts";
import { targetSection } from "./target-section.ts";

/**
 * Greatest number of characters: the comment of a pull request may hold 65,536; some are left for the words that a
 * person writes around it.
 */
const mostCharacters = 64_000;
const mostRows = 20;

/** `report.md`: the verdict first, then figures, then the rows to look at; never longer than a comment may be. */
export function markdownReport(frame: ReportFrame): Reporter {
  const worst = worstRows(mostRows);
  return {
    start: "",
    wants: ({ rank }) => worst.wants(rank),
    add(row) {
      worst.add(row);
      return "";
    },
    end: (summary) => wholeText(summary, worst.rows(), frame),
  };
}

function wholeText(summary: ReportSummary, rows: readonly WorstRow[], frame: ReportFrame): string {
  const sections = [
    verdictSection(summary),
    gateSection(summary),
    validitySection(summary),
    flipSection(summary),
    behaviourSection(summary),
    targetSection(summary),
    sliceSection(summary),
    memberSection(summary),
    noteSection(summary),
  ];
  const shown: string[] = [];
  let used = 0;
  const add = (section: string): boolean => {
    if (section === "") return true;
    if (used + section.length + 2 > mostCharacters) return false;
    used += section.length + 2;
    shown.push(section);
    return true;
  };
  const left = sections.filter((section) => !add(section)).length;
  if (rows.length > 0 && left === 0) add("### Rows to look at");
  const some = rows.filter((row) => add(rowSection(row, frame))).length;
  const more = left > 0 || some < rows.length;
  if (more) shown.push("What does not fit here is in `report.html`, or in what `tandem export` writes.");
  return `${shown.join("\n\n")}\n`;
}

const signs: Record<VerdictState, string> = {
  regression: "❌ Regression",
  pass: "✅ Pass",
  inconclusive: "⚠️ Inconclusive",
  invalid: "⛔ Invalid",
  none: "ℹ️ No verdict",
};

function verdictSection(summary: ReportSummary): string {
  const { verdict, next, alarms, cautions, suite, batch, cases, state, reason, durationMs, baseline, targets } =
    summary;
  const names = targets.map(({ name }) => markdownCode(name)).join(", ");
  const behind = [
    ...verdict.details.map(markdownText),
    ...alarms.slice(0, mostListed).map(({ sentence }) => `🌙 ${markdownText(sentence)}`),
    ...cautions.slice(0, mostListed).map((caution) => `⚠️ ${markdownText(caution)}`),
  ];
  const about = [
    markdownCode(suite),
    `batch ${markdownCode(batch)}`,
    counted(cases, "case"),
    baseline === null ? names : `baseline ${markdownCode(baseline)} of ${names}`,
    ...(durationMs === null ? [] : [duration(durationMs)]),
    ...(state === "finished"
      ? []
      : [`**${markdownText(state)}${reason === null ? "" : `: ${markdownText(reason)}`}**`]),
  ];
  return [
    `## ${signs[verdict.state]}: ${markdownText(verdict.sentence)}`,
    about.join(" · "),
    ...(behind.length === 0 ? [] : [listOf(behind)]),
    ...(next === null ? [] : [`Next: ${markdownText(next.why)}: ${markdownCode(next.command, 300)}`]),
  ].join("\n\n");
}

function validitySection({ validity }: ReportSummary): string {
  const { checks } = validity;
  if (checks.length === 0) return "";
  const lines = checks.slice(0, mostListed).map(({ ok, text }) => `${ok ? "✅" : "⛔"} ${markdownText(text)}`);
  const all = [...lines, ...moreLine(checks.length - mostListed, "check")];
  return ["### Validity", listOf(all)].join("\n\n");
}

function behaviourSection({ behaviour }: ReportSummary): string {
  if (behaviour.length === 0) return "";
  const lines = behaviour.map(({ sentence }) => markdownText(sentence));
  const measured = behaviour.map((each) => markdownText(each.measured));
  return ["### Behaviour changed?", listOf(lines), markdownFold("How it was measured", listOf(measured))].join("\n\n");
}

/** Notes other than the cautions, which stand beside the verdict. */
function noteSection({ cautions, notes }: ReportSummary): string {
  const others = notes.filter((note) => !cautions.includes(note));
  return others.length === 0 ? "" : markdownFold("Notes", listOf(others.slice(0, mostListed).map(markdownText)));
}
