import { gradersColumn } from "../../lib/graders-column.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { readAssertion } from "../../score/promptfoo/assertion.ts";
import { checkScorer } from "../../score/row-checks.ts";
import type { LeftOut } from "./left-out.ts";
import type { Placed } from "./place.ts";
import { filledCells, type UsablePrompt, usesHistory } from "./prompts.ts";
import type { Filler } from "./template.ts";
import type { AssertionSet, PromptfooTest, TestAssertion } from "./tests.ts";
import { type AnswerPart, selectionBy } from "./transform.ts";

/** The columns that the written dataset has beside the variables. */
export const writtenColumns = {
  checks: "__checks",
  /** A tag with the names of the scorers, other than its own checks, that grade a row. */
  graders: gradersColumn,
  threshold: "__threshold",
  code: "__javascript",
  before: "__before",
  behind: "__behind",
  stored: "__answer",
} as const;

/** Code of an assertion, with what changes the answer before and what it is given. */
export interface TestCode {
  code: string;
  threshold: number | null;
  not: boolean;
  transforms: readonly string[];
  config: JsonObject | null;
}

/** A judge that grades by the rubrics of a column, or a model that compares answers with its texts. */
export interface RubricScorer {
  name: string;
  by: "judge" | "embeddings";
  column: string;
  /** The provider that judges; null: that of the suite. */
  judge: Placed | null;
  threshold: number | null;
  /** The part of an answer that is judged. */
  looksAt: JsonObject;
}

/** The tests as a dataset, with what grades its rows. */
export interface WrittenTests {
  /** JSON Lines. */
  text: string;
  rows: number;
  /** Columns with tags of the tests. */
  tags: string[];
  hasChecks: boolean;
  rubrics: RubricScorer[];
  /** Names of the scorers by code: a row may have several. */
  scripts: string[];
  /** Names to code; rows say which of them grade their answers. */
  code: Map<string, TestCode>;
  /** Names of the variables that are something else than texts: their cells are JSON for the code. */
  typed: ReadonlySet<string>;
  /** The values of the tag of graders that each of these scorers is for. */
  gradersOf: Map<string, string[]>;
  /** Metrics by their names: whether checks of rows belong to them, and which scorers do. */
  metrics: Map<string, { hasChecks: boolean; scorers: Set<string> }>;
  /** Every test has an answer that was given before. */
  isStored: boolean;
}

/** Everything that rows are written with. */
interface RowWriting {
  /** True where a provider of the file can make embeddings. */
  hasEmbeddings: (judge: Placed | null) => boolean;
  prompts: readonly UsablePrompt[];
  /** Columns with the prompt itself as the answer, by the names of prompts. */
  echoes: ReadonlyMap<string, string>;
  filler: Filler;
  left: LeftOut;
  /** Code that changes every answer before it is graded. */
  change: string | null;
  /** Answers are lists of calls of functions. */
  isCalls: boolean;
}

/** Writes tests as rows: variables as they are, checks as scorers, rubrics for judges, code by its name. */
export function writeTests(tests: readonly PromptfooTest[], writing: RowWriting): WrittenTests {
  const writer = new RowWriter(writing);
  const rows = tests.flatMap((test) => {
    const row = writer.row(test);
    return Array.from({ length: test.repeat ?? 1 }, () => row);
  });
  const { rubrics, scripts, code } = writer;
  const entries = rows.flatMap((row) => entriesIn(row[writtenColumns.checks]));
  const graders = new Set(
    rows.flatMap((row) => row[writtenColumns.graders] ?? []).filter((each) => typeof each === "string"),
  );
  const names = [...rubrics.map(({ name }) => name), ...scripts];
  const written = tests.flatMap(({ vars }) => Object.entries(vars));
  return {
    text: withAllColumns(rows)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
    rows: rows.length,
    tags: [...new Set(tests.flatMap((test) => Object.keys(test.tags)))],
    isStored: tests.every(({ output }) => output !== null),
    hasChecks: entries.some((entry) => !("scorer" in entry)),
    rubrics,
    scripts,
    code,
    typed: new Set(written.flatMap(([name, value]) => (typeof value === "string" ? [] : [name]))),
    gradersOf: new Map(names.map((name) => [name, [...graders].filter((each) => each.split(" ").includes(name))])),
    metrics: metricsIn(entries),
  };
}

/** The entries of a row's checks, those inside of sets too. */
function entriesIn(checks: JsonValue | undefined): JsonObject[] {
  const entries = Array.isArray(checks) ? checks.filter(isJsonObject) : [];
  return entries.flatMap((entry) => [entry, ...entriesIn(entry["set"])]);
}

function metricsIn(entries: readonly JsonObject[]): WrittenTests["metrics"] {
  const metrics: WrittenTests["metrics"] = new Map();
  for (const { metric, scorer } of entries) {
    if (typeof metric !== "string") continue;
    const known = metrics.get(metric) ?? { hasChecks: false, scorers: new Set<string>() };
    metrics.set(metric, known);
    if (typeof scorer === "string") known.scorers.add(scorer);
    else known.hasChecks = true;
  }
  return metrics;
}

/** The rows, the first with every column that a later one has: a reader takes the columns of a file from its first rows. */
function withAllColumns(rows: readonly JsonObject[]): readonly JsonObject[] {
  const [first, ...others] = rows;
  if (first === undefined) return rows;
  const names = new Set(others.flatMap((row) => Object.keys(row)));
  const missing = [...names].filter((name) => !Object.hasOwn(first, name));
  return [{ ...first, ...Object.fromEntries(missing.map((name) => [name, null])) }, ...others];
}

/** An expectation as an entry of its row's checks, or why it is none. */
type Entry = { entry: JsonObject } | { why: string; isOfTransform?: boolean };

class RowWriter {
  readonly rubrics: RubricScorer[] = [];
  /** Names of the scorers by code. */
  readonly scripts: string[] = [];
  readonly code = new Map<string, TestCode>();
  readonly #writing: RowWriting;
  readonly #slots = new Map<string, RubricScorer>();
  readonly #codeNames = new Map<string, string>();

  constructor(writing: RowWriting) {
    this.#writing = writing;
  }

  row(test: PromptfooTest): JsonObject {
    const { filler, prompts, echoes } = this.#writing;
    const row: JsonObject = { ...test.tags, ...test.vars };
    const entries = test.asserts.flatMap((each) =>
      "set" in each ? this.#setOf(each, test, row) : this.#entriesOf([each], test, row),
    );
    for (const prompt of prompts) {
      const filled = filler.text(prompt.source.text, test.vars) ?? "";
      Object.assign(row, test.cells ?? filledCells(prompt, filled));
      const echo = echoes.get(prompt.name);
      if (echo !== undefined) row[echo] = filled;
    }
    const graders = entries.flatMap(({ scorer }) => (typeof scorer === "string" ? [scorer] : []));
    return {
      ...row,
      ...(entries.length > 0 && { [writtenColumns.checks]: entries }),
      ...(entries.length > 0 && test.threshold !== null && { [writtenColumns.threshold]: test.threshold }),
      ...(graders.length > 0 && { [writtenColumns.graders]: graders.join(" ") }),
      ...(test.output !== null && { [writtenColumns.stored]: test.output }),
    };
  }

  /** A set as one entry; with judges or code in it, which grade whole rows, its expectations count one by one. */
  #setOf({ set, threshold, weight, metric, place }: AssertionSet, test: PromptfooTest, row: JsonObject): JsonObject[] {
    const entries = this.#entriesOf(set, test, row);
    if (entries.length === 0) return [];
    if (!entries.some((entry) => "scorer" in entry))
      return [{ set: entries, ...(threshold !== null && { threshold }), ...counted(weight, metric) }];
    const way = "with judges or code in it, its expectations count one by one, and its weight and threshold do not";
    this.#writing.left.note("an assert-set", way, place);
    return entries.map((entry) => ({ ...counted(1, metric), ...entry }));
  }

  /** The entries of some expectations; those that have none are noted. */
  #entriesOf(assertions: readonly TestAssertion[], test: PromptfooTest, row: JsonObject): JsonObject[] {
    return assertions.flatMap((assertion) => {
      const made = this.#entryOf(assertion, test, row);
      if ("entry" in made) return [made.entry];
      const about = `the expectation ${assertion.type}${made.isOfTransform === true ? " with a transform" : ""}`;
      this.#writing.left.note(about, made.why, assertion.place);
      return [];
    });
  }

  #entryOf(assertion: TestAssertion, test: PromptfooTest, row: JsonObject): Entry {
    const { change, isCalls } = this.#writing;
    const { type, threshold, weight } = assertion;
    if (usesHistory(JSON.stringify([assertion.value, assertion.transform])))
      return { why: "it looks at `_conversation`, and a check sees the answer of its turn" };
    const value = this.#filled(assertion.value, test.vars);
    if (value === null && assertion.value !== null)
      return { why: "only Nunjucks can fill its value; write it with {{variable}} alone" };
    const lack = lackOf(type, assertion.value, value);
    if (lack !== null) return { why: lack };
    const metric = this.#filled(assertion.metric, test.vars);
    const entry = (written: JsonObject): Entry => ({
      entry: { ...written, ...counted(weight, typeof metric === "string" ? metric : null) },
    });
    const kept = Array.isArray(value) ? filledEntries(assertion.value, value) : value;
    const read = readAssertion({ type, value: kept, threshold });
    if ("without" in read) return { why: read.why };
    const transforms = [change, test.transform, assertion.transform].filter((each) => each !== null);
    if ("code" in read)
      return entry({ scorer: this.#scriptOf({ ...read, transforms, config: assertion.config }, row) });
    const selection = transforms.reduce<AnswerPart | null>(
      (before, code) => (before === null ? null : selectionBy(code, before, isCalls)),
      {},
    );
    if (selection === null) return { why: transformAdvice, isOfTransform: true };
    const { trims = false, ...looksAt } = selection;
    const judge = assertion.judge ?? test.judge;
    if ("rubric" in read)
      return entry({ scorer: this.#slotOf(read.rubric, { by: "judge", judge, threshold, looksAt }, row) });
    if ("similar" in read) {
      if (!this.#writing.hasEmbeddings(judge)) return { why: withoutEmbeddings };
      const kind = { by: "embeddings", judge, threshold: read.threshold, looksAt } as const;
      return entry({ scorer: this.#slotOf(read.similar, kind, row) });
    }
    const scorer = literal(trims ? ofTrimmed(read.scorer) : read.scorer);
    const checked = checkScorer({ ...scorer, ...(isOfAnswer(scorer) && partOf(scorer, looksAt)) });
    if (checked.ok) return entry(checked.scorer);
    return checkScorer(scorer).ok ? { why: transformAdvice, isOfTransform: true } : { why: checked.fault };
  }

  /** A value with the variables of its test in their places; null where Liquid cannot fill it. */
  #filled(value: JsonValue, vars: PromptfooTest["vars"]): JsonValue {
    if (typeof value === "string") return this.#writing.filler.text(value, vars);
    if (!Array.isArray(value)) return value;
    const all = value.map((each) => this.#filled(each, vars));
    return all.some((each, i) => each === null && value[i] !== null) ? null : all;
  }

  /** The scorer by which the next rubric, or wanted text, of a row is graded; the text becomes a cell. */
  #slotOf(text: string, kind: Omit<RubricScorer, "name" | "column">, row: JsonObject): string {
    const { by, judge, ...others } = kind;
    const word = by === "judge" ? "rubric" : "similar";
    for (let i = 1; ; i++) {
      const key = JSON.stringify([by, judge?.value ?? null, others, i]);
      let slot = this.#slots.get(key);
      if (slot === undefined) {
        const before = this.rubrics.filter((each) => each.by === by).length;
        const number = before === 0 ? "" : String(before + 1);
        slot = { name: `${word}${number === "" ? "" : `-${number}`}`, column: `__${word}${number}`, ...kind };
        this.#slots.set(key, slot);
        this.rubrics.push(slot);
      }
      if (row[slot.column] !== undefined) continue;
      row[slot.column] = text;
      return slot.name;
    }
  }

  /** The scorer by which the next code of a row grades, and its name as a cell. */
  #scriptOf(code: TestCode, row: JsonObject): string {
    const text = JSON.stringify(code);
    const name = this.#codeNames.get(text) ?? `js${this.#codeNames.size + 1}`;
    this.#codeNames.set(text, name);
    this.code.set(name, code);
    const before = row[writtenColumns.code];
    const names = [...(Array.isArray(before) ? before : []), name];
    row[writtenColumns.code] = names;
    const scorer = `javascript${names.length === 1 ? "" : `-${names.length}`}`;
    if (!this.scripts.includes(scorer)) this.scripts.push(scorer);
    return scorer;
  }
}

/** The weight and the metric of an entry, where they are not as usual. */
const counted = (weight: number, metric: string | null): JsonObject => ({
  ...(weight !== 1 && { weight }),
  ...(metric !== null && metric.trim() !== "" && { metric }),
});

const withoutEmbeddings =
  "no provider of the file makes embeddings; take embedding-similarity with a deployment that does, chrf, or a judge";

const transformAdvice =
  "the answer is changed by code before it is looked at; `output.a[0].b`, `JSON.parse(output)` and `output.trim()` are taken, anything else is a scorer of the type module";

/** False for a scorer that looks at something else than the answer, which no transform changes. */
const isOfAnswer = ({ type }: JsonObject): boolean => type !== "latency" && type !== "cost" && type !== "finish-reason";

/** The keys for a part of an answer; a check of JSON reads the whole of it by itself. */
const partOf = ({ type }: JsonObject, looksAt: JsonObject): JsonObject =>
  looksAt["member"] === "$" && (type === "json-schema" || type === "is-json")
    ? { ...(looksAt["on"] !== undefined && { on: looksAt["on"], parse: true }) }
    : looksAt;

/** A scorer that compares with the text within the white space around it, character by character like others of promptfoo. */
function ofTrimmed(scorer: JsonObject): JsonObject {
  const { type, value, exact, ...others } = scorer;
  if (typeof value !== "string" || exact !== true || (type !== "equals" && type !== "starts-with")) return scorer;
  const text = value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return { ...others, type: "regex", value: `^\\s*${text}${type === "equals" ? "\\s*$" : ""}` };
}

const isBlank = (value: JsonValue): boolean => typeof value === "string" && value.trim() === "";

/** The entries of a list that the variables of a test did not make blank. */
function filledEntries(written: JsonValue, filled: readonly JsonValue[]): JsonValue[] {
  const before = Array.isArray(written) ? written : [];
  return filled.filter((each, place) => !isBlank(each) || isBlank(before[place] ?? null));
}

/** Why an expectation asks for nothing once the variables of its test are filled in. */
function lackOf(type: string, written: JsonValue, filled: JsonValue): string | null {
  const isFilled = JSON.stringify(written) !== JSON.stringify(filled);
  if (!isFilled) return null;
  const isNothing = Array.isArray(filled)
    ? filled.length > 0 && filledEntries(written, filled).length === 0
    : isBlank(filled);
  if (isNothing) return "its value is blank in the test";
  return /^(?:not-)?regex$/.test(type) && typeof filled === "string" && matchesBlank(filled)
    ? "its value is blank in the test in part, so that it matches every text"
    : null;
}

function matchesBlank(pattern: string): boolean {
  try {
    const compiled = new RegExp(pattern, "u");
    return compiled.test("") || compiled.test(" ");
  } catch {
    return false;
  }
}

const plain = (text: JsonValue): JsonValue =>
  typeof text === "string" && isTemplate(text) ? `{% raw %}${text}{% endraw %}` : text;

/** A scorer whose texts are no templates: they are filled already. */
function literal(scorer: JsonObject): JsonObject {
  const { value } = scorer;
  if (value === undefined || scorer["type"] === "regex" || isJsonObject(value)) return scorer;
  return { ...scorer, value: Array.isArray(value) ? value.map(plain) : plain(value) };
}
