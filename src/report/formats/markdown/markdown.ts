import { type VerdictWord, wordInText } from "../../../compare/verdict-word.ts";
import { markdownCode, markdownFold, markdownText, markdownBlock } from "../../text/markdown-text.ts";
import type { ReportSummary, ReportFlip, ReportGate } from "../../shape/model.ts";
import { capitalised, counted, duration, number } from "../../words/quantity.ts";
import type { ReportFrame, Reporter } from "../../shape/reporter.ts";
import { type WorstRow, worstRows } from "../../model/worst-rows.ts";
import { isMadeKey } from "../../../compare/cases/made-key.ts";
import { fieldTable, segmentTable } from "../../doc/difference-tables.ts";
import { failureTables } from "../../doc/failure-tables.ts";
import { gateTable } from "../../doc/gate-table.ts";
import { reasonPhrases } from "../../doc/reason-list.ts";
import { findingsTables } from "../../doc/choice-findings-tables.ts";
import { choiceTable } from "../../doc/choice-table.ts";
import { targetTable } from "../../doc/target-table.ts";
import { markdownTable, moreLine, saidInMarkdown, wordSigns } from "./markdown-doc.ts";
import { flipBasis, flipWords } from "../../words/flip-words.ts";
import { onMetric } from "../../words/metric-words.ts";
import { keyWords, rowWords } from "../../words/row-words.ts";
import { uncountedLines } from "../../words/validity-words.ts";
import { speedNotes } from "../../model/speed-basis.ts";
import { changeWords } from "../../words/change-words.ts";
import { questionOfRow } from "../../model/row-figures.ts";
import type { ReportRow } from "../../shape/row.ts";
import { fit } from "../../text/width.ts";
import { type ShownRun, shownRuns } from "../../model/shown-runs.ts";

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
    choiceSection(summary),
    ...findingsSections(summary),
    validitySection(summary),
    flipSection(summary),
    behaviourSection(summary),
    targetSection(summary),
    segmentSection(summary),
    memberSection(summary),
    failureSection(summary),
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

const headOf = (word: VerdictWord | null): string =>
  word === null ? "ℹ️ No verdict" : `${wordSigns[word]} ${capitalised(wordInText(word))}`;

function verdictSection(summary: ReportSummary): string {
  const { verdict, next, alarms, cautions, suite, batch, cases, state, reason, durationMs, baseline, targets } =
    summary;
  const names = targets.map(({ name }) => markdownCode(name)).join(", ");
  const behind = [
    ...[...verdict.details, ...(verdict.further ?? [])].map(markdownText),
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
    `## ${headOf(verdict.word)}: ${markdownText(verdict.sentence)}`,
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

const mostKeys = 8;

/** Cases that fail or pass newly. */
function flipSection(summary: ReportSummary): string {
  const { flips, pairs } = summary;
  const found = flips.filter(({ cases }) => cases > 0);
  if (found.length === 0) return "";
  const lines = found.map(({ candidate, kind, cases, keys, rows }) => {
    const names = keys.slice(0, mostKeys).flatMap((key, place) => flipName(key, rows[place]) ?? []);
    const named = names.length === 0 ? "" : `: ${names.join(", ")}${cases > names.length ? ", …" : ""}`;
    const who = pairs.length > 1 ? `${markdownCode(candidate)}: ` : "";
    return `${who}**${number(cases)}** ${flipWords[kind]}${named}`;
  });
  const [{ metric } = { metric: null }] = found;
  const on = onMetric(metric, summary.verdict.metric) === "" ? "" : ` on ${markdownCode(metric ?? "")}`;
  const head = [`### Newly failing and newly passing${on}`, ...uncountedLines(summary).map(markdownText)];
  const basis = flipBasis(summary);
  const why = basis === null ? [] : [markdownText(`Here ${basis}.`)];
  return [...head, listOf(lines), ...why].join("\n\n");
}

/**
 * `row 4 (hours-en-3)`; the key alone where the case is of no file, the row alone where the key is one that we made. Null where
 * neither tells a reader which case it is.
 */
function flipName(key: string, row: ReportFlip["rows"][number] | undefined): string | null {
  const place = row === undefined ? "" : rowWords(row);
  if (place === "") return isMadeKey(key) ? null : markdownCode(key, 60);
  return isMadeKey(key) ? markdownText(place) : `${markdownText(place)} (${markdownCode(key, 60)})`;
}

/** Values of tags, and pairs of them, in which a metric differs. */
export function segmentSection(summary: ReportSummary): string {
  const table = segmentTable(summary);
  if (table.rows.length === 0) return "";
  const title = ["### Where it differs", ...uncountedLines(summary).map(markdownText)];
  return [...title, ...markdownTable(table, mostListed)].join("\n\n");
}

/** Newly failing rows by what is answered, and what their prompts have in common, folded. */
function failureSection(summary: ReportSummary): string {
  return failureTables(summary, null)
    .map((table) => markdownFold(table.name, markdownTable(table, mostListed).join("\n\n")))
    .join("\n\n");
}

/** Output fields that changed, folded. */
function memberSection(summary: ReportSummary): string {
  const table = fieldTable(summary, null);
  return table.rows.length === 0 ? "" : markdownFold(table.name, markdownTable(table, mostListed).join("\n\n"));
}

/** Each metric of each pair, and how the gates were decided. */
function gateSection(summary: ReportSummary): string {
  const { gates, metrics, pairs } = summary;
  if (gates.length === 0) return "";
  // Their ranges and their p values answer other questions.
  const kinds = [gates.filter(({ state }) => state !== null), gates.filter(({ state }) => state === null)];
  const hasRatio = metrics.some(({ relative }) => relative);
  return [
    "### Metrics",
    ...uncountedLines(summary).map(markdownText),
    ...kinds
      .filter((some) => some.length > 0)
      .flatMap((some) =>
        markdownTable(gateTable(some, summary, { name: "Metrics", several: pairs.length > 1 }), mostListed * 2),
      ),
    `A difference above 0 is for the better, one below 0 for the worse${hasRatio ? "; × says how many times as much it is" : ""}.`,
    ...speedNotes(gates, summary).map((note) => markdownText(`${note}.`)),
    ...methodFold(gates, pairs.length > 1),
  ].join("\n\n");
}

/** The test by which a gate was decided, its reason, and the other details behind it. */
function methodFold(gates: readonly ReportGate[], several: boolean): string[] {
  const deciding = gates.filter(
    ({ state, method, details }) => state !== null && (method !== "" || details.length > 0),
  );
  if (deciding.length === 0) return [];
  const lines = deciding.slice(0, mostListed).map(({ candidate, name, method, details }) => {
    const who = several ? `${markdownCode(candidate)}, ` : "";
    const sentences = [...(method === "" ? [] : [`${method}.`]), ...details];
    return `${who}${markdownCode(name)}: ${markdownText(sentences.join(" "))}`;
  });
  return [markdownFold("How it was decided", listOf(lines))];
}

/** A row to look at, folded: what was asked, what is expected, and what both sides said. */
function rowSection(worst: WorstRow, frame: ReportFrame): string {
  const { row } = worst;
  const { baseline, candidate } = shownRuns(worst, frame);
  const expected = row.expected === null || row.expected === "" ? [] : ["Expected:", markdownBlock(row.expected, 400)];
  const sides = [baseline, candidate].flatMap((side) => (side.name === "" ? [] : [sideSection(side)]));
  const inside = ["Asked:", markdownBlock(questionOfRow(row), 600), ...expected, ...sides].join("\n\n");
  const who = frame.pairs.length > 1 ? ` ${markdownCode(candidate.name)}` : "";
  return markdownFold(`${markdownRowName(row)}${who}: ${markdownText(changeWords(worst, frame))}`, inside);
}

/** The row, then the question, then the key where it is not one that we made. */
function markdownRowName(row: ReportRow): string {
  const place = rowWords(row);
  const question = questionOfRow(row).replaceAll(/\s+/g, " ").trim();
  const key = keyWords({ ...row, question });
  const parts = [
    ...(place === "" ? [] : [markdownText(place)]),
    ...(question === "" ? [] : [markdownText(fit(question, 80))]),
    ...(key === "" ? [] : [markdownCode(key, 80)]),
  ];
  return parts.join(" · ");
}

function sideSection({ name, run, which }: ShownRun): string {
  if (run === null) return `${markdownCode(name)}: not run`;
  const reasons = run.scores.flatMap((found) => (found?.pass === false && found.reason !== null ? [found.reason] : []));
  const why =
    reasons.length === 0
      ? ""
      : ` (${reasons
          .slice(0, 3)
          .map((reason) => markdownText(reason.slice(0, 300)))
          .join("; ")})`;
  const said = run.answer ?? run.error;
  const text = said === null || said.trim() === "" ? "" : `\n\n${markdownBlock(said, 1_200)}`;
  const url = run.url === null ? "" : ` · run ${markdownCode(run.url, 300)}`;
  const reported = which === "" ? "" : `, ${which}`;
  return `${markdownCode(name)}${reported}: ${markdownText(run.outcome)}${why}${url}${text}`;
}

/** The configurations that are chosen among; empty where nothing is chosen. */
function choiceSection(summary: ReportSummary): string {
  const table = choiceTable(summary);
  return table === null ? "" : ["### Choice", ...markdownTable(table, mostListed * 4)].join("\n\n");
}

/** Where configurations are good, what a matrix does, and the cases that are worth a look. */
function findingsSections(summary: ReportSummary): string[] {
  return findingsTables(summary).map(({ table, about }) =>
    [`### ${table.name}`, ...markdownTable(table, mostListed * 2), ...(about === "" ? [] : [markdownText(about)])].join(
      "\n\n",
    ),
  );
}

/** The targets with their runs and scores, and what went wrong. */
function targetSection(summary: ReportSummary): string {
  const { targets } = summary;
  const stopped = targets.flatMap(({ name, stopped: reason }) =>
    reason === null ? [] : [`${markdownCode(name)} was stopped: ${markdownText(reason)}`],
  );
  const reasons = reasonPhrases(targets, true);
  return [
    "### Targets",
    ...markdownTable(targetTable(summary), mostListed),
    ...(stopped.length === 0 ? [] : [listOf(stopped)]),
    ...(reasons.length === 0 ? [] : [listOf(reasons.slice(0, mostListed).map(saidInMarkdown))]),
    ...moreLine(reasons.length - mostListed, "message"),
  ].join("\n\n");
}

/** Lines of a list; what is more is counted. */
const mostListed = 12;

/** A list; its lines are Markdown already. */
function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
