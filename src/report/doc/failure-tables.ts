import { segmentWords } from "../words/segment-words.ts";
import { rowGroup } from "../model/row-groups.ts";
import { queryValue } from "../query/query-text.ts";
import type { DocTable } from "../shape/doc.ts";
import type { CommonFeature, FeatureRows, NewFailures, SaidAlike } from "../shape/new-failures.ts";
import type { ReportSummary } from "../shape/model.ts";
import { pValue } from "../words/figures.ts";
import { number } from "../words/quantity.ts";
import { type ColumnOf, tableOf } from "./table.ts";

interface Of<Line> {
  failures: NewFailures;
  line: Line;
}

/** The tables about newly failing rows of each candidate, or of one: what the candidate says in them, and what their prompts have in common. */
export function failureTables(summary: ReportSummary, of: string | null): DocTable[] {
  const { newFailures = [], pairs } = summary;
  const shown = newFailures.filter(({ candidate }) => of === null || candidate === of);
  const names: ColumnOf<Of<unknown>>[] =
    pairs.length > 1 && of === null
      ? [{ title: "candidate", kind: "name", cell: ({ failures }) => ({ target: failures.candidate }) }]
      : [];
  const said = shown.flatMap((failures) => failures.said.map((line): Of<SaidAlike> => ({ failures, line })));
  const common = shown.flatMap((failures) => failures.common.map((line): Of<CommonFeature> => ({ failures, line })));
  return [
    tableOf(
      { name: "What newly failing rows are answered", noun: "answer" },
      [...names, ...saidColumns],
      said.map((each) => ({ key: `${each.failures.candidate} ${each.line.words}`, of: each })),
    ),
    tableOf(
      { name: "What newly failing prompts have in common", noun: "feature" },
      [...names, ...commonColumns],
      common.map((each) => ({ key: `${each.failures.candidate} ${each.line.about}`, of: each })),
    ),
  ].filter(({ rows }) => rows.length > 0);
}

const saidColumns: ColumnOf<Of<SaidAlike>>[] = [
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

const featureWords = ({ about, tag, value }: CommonFeature): string =>
  tag === null ? about : segmentWords({ tag, value, and: null });

const commonColumns: ColumnOf<Of<CommonFeature>>[] = [
  { title: "the prompt has", kind: "name", cell: ({ line }) => ({ name: featureWords(line), most: 80 }) },
  {
    title: "newly failing",
    kind: "number",
    cell: ({ failures: { candidate }, line: { all, kind, tag, value } }) => {
      const said = shareOf(all.failingWith, all.failing);
      const group = rowGroup.flip("pass-to-fail");
      if (kind === "tag" && tag !== null)
        return { link: said, to: { target: candidate, group, tags: [{ name: tag, value }] } };
      return kind === "word"
        ? { link: said, to: { target: candidate, group, text: `question:${queryValue(value)}` } }
        : said;
    },
  },
  { title: "still passing", kind: "number", cell: ({ line: { all } }) => shareOf(all.passingWith, all.passing) },
  {
    title: "in the half kept back to check",
    short: "kept-back half",
    about: "Features were chosen in one half of the rows and tested in the other",
    kind: "number",
    cell: ({ line: { confirmed } }) => checked(confirmed),
  },
  {
    title: "p (adjusted)",
    about: "Fisher's exact test in that half, adjusted for the features that were chosen",
    kind: "number",
    cell: ({ line }) => pValue(line.p),
  },
];

const shareOf = (with_: number, all: number): string => `${number(with_)} of ${number(all)}`;

function checked({ failing, failingWith, passing, passingWith }: FeatureRows): string {
  return `${shareOf(failingWith, failing)}, ${shareOf(passingWith, passing)}`;
}
