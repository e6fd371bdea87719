import { type RowFilter, rowFilters } from "../model/row-filters.ts";

/** The meaning of each filter, for those who choose from a list of them. */
export const filterAbout: Record<RowFilter, string> = {
  worse: "The candidate scores lower than the baseline on average over its tries, or has an error",
  better: "The candidate scores higher than the baseline on average over its tries",
  failed: "Some try does not pass",
  passed: "Every try passes",
  errors: "Some run has no usable answer",
  slow: "The twentieth of the rows that took longest",
  different: "Some answer is another than one of the baseline, if only by a word",
  changed: "More than the baseline varies by itself, from run to run; flaky rows are apart",
  flaky: "Some tries of the same target pass and some do not",
  members: "Parts of the output beside the answer changed",
  split: "The targets score differently by the primary metric: some pass and some fail",
};

/** Texts of a row that can be searched by themselves. */
export const rowTexts = ["question", "expected", "answer", "error", "key", "conversation"] as const;
export type RowText = (typeof rowTexts)[number];

/** Words by which queries ask for the labels of a row. */
export const labelChoices = ["yes", "no", "good", "bad", "comment"] as const;
export type LabelChoice = (typeof labelChoices)[number];

/** Rows that pass by one side alone, as queries ask for them. */
export const newlyChoices = ["failing", "passing"] as const;

/** Kinds of value that a term asks about. */
type TermKind = "flag" | "number" | "time" | "share" | "text" | "choice";

/** One word of the query language, and what it asks. */
export interface RowTerm {
  name: string;
  kind: TermKind;
  about: string;
  /** A whole condition. */
  example: string;
  /** It can be of one metric: `score:similar`. */
  ofMetric?: true;
  /** It can be of one target: `time@prod`; without one it is of the candidate, or of the target that stands alone. */
  ofTarget?: true;
  /** Its values, where there are few. */
  choices?: readonly string[];
}

/**
 * The query language of rows, which the page, `tandem export --where` and agents read alike. Completion, the messages and
 * the reference are made from this list; any tag and any column of the sheet is a word of it too.
 */
export const rowTerms: readonly RowTerm[] = [
  ...rowFilters.map((name): RowTerm => ({ name, kind: "flag", about: filterAbout[name], example: name })),
  {
    name: "newly",
    kind: "choice",
    about: "Passed every try with the baseline and fails with the candidate, or the other way round",
    example: "newly:failing",
    choices: newlyChoices,
  },
  {
    name: "score",
    kind: "share",
    about: "Score of the answer, on average over its tries; without a name by the primary metric",
    example: "score:similar<20",
    ofMetric: true,
    ofTarget: true,
  },
  {
    name: "change",
    kind: "share",
    about: "Candidate minus baseline: of a metric, or of time, cost, tokens or length",
    example: "change:time>1s",
    ofMetric: true,
  },
  {
    name: "diff",
    kind: "share",
    about: "How differently the two answers are worded, from 0 (the same words) to 1",
    example: "diff>0.5",
  },
  { name: "time", kind: "time", about: "How long the answer took", example: "time>2s", ofTarget: true },
  {
    name: "cost",
    kind: "number",
    about: "Cost of the answer, in the unit of your prices",
    example: "cost>0.01",
    ofTarget: true,
  },
  { name: "tokens", kind: "number", about: "Tokens read and written for it", example: "tokens>500", ofTarget: true },
  { name: "length", kind: "number", about: "Characters of the answer", example: "length<20", ofTarget: true },
  { name: "row", kind: "number", about: "Number of the row in the sheet, whose header is row 1", example: "row<100" },
  { name: "turn", kind: "number", about: "Place in its conversation, from 1", example: "turn>1" },
  {
    name: "outcome",
    kind: "choice",
    about: "What became of the first try",
    example: "outcome:throttled",
    ofTarget: true,
  },
  {
    name: "labelled",
    kind: "choice",
    about: "Whether people labelled an answer, how, or with a comment",
    example: "labelled:no",
    choices: labelChoices,
  },
  { name: "question", kind: "text", about: "What was asked", example: "question:refund" },
  { name: "expected", kind: "text", about: "The expected answer", example: "expected:yes" },
  { name: "answer", kind: "text", about: "What was answered", example: 'answer:"could not find"', ofTarget: true },
  { name: "error", kind: "text", about: "The error in the place of an answer", example: "error:model", ofTarget: true },
  { name: "key", kind: "text", about: "Key of the case", example: "key:card-" },
  { name: "conversation", kind: "text", about: "Name of its conversation", example: "conversation==c-1" },
  {
    name: "among",
    kind: "text",
    about: "The rows that a count of the page leads to: its kind, then what it is about",
    example: "among:change,error-appeared",
  },
];

/** Names that mean a term where they stand without quotes. */
export const termNames: readonly string[] = rowTerms.map(({ name }) => name);
