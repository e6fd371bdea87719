import { type JsonObject, isJsonObject } from "../../lib/json.ts";
import type { CaseShape } from "../cases/case-shape.ts";
import type { Case } from "../case.ts";
import type { FileFacts } from "../file-facts.ts";
import { ExpectedCounts, type ExpectedProfile } from "./expected-profile.ts";
import { LengthCounts, type Lengths } from "./lengths.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import type { CaseMapping } from "../../suite/suite.ts";
import { isPromptfooColumn } from "../import/promptfoo.ts";
import type { Row } from "../row.ts";

/** Numbers that describe a dataset. */
export interface DatasetProfile {
  /** Rows with content; those with faults count. */
  rows: number;
  /** Rows that can be sent. */
  cases: number;
  files: ProfiledFile[];
  prompts: Lengths;
  /** Lengths of the expected answers, in the cases that have one. */
  expected: ExpectedProfile;
  /** The longest conversation's last turn; 1 without conversations. */
  turns: number;
  /** Each tag with its most frequent values; `others` are the cases with further ones. */
  tags: { tag: string; values: { value: string; cases: number }[]; others: number }[];
  columns: ProfiledColumn[];
}

/** A file of the dataset, and how it was read. */
type ProfiledFile = Pick<FileFacts, "file" | "format" | "compressed" | "encoding" | "delimiter" | "emptyRows"> & {
  rows: number;
};

/** A column over all files. */
interface ProfiledColumn {
  name: string;
  /** Rows in which it is not empty. */
  filled: number;
  /** Uses in the mapping: `case.key`, `case.input.input_prompt` ...; empty when it is not sent. */
  uses: readonly string[];
}

/** Number of different values of a tag that are counted, and of those that are told. */
const countedValues = 1_000;
const toldValues = 20;

const madeColumns: ReadonlySet<string> = new Set(Object.values(scriptColumns));

/** The columns of which conversations are made, before there are cases. */
type MessageColumns = Pick<CaseMapping, "turns" | "messages">;

/** Uses of a column that is read as a part of conversations, or as promptfoo means it. */
function usesByForm(name: string, { turns, messages }: MessageColumns): string[] {
  if (name === turns) return ["case.turns"];
  if (name === messages?.role) return ["case.messages.role"];
  if (name === messages?.text) return ["case.messages.text"];
  return isPromptfooColumn(name) ? ["promptfoo"] : [];
}

/** Counts what a dataset is made of, in memory that does not grow with it. */
export class ProfileMaker {
  readonly #files: { facts: FileFacts; rows: number }[] = [];
  readonly #prompts = new LengthCounts();
  readonly #expected = new ExpectedCounts();
  readonly #tags = new Map<string, { values: Map<string, number>; others: number }>();
  readonly #columns = new Map<string, { filled: number; uses: readonly string[] }>();
  readonly #mapping: MessageColumns;
  #cases = 0;
  #turns = 1;

  constructor(mapping: MessageColumns) {
    this.#mapping = mapping;
  }

  startFile(facts: FileFacts): void {
    this.#files.push({ facts, rows: 0 });
  }

  addRow(shape: CaseShape, { cells }: Row): void {
    const file = this.#files.at(-1);
    if (file !== undefined) file.rows++;
    for (const [at, name] of shape.header.entries()) {
      const uses = shape.uses.get(at) ?? usesByForm(name, this.#mapping);
      // It is no column of the file.
      if (uses.length === 0 && madeColumns.has(name)) continue;
      let column = this.#columns.get(name);
      if (column === undefined) {
        column = { filled: 0, uses };
        this.#columns.set(name, column);
      }
      if (cells[at] !== "") column.filled++;
    }
  }

  addCase({ input, expected, tags, turn }: Case): void {
    this.#cases++;
    this.#turns = Math.max(this.#turns, turn);
    this.#prompts.add(promptOf(input));
    this.#expected.add(expected);
    for (const [tag, value] of Object.entries(tags)) this.#addTag(tag, value);
  }

  #addTag(tag: string, value: string): void {
    const counts = this.#tags.get(tag) ?? { values: new Map<string, number>(), others: 0 };
    this.#tags.set(tag, counts);
    const before = counts.values.get(value);
    if (before === undefined && counts.values.size >= countedValues) counts.others++;
    else counts.values.set(value, (before ?? 0) + 1);
  }

  get profile(): DatasetProfile {
    return {
      rows: this.#files.reduce((sum, { rows }) => sum + rows, 0),
      cases: this.#cases,
      files: this.#files.map(({ facts, rows }) => {
        const { file, format, compressed, encoding, delimiter, emptyRows } = facts;
        return { file, format, compressed, encoding, delimiter, emptyRows, rows };
      }),
      prompts: this.#prompts.lengths,
      expected: this.#expected.profile,
      turns: this.#turns,
      tags: Array.from(this.#tags, ([tag, { values, others }]) => {
        const sorted = byCount(values);
        const reported = sorted.slice(0, toldValues).map(([value, cases]) => ({ value, cases }));
        return { tag, values: reported, others: sorted.slice(toldValues).reduce((sum, [, n]) => sum + n, others) };
      }),
      columns: Array.from(this.#columns, ([name, { filled, uses }]) => ({ name, filled, uses })),
    };
  }
}

function byCount(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** The prompt, or the texts of the variables where there is none. */
function promptOf({ input_prompt: prompt, variables }: JsonObject): string {
  if (typeof prompt === "string") return prompt;
  const values = isJsonObject(variables) ? Object.values(variables) : [];
  return values.filter((value) => typeof value === "string").join(" ");
}
