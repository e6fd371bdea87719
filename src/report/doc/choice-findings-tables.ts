import { placesByMean } from "../model/choice-order.ts";
import type { ReportChoice, ReportNamedCase } from "../shape/choice.ts";
import type { SliceCell, SliceTable } from "../../compare/summary/slice-table.ts";
import type { DocTable } from "../shape/doc.ts";
import type { ReportMetric, ReportSummary } from "../shape/model.ts";
import { scoreFigure } from "../say/figures.ts";
import { counted, number } from "../say/quantity.ts";
import { sliceWords } from "../say/names.ts";
import { type ColumnOf, tableOf } from "./table.ts";

/** The legend of the marks in a table of tags. */
export const strengthMarks = { better: "▲", worse: "▼" } as const;
const strengthLegend = `${strengthMarks.better} surely better there than elsewhere, beside the others; ${strengthMarks.worse} surely worse`;

/** The tables of what is found beside the choice, each with a sentence about it or none, those that answer more first; only those with lines. */
export function findingsTables({ choice, metrics }: ReportSummary): { table: DocTable; about: string }[] {
  const about = metrics.find(({ name }) => name === choice?.metric);
  if (choice === undefined || about === undefined) return [];
  return [
    { table: strengthTable(choice, about), about: `${strengthLegend}.${leftWords(choice)}` },
    { table: disputedTable(choice, about), about: "" },
    { table: nobodyTable(choice), about: `${nobodyWords(choice)}.` },
  ].filter(({ table }) => table.rows.length > 0);
}

/** `3 cases pass with none of them: a gap of all, or a fault of the dataset` */
function nobodyWords({ nobody: { cases } }: Pick<ReportChoice, "nobody">): string {
  return `${counted(cases, "row")} ${cases === 1 ? "passes" : "pass"} with none of them: a gap of all, or a fault of the dataset`;
}

function leftWords({ slices }: ReportChoice): string {
  const left = slices?.left ?? 0;
  return left === 0 ? "" : ` ${counted(left, "value")} with fewer rows ${left === 1 ? "is" : "are"} not looked at.`;
}

type SliceLine = SliceTable["lines"][number];

/** The least p of a line; 2 where none of its cells has a mark. */
const surest = ({ cells }: SliceLine): number =>
  Math.min(2, ...cells.flatMap((cell) => (cell === null || cell.mark === null ? [] : (cell.p ?? []))));

/** Lines with a mark before all others, the surest first. */
const surestFirst = (lines: readonly SliceLine[]): SliceLine[] =>
  lines.toSorted((one, other) => surest(one) - surest(other));

function strengthTable(choice: ReportChoice, about: ReportMetric): DocTable {
  const columns: ColumnOf<SliceLine>[] = [
    {
      title: "rows with",
      kind: "name",
      cell: ({ slice }) => ({ name: slice === null ? "all" : sliceWords(slice), most: 80 }),
    },
    { title: "rows", kind: "number", cell: ({ cells: [cell] }) => number(cell?.cases ?? 0) },
    ...placesByMean(choice, about).map((place, at): ColumnOf<SliceLine> => {
      const cell = ({ cells }: SliceLine): string => strengthFigure(cells[place], about);
      const title = { name: choice.intervals[place]?.target ?? "" };
      return { title, kind: "number", cell, ...(at > 0 && { drop: at }) };
    }),
  ];
  const lines = surestFirst(choice.slices?.lines ?? []).map((of) => ({
    key: of.slice === null ? "" : sliceWords(of.slice),
    of,
  }));
  return tableOf({ name: "Where each is good", noun: "value" }, columns, lines);
}

/** `98 % ▲` */
function strengthFigure(cell: SliceCell | null | undefined, about: ReportMetric): string {
  if (cell === null || cell?.mean === undefined) return "–";
  return `${scoreFigure(cell.mean, about)}${cell.mark === null ? "" : ` ${strengthMarks[cell.mark]}`}`;
}

/** The row of a case as the reader knows it, and its question: a way to it where there is a page. */
const caseColumns: ColumnOf<ReportNamedCase>[] = [
  { title: "row", kind: "number", cell: ({ row }) => (row === null ? "–" : number(row)) },
  {
    title: "question",
    cell: ({ key, question }) => ({ link: { name: question === "" ? key : question, most: 120 }, to: { row: key } }),
  },
];

function disputedTable(choice: ReportChoice, about: ReportMetric): DocTable {
  const columns: ColumnOf<ReportChoice["disputed"][number]>[] = [
    ...caseColumns,
    ...placesByMean(choice, about).map((place, at): ColumnOf<ReportChoice["disputed"][number]> => ({
      title: { name: choice.intervals[place]?.target ?? "" },
      kind: "number",
      cell: ({ scores }) => gradeFigure(scores[place] ?? null, about),
      ...(at > 0 && { drop: at }),
    })),
  ];
  const lines = choice.disputed.map((of) => ({ key: of.key, of }));
  return tableOf({ name: "Where they disagree most", noun: "case" }, columns, lines);
}

/** Passes and fails in a word; a share where a case was tried several times. */
function gradeFigure(score: number | null, about: ReportMetric): string {
  if (!about.passes || (score !== 0 && score !== 1)) return scoreFigure(score, about);
  return score === 1 ? "pass" : "fail";
}

function nobodyTable(choice: ReportChoice): DocTable {
  const lines = choice.open === "floor" ? [] : choice.nobody.first.map((of) => ({ key: of.key, of }));
  return tableOf({ name: "Cases that pass with none", noun: "case" }, caseColumns, lines);
}
