import { wordFacts } from "../../../compare/verdict-word.ts";
import { findingsTables } from "../../doc/choice-findings-tables.ts";
import { choiceTable } from "../../doc/choice-table.ts";
import { fieldTable, segmentTable } from "../../doc/difference-tables.ts";
import { failureTables } from "../../doc/failure-tables.ts";
import { gateTable } from "../../doc/gate-table.ts";
import { reasonPhrases } from "../../doc/reason-list.ts";
import { columnsIn, phraseWriter } from "../../doc/table.ts";
import { targetTable } from "../../doc/target-table.ts";
import { speedNotes } from "../../model/speed-basis.ts";
import type { DocCell, DocTable } from "../../shape/doc.ts";
import type { ReportGate, ReportSummary } from "../../shape/model.ts";
import type { Cell } from "../../tables/spreadsheet.ts";
import { styleNumber, type StyleName } from "../../tables/workbook/cell-styles.ts";
import { cellPlace, cellXml, dayOf, lineHeight, sheetEnd, sheetStart } from "../../tables/workbook/sheet.ts";
import { fit } from "../../text/width.ts";
import { pAbout, pNames } from "../../words/figures.ts";
import { flipBasis, flipWords } from "../../words/flip-words.ts";
import { capitalised, counted, duration } from "../../words/quantity.ts";
import { uncountedLines } from "../../words/validity-words.ts";

/** A cell, and how it looks. */
interface Shown {
  cell: Cell;
  style: StyleName;
}

/** Widths of the columns: the first has names, and a sentence goes over as many as fit on a screen. */
const widths = [30, 22, ...Array.from({ length: 14 }, () => 15)];
const sentenceColumns = 9;
const widthOf = (from: number, end: number): number => widths.slice(from, end).reduce((sum, width) => sum + width, 0);
const sentenceWidth = widthOf(0, sentenceColumns);
/** Lines of one table, and of one list. */
const mostListed = 200;

/** The sheet that says first what came out, then by which figures, whether the data hold, and how it was measured. */
export function summarySheet(summary: ReportSummary, beside: readonly string[]): string {
  const sheet = new SummaryRows();
  verdictRows(sheet, summary);
  runRows(sheet, summary, beside);
  metricRows(sheet, summary);
  sheet.table("Choice", choiceTable(summary));
  for (const { table, about } of findingsTables(summary)) {
    sheet.table(table.name, table);
    if (about !== "") sheet.sentence(about);
  }
  reliabilityRows(sheet, summary);
  flipRows(sheet, summary);
  targetRows(sheet, summary);
  sheet.table("Where it differs", segmentTable(summary));
  for (const table of failureTables(summary, null)) sheet.table(table.name, table);
  const fields = fieldTable(summary, null);
  sheet.table(fields.name, fields);
  measuredRows(sheet, summary);
  return sheet.xml();
}

function verdictRows(sheet: SummaryRows, { verdict, alarms, next }: ReportSummary): void {
  const { word, sentence, details, further = [] } = verdict;
  const { isProblem = false, state = null } = word === null ? {} : wordFacts(word);
  const title = word === null ? "NO VERDICT" : wordFacts(word).shown;
  sheet.row([{ cell: title, style: isProblem ? "badTitle" : state === "pass" ? "goodTitle" : "title" }]);
  sheet.sentence(`${sentence}.`, "title");
  sheet.list([...details, ...further, ...alarms.map((alarm) => alarm.sentence)]);
  if (next !== null) sheet.fact(`Next: ${next.why}`, next.command);
}

function runRows(sheet: SummaryRows, summary: ReportSummary, beside: readonly string[]): void {
  const { suite, batch, tandem, startedAt, durationMs, state, reason, cases, baseline, targets } = summary;
  sheet.section("Run");
  sheet.fact("suite", suite);
  sheet.fact("batch", batch);
  sheet.fact("started (UTC)", dayOf(startedAt), "factTime");
  if (durationMs !== null) sheet.fact("took", duration(durationMs));
  sheet.fact("state", reason === null ? state : `${state}: ${reason}`);
  sheet.fact("cases", cases, "factCount");
  if (baseline !== null) sheet.fact("baseline", baseline);
  sheet.fact("targets", targets.map(({ name }) => name).join(", "));
  sheet.fact("tandem", tandem);
  for (const text of beside) sheet.sentence(text);
}

/** Metrics with a gate, then those without: their ranges and their p values answer other questions. */
function metricRows(sheet: SummaryRows, summary: ReportSummary): void {
  const { gates, metrics, pairs } = summary;
  if (gates.length === 0) return;
  sheet.section("Metrics");
  sheet.list(uncountedLines(summary));
  for (const some of [gates.filter(({ state }) => state !== null), gates.filter(({ state }) => state === null)])
    sheet.rows(gateTable(some, summary, { name: "Metrics", several: pairs.length > 1 }));
  const ratio = metrics.some(({ relative }) => relative) ? "; × says how many times as much it is" : "";
  sheet.sentence(`A difference above 0 is for the better, one below 0 for the worse${ratio}.`, "quiet");
  if (gates.some(({ state }) => state !== null))
    sheet.sentence(`${capitalised(pNames.gate)}: ${pAbout.gate}.`, "quiet");
  if (gates.some(({ state }) => state === null))
    sheet.sentence(`${capitalised(pNames.metric)}: ${pAbout.metric}.`, "quiet");
  sheet.list(speedNotes(gates, summary).map((note) => `${note}.`));
}

function reliabilityRows(sheet: SummaryRows, { validity, cautions, behaviour, notes }: ReportSummary): void {
  sheet.section("Can you rely on it?");
  for (const { ok, text } of validity.checks)
    sheet.fact(ok ? "holds" : "does not hold", text, "text", ok ? "good" : "bad");
  for (const text of cautions.slice(0, mostListed)) sheet.fact("caution", text);
  sheet.list(behaviour.map(({ sentence }) => sentence));
  sheet.list(notes.filter((note) => !cautions.includes(note)));
}

function flipRows(sheet: SummaryRows, summary: ReportSummary): void {
  const flips = summary.flips.filter(({ cases }) => cases > 0);
  if (flips.length === 0) return;
  sheet.section("Newly failing and newly passing");
  for (const { candidate, kind, cases } of flips)
    sheet.row([
      { cell: flipWords[kind], style: "label" },
      { cell: candidate, style: "text" },
      { cell: cases, style: "count" },
    ]);
  const basis = flipBasis(summary);
  if (basis !== null) sheet.sentence(`${capitalised(basis)}.`, "quiet");
}

function targetRows(sheet: SummaryRows, summary: ReportSummary): void {
  sheet.table("Targets", targetTable(summary));
  sheet.list(
    summary.targets.flatMap(({ name, stopped }) => (stopped === null ? [] : [`${name} was stopped: ${stopped}`])),
  );
  sheet.list(reasonPhrases(summary.targets, true).map(said));
}

function measuredRows(sheet: SummaryRows, { verdict, behaviour, gates, pairs }: ReportSummary): void {
  const lines = [
    ...verdict.measured,
    ...behaviour.map(({ measured }) => measured),
    ...gates.flatMap(({ state, candidate, name, method, details }) => {
      if (state === null || (method === "" && details.length === 0)) return [];
      const sentences = [...(method === "" ? [] : [`${method}.`]), ...details];
      return [`${pairs.length > 1 ? `${candidate}, ` : ""}${name}: ${sentences.join(" ")}`];
    }),
  ];
  if (lines.length === 0) return;
  sheet.section("How it was measured");
  sheet.list(lines);
}

const said = phraseWriter({
  text: (text) => text,
  name: (name, most) => (most === undefined ? name : fit(name, most)),
  word: (word) => wordFacts(word).shown,
  strong: (text) => text,
});

/** The sheet as it grows. */
class SummaryRows {
  #xml = "";
  #count = 0;
  readonly #merged: string[] = [];

  xml(): string {
    const merged = this.#merged.map((range) => `<mergeCell ref="${range}"/>`).join("");
    const merges = merged === "" ? "" : `<mergeCells count="${this.#merged.length}">${merged}</mergeCells>`;
    return `${sheetStart(widths, { head: 0, side: 0 })}${this.#xml}</sheetData>${merges}${sheetEnd()}`;
  }

  /** A row of cells, as high as the text that needs most lines. */
  row(cells: readonly Shown[], height = linesOf(cells)): void {
    this.#count += 1;
    const xml = cells.map(({ cell, style }, place) => cellXml(cellPlace(place, this.#count), cell, styleNumber(style)));
    const high = height === 1 ? "" : ` ht="${Math.min(height * lineHeight, 400)}" customHeight="1"`;
    this.#xml += `<row r="${this.#count}"${high}>${xml.join("")}</row>`;
  }

  section(title: string): void {
    this.row([]);
    this.row([{ cell: title, style: "section" }], 1.3);
  }

  /** A text over many columns. */
  sentence(text: string, style: StyleName = "text"): void {
    this.row(
      [{ cell: text, style }],
      linesIn(text, style === "title" ? sentenceWidth / 1.6 : sentenceWidth) * (style === "title" ? 1.5 : 1),
    );
    this.#merge(0);
  }

  list(lines: readonly string[]): void {
    for (const line of lines.slice(0, mostListed)) this.sentence(line);
    if (lines.length > mostListed) this.sentence(`and ${counted(lines.length - mostListed, "more line")}`, "quiet");
  }

  /** A name and what it is. */
  fact(name: string, cell: Cell, style: StyleName = "text", nameStyle: StyleName = "name"): void {
    const width = sentenceWidth - (widths[0] ?? 0);
    const height = Math.max(linesIn(String(cell), width), linesIn(name, widths[0] ?? 0));
    this.row(
      [
        { cell: name, style: nameStyle },
        { cell, style },
      ],
      height,
    );
    if (style === "text") this.#merge(1);
  }

  /** A table under its name; nothing where it has no rows. */
  table(title: string, table: DocTable | null): void {
    if (table === null || table.rows.length === 0) return;
    this.section(title);
    this.rows(table);
  }

  rows(table: DocTable): void {
    if (table.rows.length === 0) return;
    // A sheet has as much room as a page of Markdown.
    const columns = columnsIn(table, "markdown");
    const isFigure = ({ column: { kind } }: (typeof columns)[number]): boolean => kind === "number" || kind === "range";
    // Words at the end of a line have the room that is left.
    const last = columns.at(-1);
    const isWide = last !== undefined && !isFigure(last) && columns.length < sentenceColumns;
    const put = (cells: readonly Shown[]): void => {
      this.row(cells, linesOf(cells, isWide));
      if (isWide) this.#merge(columns.length - 1);
    };
    put(columns.map((each) => ({ cell: said(each.column.title), style: isFigure(each) ? "figureHead" : "head" })));
    for (const { cells, state } of table.rows.slice(0, mostListed))
      put(
        columns.map((each, at) =>
          shownCell(cells[each.place], { state: at === 0 ? state : null, isFigure: isFigure(each) }),
        ),
      );
    const more = table.rows.length - mostListed;
    if (more > 0) this.sentence(`and ${counted(more, `more ${table.noun}`)}`, "quiet");
  }

  #merge(from: number): void {
    this.#merged.push(`${cellPlace(from, this.#count)}:${cellPlace(sentenceColumns - 1, this.#count)}`);
  }
}

/** A figure as a number where a spreadsheet can calculate with it, else as the text that every report has. */
function shownCell(
  cell: DocCell | undefined,
  { state, isFigure }: { state: ReportGate["state"] | undefined; isFigure: boolean },
): Shown {
  if (cell === undefined) return { cell: null, style: "text" };
  const { figure } = cell;
  if (figure !== undefined && figure.value !== null)
    return { cell: figure.as === "points" ? figure.value * 100 : figure.value, style: figure.as };
  const style = state === "regression" || state === "invalid" ? "bad" : state === "pass" ? "good" : "text";
  return { cell: said(cell.text), style: isFigure ? "figureText" : style };
}

function linesOf(cells: readonly Shown[], isWide = false): number {
  const lines = cells.map(({ cell }, place) => {
    const end = isWide && place === cells.length - 1 ? sentenceColumns : place + 1;
    return typeof cell === "string" ? linesIn(cell, widthOf(place, end)) : 1;
  });
  return Math.max(1, ...lines);
}

const linesIn = (text: string, width: number): number =>
  text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * 1.05) / width)), 0);
