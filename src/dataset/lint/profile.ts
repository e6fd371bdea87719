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
  /** Cases by the script that most of their prompt is written in, most first; `none` without letters. */
  scripts: { script: string; cases: number; share: number }[];
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
  readonly #scripts = new Map<string, number>();
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
    const prompt = promptOf(input);
    const script = mainScript(prompt) ?? "none";
    this.#scripts.set(script, (this.#scripts.get(script) ?? 0) + 1);
    this.#prompts.add(prompt);
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
      scripts: byCount(this.#scripts).map(([script, cases]) => ({ script, cases, share: cases / this.#cases })),
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

/** First and last code point of the letters of a script; sorted. Punctuation, digits and signs belong to none. */
const ranges: readonly (readonly [first: number, last: number, script: string])[] = [
  [0x41, 0x5a, "Latin"],
  [0x61, 0x7a, "Latin"],
  [0xaa, 0xaa, "Latin"],
  [0xba, 0xba, "Latin"],
  [0xc0, 0xd6, "Latin"],
  [0xd8, 0xf6, "Latin"],
  [0xf8, 0x2af, "Latin"],
  [0x370, 0x3ff, "Greek"],
  [0x400, 0x52f, "Cyrillic"],
  [0x531, 0x58a, "Armenian"],
  [0x591, 0x5f4, "Hebrew"],
  [0x600, 0x6ff, "Arabic"],
  [0x700, 0x74f, "Syriac"],
  [0x750, 0x77f, "Arabic"],
  [0x780, 0x7bf, "Thaana"],
  [0x7c0, 0x7ff, "Nko"],
  [0x8a0, 0x8ff, "Arabic"],
  [0x900, 0x963, "Devanagari"],
  [0x966, 0x97f, "Devanagari"],
  [0x980, 0x9ff, "Bengali"],
  [0xa00, 0xa7f, "Gurmukhi"],
  [0xa80, 0xaff, "Gujarati"],
  [0xb00, 0xb7f, "Odia"],
  [0xb80, 0xbff, "Tamil"],
  [0xc00, 0xc7f, "Telugu"],
  [0xc80, 0xcff, "Kannada"],
  [0xd00, 0xd7f, "Malayalam"],
  [0xd80, 0xdff, "Sinhala"],
  [0xe00, 0xe7f, "Thai"],
  [0xe80, 0xeff, "Lao"],
  [0xf00, 0xfff, "Tibetan"],
  [0x1000, 0x109f, "Myanmar"],
  [0x10a0, 0x10ff, "Georgian"],
  [0x1100, 0x11ff, "Hangul"],
  [0x1200, 0x139f, "Ethiopic"],
  [0x1780, 0x17ff, "Khmer"],
  [0x1800, 0x18af, "Mongolian"],
  [0x1e00, 0x1eff, "Latin"],
  [0x1f00, 0x1fff, "Greek"],
  [0x2d80, 0x2ddf, "Ethiopic"],
  [0x3041, 0x30ff, "Kana"],
  [0x3130, 0x318f, "Hangul"],
  [0x3400, 0x4dbf, "Han"],
  [0x4e00, 0x9fff, "Han"],
  [0xab00, 0xab2f, "Ethiopic"],
  [0xac00, 0xd7af, "Hangul"],
  [0xf900, 0xfaff, "Han"],
  [0xfb50, 0xfdff, "Arabic"],
  [0xfe70, 0xfefc, "Arabic"],
  [0x20000, 0x3ffff, "Han"],
];

/** Number of characters of a text that are looked at. */
const sample = 400;

/** The script that most letters of a text (of its first 400) are of; null when it has no letters of a script that is known. */
function mainScript(text: string): string | null {
  const counts = new Map<string, number>();
  for (const character of text.slice(0, sample)) {
    const script = scriptOf(character.codePointAt(0) ?? 0);
    if (script !== null) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  // Japanese is written with Han as well.
  return most?.[0] === "Han" && counts.has("Kana") ? "Kana" : (most?.[0] ?? null);
}

function scriptOf(code: number): string | null {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return null;
    if (code < range[0]) high = middle - 1;
    else if (code > range[1]) low = middle + 1;
    else return range[2];
  }
  return null;
}
