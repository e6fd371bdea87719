import type { DocTable } from "../shape/doc.ts";
import type { ReportOutputField, ReportSegment, ReportSummary } from "../shape/model.ts";
import { rowGroup } from "../model/row-groups.ts";
import { difference, pValue } from "../say/figures.ts";
import { number } from "../say/quantity.ts";
import { segmentWords } from "../say/names.ts";
import { type ColumnOf, tableOf } from "./table.ts";

const candidate: ColumnOf<{ candidate: string }> = {
  title: "candidate",
  kind: "name",
  cell: (line) => ({ target: line.candidate }),
};

/** Values of tags in which a metric differs; `of`: those of one candidate alone. */
export function segmentTable({ slices: segments, metrics, pairs }: ReportSummary, of: string | null): DocTable {
  const differing = segments.filter(
    (each) =>
      (of === null || each.candidate === of) &&
      each.p !== null &&
      each.p <= 0.05 &&
      each.difference !== null &&
      each.difference !== 0,
  );
  const columns: ColumnOf<ReportSegment>[] = [
    ...(pairs.length > 1 && of === null ? [candidate] : []),
    {
      title: "rows with",
      kind: "name",
      cell: (segment) => ({ name: segmentWords({ ...segment, and: null }), most: 80 }),
    },
    { title: "metric", kind: "name", cell: ({ metric }) => ({ name: metric }) },
    {
      title: "rows",
      kind: "number",
      cell: ({ candidate: target, tag: name, value, metric, cases }) => ({
        link: number(cases),
        to: { target, tags: [{ name, value }], group: rowGroup.paired(metric), sort: "rank" },
      }),
    },
    {
      title: "difference",
      kind: "number",
      cell(segment) {
        const metric = metrics.find(({ name }) => name === segment.metric);
        return metric === undefined ? "–" : difference(segment.difference, metric);
      },
    },
    { title: "p (adjusted)", kind: "number", cell: ({ p }) => pValue(p) },
  ];
  const lines = differing.map((segment) => ({
    key: `${segment.candidate} ${segment.metric} ${segmentWords({ ...segment, and: null })}`,
    of: segment,
  }));
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
