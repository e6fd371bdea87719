import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { type AssertionCode, type PromptfooAssertion, readAssertion } from "../../score/promptfoo/assertion.ts";
import { checkScorer } from "../../score/row-checks.ts";

/** One test of promptfoo: the variables of its prompt and what is expected of the answer. */
export interface PromptfooTest {
  vars: Record<string, JsonValue>;
  asserts: PromptfooAssertion[];
  tags: Record<string, string>;
  /** The mean from which its checks pass together; null: each must pass. */
  threshold: number | null;
}

/** Parts of a promptfoo file that a suite cannot have: each kind once, with its number and the advice. */
export class LeftOut {
  readonly #kinds = new Map<string, { count: number; advice: string }>();

  note(kind: string, advice: string): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, { count: 1, advice });
    else known.count += 1;
  }

  /** A sentence for each kind. */
  get lines(): string[] {
    return Array.from(
      this.#kinds,
      ([kind, { count, advice }]) => `${kind}${count === 1 ? "" : ` (${count})`}: ${advice}`,
    );
  }
}

/** The columns that the written dataset has beside the variables. */
export const writtenColumns = {
  checks: "__checks",
  rubric: "__rubric",
  judged: "__judged",
  code: "__javascript",
  coded: "__coded",
  threshold: "__threshold",
} as const;

/** The tests as a dataset, with the code that its rows name. */
export interface WrittenTests {
  /** JSON Lines. */
  text: string;
  rows: number;
  /** Columns with tags of the tests. */
  tags: string[];
  hasChecks: boolean;
  isJudged: boolean;
  /** Names to code; rows say which of them grade their answers. */
  code: Map<string, AssertionCode>;
}

/** Writes tests as rows: variables as they are, checks as scorers, rubrics for a judge, code by its name. */
export function writeTests(tests: readonly PromptfooTest[], left: LeftOut): WrittenTests {
  const code = new Map<string, AssertionCode>();
  const names = new Map<string, string>();
  const nameOf = (own: AssertionCode): string => {
    const text = JSON.stringify(own);
    const name = names.get(text) ?? `js${names.size + 1}`;
    names.set(text, name);
    code.set(name, own);
    return name;
  };
  const rows = tests.map((test) => rowOf(test, nameOf, left));
  const { checks, rubric } = writtenColumns;
  return {
    text: rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    rows: rows.length,
    tags: [...new Set(tests.flatMap((test) => Object.keys(test.tags)))],
    hasChecks: rows.some((row) => row[checks] !== undefined),
    isJudged: rows.some((row) => row[rubric] !== undefined),
    code,
  };
}

function rowOf(test: PromptfooTest, nameOf: (code: AssertionCode) => string, left: LeftOut): JsonObject {
  const scorers: JsonObject[] = [];
  const rubrics: string[] = [];
  const coded: string[] = [];
  for (const assertion of test.asserts) {
    const read = readAssertion(assertion);
    if ("scorer" in read) {
      const checked = checkScorer(read.scorer);
      if (checked.ok) scorers.push(checked.scorer);
      else left.note(`the expectation ${assertion.type}`, checked.fault);
    } else if ("rubric" in read) rubrics.push(filledText(read.rubric, test.vars));
    else if ("code" in read) coded.push(nameOf(read));
    else left.note(`the expectation ${assertion.type}`, read.why);
  }
  const { checks, rubric, judged, code, coded: hasCode, threshold } = writtenColumns;
  return {
    ...test.tags,
    ...test.vars,
    ...(scorers.length > 0 && { [checks]: scorers }),
    ...(test.threshold !== null && { [threshold]: test.threshold }),
    ...(rubrics.length > 0 && { [rubric]: rubricText(rubrics), [judged]: "yes" }),
    ...(coded.length > 0 && { [code]: coded, [hasCode]: "yes" }),
  };
}

/** A rubric or a prompt with the variables of its test in their places. */
export function filledText(text: string, vars: PromptfooTest["vars"]): string {
  return text.replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (place, name: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    return value === undefined ? place : typeof value === "string" ? value : JSON.stringify(value);
  });
}

function rubricText(rubrics: readonly string[]): string {
  if (rubrics.length === 1) return rubrics[0] ?? "";
  return ["All of these must hold:", ...rubrics.map((each, i) => `${i + 1}. ${each}`)].join("\n");
}
