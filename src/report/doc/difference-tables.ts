import { valuesOf } from "../../compare/slice-name.ts";
import type { DocTable } from "../shape/doc.ts";
import type { ReportOutputField, ReportSlice, ReportSummary } from "../shape/model.ts";
import { rowGroup } from "../model/row-groups.ts";
import { changeFigure, pValue } from "../say/figures.ts";
import { number } from "../say/quantity.ts";
import { sliceWords } from "../say/names.ts";
import { type ColumnOf, tableOf } from "./table.ts";

const candidate: ColumnOf<{ candidate: string }> = {
  title: "candidate",
  kind: "name",
  cell: (line) => ({ target: line.candidate }),
};

/** Slices in which a metric differs; `of`: those of one candidate alone. */
export function sliceDifferences({ slices, metrics, pairs }: ReportSummary, of: string | null): DocTable {
  const columns: ColumnOf<ReportSlice>[] = [
    ...(pairs.length > 1 && of === null ? [candidate] : []),
    {
      title: "rows with",
      kind: "name",
      cell: (slice) => ({ name: sliceWords(slice), most: 80 }),
    },
    { title: "metric", kind: "name", cell: ({ metric }) => ({ name: metric }) },
    {
      title: "rows",
      kind: "number",
      cell: ({ candidate: target, metric, cases, ...slice }) => ({
        link: number(cases),
        to: { target, tags: valuesOf(slice), group: rowGroup.paired(metric), sort: "rank" },
      }),
    },
    {
      title: "difference",
      kind: "number",
      cell(slice) {
        const metric = metrics.find(({ name }) => name === slice.metric);
        return metric === undefined ? "–" : changeFigure(slice.difference, metric);
      },
    },
    { title: "p (adjusted)", kind: "number", cell: ({ p }) => pValue(p) },
  ];
  const lines = slices
    .filter((each) => each.mark !== null && (of === null || each.candidate === of))
    .map((slice) => ({ key: `${slice.candidate} ${slice.metric} ${sliceWords(slice)}`, of: slice }));
  return tableOf({ name: "Where it differs", noun: "slice" }, columns, lines);
}

/** Output fields that changed; `of`: those of one candidate alone. */
export function fieldTable({ members, pairs }: ReportSummary, of: string | null): DocTable {
  const shown = of === null ? members : members.filter((each) => each.candidate === of);
  // If the baseline was asked only once, its own variation is not known.
  const isMeasured = shown.some(({ noise, p }) => noise !== null || p !== null);
  const columns: ColumnOf<ReportOutputField>[] = [
    ...(pairs.length > 1 && of === null ? [candidate] : []),
    { title: "output field", kind: "name", cell: ({ path }) => ({ name: path }) },
    { title: "change", cell: ({ about }) => about },
    {
      title: "rows",
      kind: "number",
      cell: ({ candidate: target, path, cases, of: all }) => [
        { link: number(cases), to: { target, group: rowGroup.field(path), sort: "rank" } },
        ` of ${number(all)}`,
      ],
    },
    ...(isMeasured
      ? ([
          {
            title: "baseline by itself",
            about: "Cases in which the baseline differs from itself",
            kind: "number",
            cell: ({ noise }) => (noise === null ? "–" : number(noise)),
          },
          {
            title: "p (adjusted)",
            about: "Adjusted for the number of fields",
            kind: "number",
            cell: ({ p }) => pValue(p),
          },
        ] satisfies ColumnOf<ReportOutputField>[])
      : []),
  ];
  const lines = shown.map((field) => ({ key: `${field.candidate} ${field.path} ${field.about}`, of: field }));
  return tableOf({ name: "Output fields that changed", noun: "field" }, columns, lines);
}

/** Newly failing rows of each candidate, or of one, by their answers. */
export function failureTable({ newFailures = [], pairs }: ReportSummary, of: string | null): DocTable {
  const shown = newFailures.filter((each) => of === null || each.candidate === of);
  const said = shown.flatMap(({ said: lines, ...failures }) => lines.map((line) => ({ ...failures, line })));
  const columns: ColumnOf<(typeof said)[number]>[] = [
    ...(pairs.length > 1 && of === null ? [candidate] : []),
    {
      title: "rows",
      kind: "number",
      cell: ({ candidate: target, rows, line }) => [
        { link: number(line.rows), to: { target, group: rowGroup.said(target, line.words), sort: "rank" } },
        ` of ${number(rows)}`,
      ],
    },
    {
      title: "the answer begins, or its fields differ, but for names (…) and numbers (#)",
      short: "the answer begins, or its fields differ",
      kind: "name",
      cell: ({ line }) => ({ name: line.words, most: 100 }),
    },
  ];
  return tableOf(
    { name: "What newly failing rows are answered", noun: "answer" },
    columns,
    said.map((each) => ({ key: `${each.candidate} ${each.line.words}`, of: each })),
  );
}
