import { notPlanned } from "../../compare/cases/side-outcome.ts";
import type { CaseChange } from "../../compare/cases/case-kinds.ts";
import { folded } from "../../text/search-fold.ts";
import type { ReportChange, ReportRow, ReportRun } from "../shape/model.ts";
import { jsonFields } from "./json-fields.ts";
import { tellingTexts } from "./telling-member.ts";
import { runFigure } from "./run-figures.ts";
import type { RowHead } from "../shape/row-head.ts";

/** Kinds of change that the baseline's own variation does not explain. */
const changesBeyondNoise: ReadonlySet<CaseChange> = new Set([
  "changed",
  "error-appeared",
  "error-gone",
  "newly-flaky",
  "newly-stable",
]);

const excerptLength = 170;

/** The columns that a list has beside its own: of the sheet, and fields of JSON answers. */
export interface ListColumns {
  columns?: readonly string[];
  fields?: readonly string[];
}

/** A row as a line of a list, with the beginnings of these columns. */
export function headOf(row: ReportRow, { columns = [], fields = [] }: ListColumns = {}): RowHead {
  const { key, place, row: number, file, tags, changes } = row;
  const said = tellingTexts(saidBySides(row), askedIn(row));
  const start = excerptStart(said);
  return {
    key,
    place,
    row: number,
    file,
    tags,
    question: excerpt(questionOfRow(row)),
    sides: row.sides.map(({ runs, scores }, at) => ({
      outcome: runs[0]?.outcome ?? notPlanned,
      failed: runs.some(({ failed }) => failed),
      excerpt: excerpt(said[at] ?? "", start),
      scores: scores.map((score) => score?.value ?? null),
      latencyMs: runFigure(runs[0], "time"),
      cost: runFigure(runs[0], "cost"),
      tokens: runFigure(runs[0], "tokens"),
      ...fieldsOf(runs[0], fields),
    })),
    changes: changes.map(({ kind, trend, distance }) => ({ kind, trend, distance })),
    ...(columns.length > 0 && { cells: cellsOf(row, columns) }),
  };
}

function fieldsOf(run: ReportRun | undefined, paths: readonly string[]): Pick<RowHead["sides"][number], "fields"> {
  const all = paths.length === 0 ? null : jsonFields(run?.answer ?? null);
  if (all === null) return {};
  return {
    fields: Object.fromEntries(paths.flatMap((path) => (all.has(path) ? [[path, excerpt(all.get(path) ?? "")]] : []))),
  };
}

/** The beginnings of cells of the sheet, by the names of their columns. */
function cellsOf({ columns, tags }: ReportRow, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, excerpt(columns[name] ?? tags[name] ?? "")]));
}

/** True when some run of some target has no usable answer. */
export const hasFailed = ({ sides }: Pick<ReportRow, "sides">): boolean =>
  sides.some(({ runs }) => runs.some(({ failed }) => failed));

/** By the primary metric, if it says pass or fail: `missed` where some run of some target does. */
export function gradedOf({ sides }: Pick<ReportRow, "sides">): "passed" | "missed" | null {
  const passes = sides.flatMap(({ runs }) => runs.flatMap(({ scores: [score] }) => score?.pass ?? []));
  return passes.includes(false) ? "missed" : passes.length > 0 ? "passed" : null;
}

/** The rank of a row: where nothing is compared, errors come first, then what does not pass. */
export function rankOfRow(row: ReportRow, pair: number): number {
  const change = row.changes[pair];
  if (change !== undefined) return rankOf(change);
  return hasFailed(row) ? 2 : gradedOf(row) === "missed" ? 1 : 0;
}

/** The prompt of a row, or what stands in its place: the values that a function is given. */
export function questionOfRow({ input }: Pick<ReportRow, "input">): string {
  const [first] = input;
  if (first === undefined || hasPrompt({ input })) return first?.text ?? "";
  return input.map(({ field, text }) => `${field.replace(/^variables\./, "")}: ${text}`).join(", ");
}

/** Everything that is asked in a row. */
export const askedIn = ({ input }: Pick<ReportRow, "input">): string[] => input.map(({ text }) => text);

/** True when the question is one text, not only values for a function. */
export function hasPrompt({ input }: Pick<ReportRow, "input">): boolean {
  return input.length === 1 || input[0]?.field === "input_prompt";
}

/**
 * The first answer of each side. Where all sides say the same first, and one of them says something else in a later try, that
 * stands there: two texts that are alike would tell nothing of a row that differs.
 */
function saidBySides({ sides }: ReportRow): string[] {
  const said = sides.map(({ runs }) => saidIn(runs[0]));
  const [text = ""] = said;
  if (said.length < 2 || said.some((each) => each !== text)) return said;
  const last = sides.findLastIndex(({ runs }) => runs.some((run) => saidIn(run) !== text));
  const other = sides[last]?.runs.map(saidIn).find((each) => each !== text);
  return said.map((each, place) => (place === last ? (other ?? each) : each));
}

function saidIn(run: ReportRun | undefined): string {
  return run?.answer ?? run?.error ?? "";
}

/** Number of characters without change shown before the first difference; a list has no room for more. */
const excerptLead = 40;

/**
 * Finds a start for excerpts of texts so that the place where they begin to differ is in sight in each: at a word near
 * it, and never within a character.
 */
function excerptStart(texts: readonly string[]): number {
  const [first = "", ...others] = new Set(texts.filter((text) => text !== ""));
  if (others.length === 0) return 0;
  let same = 0;
  while (same < first.length && others.every((other) => other[same] === first[same])) same++;
  if (same <= excerptLead * 2) return 0;
  const word = first.lastIndexOf(" ", same - excerptLead) + 1;
  let start = word > same - excerptLead * 2 ? word : same - excerptLead;
  while (start > 0 && withinCharacter.test(first.slice(start, start + 2))) start--;
  return start;
}

/** Characters that a text cannot begin with: a mark, a joiner, half a character. */
const withinCharacter = /^[\p{M}\u200D\uDC00-\uDFFF]/u;

/** White space drawn together, and no more than a list shows; never half a character. */
export function excerpt(text: string, start = 0): string {
  const short = text.slice(start, start + excerptLength * 2).replaceAll(/\s+/g, " ");
  const shown =
    short.length <= excerptLength ? short : `${short.slice(0, excerptLength).replace(/[\uD800-\uDBFF]$/, "")} …`;
  return start === 0 ? shown : `… ${shown}`;
}

/**
 * Ranks a change: the row to look at first has the highest. Answers that turned into errors come first, then rows that
 * got worse or better beyond the baseline's own variation, then those that only changed, each by its distance (beyond
 * that variation, if it is known).
 */
export function rankOf(change: Pick<ReportChange, "kind" | "trend" | "excess" | "distance">): number {
  const { kind, trend, excess, distance } = change;
  return groupOf(kind, trend) + Math.max(0, Math.min(0.99, excess ?? distance ?? 0));
}

/** True where nothing in a change asks to be looked at. */
export const isCalm = ({ kind, trend }: Pick<ReportChange, "kind" | "trend">): boolean =>
  trend === null && (kind === "same" || kind === "within-noise");

function groupOf(kind: CaseChange, trend: ReportChange["trend"]): number {
  if (kind === "error-appeared") return 6;
  const beyond = changesBeyondNoise.has(kind);
  if (trend === "worse") return beyond ? 5 : 4;
  if (trend === "better") return 3;
  return beyond ? 2 : kind === "differs" ? 1 : 0;
}

/** Cells of a row whose text is not shown already as its key, question, expected answer or a tag. */
export function otherCells({
  key,
  expected,
  tags,
  input,
  columns,
}: Pick<ReportRow, "key" | "expected" | "tags" | "input" | "columns">): [name: string, cell: string][] {
  const labels = Object.values(tags);
  const isShown = (cell: string): boolean =>
    cell === key || cell === expected || labels.includes(cell) || input.some(({ text }) => text === cell);
  return Object.entries(columns).filter(([, cell]) => cell !== "" && !isShown(cell));
}

/** Everything in a row that a search looks at, in the form in which texts are compared. */
export function searchText(row: ReportRow): string {
  return folded(searchedText(row));
}

/** The parts of a row that a search looks at. */
export interface SearchedRow extends Pick<ReportRow, "key" | "expected" | "cluster" | "tags" | "input" | "columns"> {
  sides: readonly { runs: readonly Pick<ReportRun, "answer" | "error" | "runId">[] }[];
}

/** Everything in a row that a search looks at, as it is. */
export function searchedText(row: SearchedRow): string {
  const parts = [row.key, row.expected ?? "", row.cluster ?? "", ...Object.values(row.tags)];
  for (const { text } of row.input) parts.push(text);
  for (const { runs } of row.sides) {
    for (const { answer, error, runId } of runs) parts.push(answer ?? "", error ?? "", runId ?? "");
  }
  for (const cell of Object.values(row.columns)) parts.push(cell);
  // Columns are mostly what was asked and expected, and answers are often the same.
  return distinct(parts).join("\n");
}

/** Fewer texts than this are faster compared with each other than put into a set, for which each is read to its end. */
const fewTexts = 40;

function distinct(texts: readonly string[]): readonly string[] {
  if (texts.length > fewTexts) return Array.from(new Set(texts));
  return texts.filter((text, place) => texts.indexOf(text) === place);
}
