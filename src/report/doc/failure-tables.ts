import { rowGroup } from "../model/row-groups.ts";
import type { DocTable } from "../shape/doc.ts";
import type { NewFailures, ReportSummary, SaidAlike } from "../shape/model.ts";
import { number } from "../say/quantity.ts";
import { type ColumnOf, tableOf } from "./table.ts";

interface Said {
  failures: NewFailures;
  line: SaidAlike;
}

/** Newly failing rows of each candidate, or of one, by their answers. */
export function failureTable({ newFailures = [], pairs }: ReportSummary, of: string | null): DocTable {
  const shown = newFailures.filter(({ candidate }) => of === null || candidate === of);
  const names: ColumnOf<Said>[] =
    pairs.length > 1 && of === null
      ? [{ title: "candidate", kind: "name", cell: ({ failures }) => ({ target: failures.candidate }) }]
      : [];
  const said = shown.flatMap((failures) => failures.said.map((line): Said => ({ failures, line })));
  return tableOf(
    { name: "What newly failing rows are answered", noun: "answer" },
    [...names, ...saidColumns],
    said.map((each) => ({ key: `${each.failures.candidate} ${each.line.words}`, of: each })),
  );
}

const saidColumns: ColumnOf<Said>[] = [
  {
    title: "rows",
    kind: "number",
    cell: ({ failures: { candidate, rows }, line }) => [
      {
        link: number(line.rows),
        to: { target: candidate, group: rowGroup.said(candidate, line.words), sort: "rank" },
      },
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
