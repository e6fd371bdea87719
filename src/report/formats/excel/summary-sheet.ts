import { reportSections, type Section } from "../../doc/sections.ts";
import { resultHead } from "../../doc/result-lines.ts";
import { wordFacts } from "../../../compare/verdict-word.ts";
import { columnsIn, phraseWriter } from "../../doc/table.ts";
import type { DocCell, DocTable } from "../../shape/doc.ts";
import type { ReportGate, ReportSummary } from "../../shape/model.ts";
import type { Cell } from "../../tables/spreadsheet.ts";
import { styleNumber, type StyleName } from "../../tables/workbook/cell-styles.ts";
import { cellPlace, cellXml, dayOf, lineHeight, sheetEnd, sheetStart } from "../../tables/workbook/sheet.ts";
import { fit } from "../../text/width.ts";
import { counted, duration } from "../../say/quantity.ts";

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
  for (const section of reportSections(summary)) sectionRows(sheet, section);
  return sheet.xml();
}

function verdictRows(sheet: SummaryRows, summary: ReportSummary): void {
  const { verdict } = summary;
  const { isProblem = false, state = null } = verdict.word === null ? {} : wordFacts(verdict.word);
  const { word, sentence, figures, lines, next } = resultHead(summary, { history: mostListed, note: mostListed });
  const title = word || "NO VERDICT";
  sheet.row([{ cell: title, style: isProblem ? "badTitle" : state === "pass" ? "goodTitle" : "title" }]);
  sheet.sentence(`${sentence}.`, "title");
  if (figures !== null) sheet.rows(figures);
  for (const { label, lines: own } of lines)
    for (const [place, line] of own.entries()) sheet.fact(place === 0 ? label : "", line);
  if (next !== null) sheet.fact(`Next: ${next.words}`, next.command);
}

function runRows(sheet: SummaryRows, summary: ReportSummary, beside: readonly string[]): void {
  const { suite, batch, tandem, startedAt, durationMs, state, reason, cases, baseline, targets } = summary;
  sheet.section("Run");
  sheet.fact("suite", suite);
  sheet.fact("batch", batch);
  sheet.fact("started (UTC)", dayOf(Date.parse(startedAt)), "factTime");
  if (durationMs !== null) sheet.fact("took", duration(durationMs));
  sheet.fact("state", reason === null ? state : `${state}: ${reason}`);
  sheet.fact("rows", cases, "factCount");
  if (baseline !== null) sheet.fact("baseline", baseline);
  sheet.fact("targets", targets.map(({ name }) => name).join(", "));
  sheet.fact("tandem", tandem);
  for (const text of beside) sheet.sentence(text);
}

function sectionRows(sheet: SummaryRows, { title, parts }: Section): void {
  sheet.section(said(title));
  for (const part of parts) {
    if ("say" in part) sheet.sentence(said(part.say), "quiet");
    else if ("table" in part) sheet.rows(part.table);
    else sheet.list(part.list.map(said));
  }
}

const said = phraseWriter({
  text: (text) => text,
  name: (name, most) => (most === undefined ? name : fit(name, most)),
  word: (word) => wordFacts(word).shown,
  strong: (text) => text,
  holds: (isSo) => (isSo ? "holds:" : "does not hold:"),
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
