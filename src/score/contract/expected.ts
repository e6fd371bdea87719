import { z } from "zod";
import type { Template } from "liquidjs";
import { isTemplate } from "../../lib/liquid-name.ts";
import type { JsonValue } from "../../lib/json.ts";
import { liquid as templates } from "../../lib/liquid.ts";
import { normalise } from "../../text/normalise.ts";
import { type Answer, isBesideThePoint, type Unscored } from "./scorer.ts";

const oneValue = z.union([z.string(), z.number(), z.boolean()], { error: "must be a text, a number, true or false" });

/** `value`: the text that the answer is compared with. */
export const valueKey = oneValue.describe(
  "What the answer is compared with: a text, or a Liquid template over expected, question, input, tags, key and row. Default: the case's expected answer.",
);

/** `value` of scorers that take several. */
export const valuesKey = z
  .union([oneValue, z.array(oneValue).min(1)])
  .describe(
    "A text or a list of texts (also as JSON), each also a Liquid template. Default: the case's expected answer.",
  );

/** `value` of scorers that compare with the expected answer where none is given. */
export const orExpected = valueKey.optional();
export const orExpectedTexts = valuesKey.optional();

/** True for a scorer of these keys that looks at the expected answer. */
export function comparesWithExpected(keys: z.ZodRawShape, options: Readonly<Record<string, unknown>>): boolean {
  const { value } = keys;
  return (value === orExpected || value === orExpectedTexts) && options["value"] === undefined;
}

/** True for a scorer of these keys whose `value` is a regular expression: it is no template, whatever it holds. */
export const valueIsPattern = (keys: Readonly<Record<string, unknown>>): boolean => "flags" in keys;

/** The value that an answer is compared with, or the reason why there is none. */
type Wanted<T> = (answer: Answer) => T | Unscored;

/** Loads what a `value` needs, when it is a template. */
export async function prepareValue(value: unknown): Promise<void> {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (texts.some((each) => typeof each === "string" && isTemplate(each))) await loadLiquid();
}

/**
 * Comparison of a wanted text; `exact`: character by character, so that white space of the suite's own is a text;
 * `whole`: of the whole answer, so that an empty text of the suite's own asks for an empty answer.
 */
interface Comparison {
  exact?: boolean;
  whole?: boolean;
}

/** Reads the one text that is wanted of an answer; a blank one, which every answer holds, is not graded. */
export function expectedText(
  value: z.infer<typeof valueKey> | undefined,
  { exact = false, whole = false }: Comparison = {},
): Wanted<string> {
  if (value === undefined) return ({ case: { expected } }) => notBlank(expected ?? nothingExpected);
  const text = String(value);
  if (isTemplate(text)) {
    const fill = templateText(text);
    return (answer) => notBlank(fill(answer));
  }
  const isNothing = !whole && (exact ? text === "" : plainSpace.test(text));
  return () => (isNothing ? nothingWanted : text);
}

/** White space that a text of the suite is not about; a no-break space may well be. */
const plainSpace = /^[ \t\r\n]*$/;

/** Reads the texts that are wanted of an answer, at least one; blank ones are left out. */
export function expectedTexts(
  value: z.infer<typeof valuesKey> | undefined,
  comparison: Comparison = {},
): Wanted<string[]> {
  const entries = value === undefined ? [undefined] : [value].flat();
  const readers = entries.map((entry) => expectedText(entry, comparison));
  const isList = Array.isArray(value);
  return (answer) => {
    const texts: string[] = [];
    let lack = nothingWanted;
    for (const read of readers) {
      const text = read(answer);
      if (typeof text === "string") texts.push(...(isList ? [text] : listIn(text)));
      else if (isBesideThePoint(text)) lack = text;
      else return text;
    }
    return texts.length === 0 ? lack : texts;
  };
}

/** The score of a scorer whose wanted text is blank in a case. */
export const nothingWanted: Unscored = {
  unscored: "the wanted text is blank",
  lack: "row",
};

/** A text that was filled from a case or is its expected answer; a blank one is none. */
export const notBlank = (text: string | Unscored): string | Unscored =>
  typeof text === "string" && isBlank(text) ? nothingWanted : text;

/** True for a text of which nothing is seen. */
const isBlank = (text: string): boolean => normalise(text.replaceAll(/[\p{DI}\u2800]/gu, "")) === "";

/** The score of a scorer that compares with the expected answer, in a case that has none. */
export const nothingExpected: Unscored = {
  unscored: "no expected answer",
  lack: "row",
};

function listIn(text: string): string[] {
  if (!/^\s*\[/.test(text)) return [text];
  try {
    const list: unknown = JSON.parse(text);
    const texts = z.array(oneValue.nullable()).safeParse(list);
    return texts.success ? texts.data.map((each) => String(each ?? "")).filter((each) => !isBlank(each)) : [text];
  } catch {
    return [text];
  }
}

/** Loads the template engine ahead of its first use. */
export async function loadLiquid(): Promise<void> {
  templates();
}

/** Compiles a template over a case; `more` adds what only its user knows. Throws when it is not Liquid. */
export function templateText(
  template: string,
  more: (answer: Answer) => Record<string, JsonValue> = () => ({}),
): Wanted<string> {
  const engine = templates();
  const parsed: Template[] = engine.parse(template);
  return (answer) => {
    try {
      return engine.fill(parsed, { ...caseScope(answer), ...more(answer) });
    } catch (cause) {
      return { unscored: `the template cannot be filled: ${cause instanceof Error ? cause.message : String(cause)}` };
    }
  };
}

/** The names that every case has, which stand over columns of the same name. */
const caseNames: ReadonlySet<string> = new Set(["row", "key", "input", "tags", "expected", "question"]);

/** The columns that the templates among some values name: `{{ policy }}`, `{{ row["Policy text"] }}`. */
export function templateColumns(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(templateColumns);
  if (typeof value !== "string" || !isTemplate(value)) return [];
  try {
    const engine = templates();
    return engine.variables(engine.parse(value)).flatMap(([first, second]) => {
      if (first === "row") return typeof second === "string" ? [second] : [];
      return typeof first === "string" && !caseNames.has(first) ? [first] : [];
    });
  } catch {
    // It is told where the scorer is made.
    return [];
  }
}

/** The names that a template knows of a case: its columns, and over them the names that every case has. */
function caseScope({ case: { key, input, expected, tags, columns } }: Answer): Record<string, JsonValue> {
  const question = input["input_prompt"];
  return {
    ...columns,
    row: columns,
    key,
    input,
    tags,
    expected: expected ?? "",
    question: question ?? columns["question"] ?? "",
  };
}
