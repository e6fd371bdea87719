import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { lastObjectIn } from "../../text/json-in-text.ts";
import { foldCase } from "../../text/fold.ts";
import { normalise } from "../../text/normalise.ts";
import { numbersIn } from "../../text/numbers.ts";
import { withoutThoughts } from "../../text/thoughts.ts";

/** The verdicts that a judge may give: one of a closed set, each with its value, or a number between two. */
export type VerdictForm =
  | { kind: "set"; values: Record<string, number> }
  | { kind: "number"; min: number; max: number };

/** The verdict of a judge. */
export interface JudgeVerdict {
  value: number;
  /** The verdict as the set has it, or the number as text. */
  verdict: string;
  /** The reason in the judge's words; empty when it gave none. */
  reason: string;
}

const verdictNames = [
  "verdict",
  "label",
  "grade",
  "winner",
  "choice",
  "better",
  "answer",
  "result",
  "judgment",
  "judgement",
];
const numberNames = ["score", "rating", "value", "points", "grade", "result"];
const reasonNames = ["reason", "reasoning", "explanation", "rationale", "comment", "why"];

/**
 * The verdict in a judge's reply: a JSON object anywhere in it (the last one that has a verdict, in a code fence or
 * among prose; thoughts are passed over), else the reply itself when it is nothing but a verdict or ends in
 * `Verdict: X` or `[[X]]`. Null when there is none, or one outside of what was asked for.
 */
export function readVerdict(reply: string, form: VerdictForm): JudgeVerdict | null {
  const text = withoutThoughts(reply).trim();
  return lastObjectIn(text, (object) => ofObject(object, form)) ?? ofProse(text, form);
}

function ofObject(object: JsonObject, form: VerdictForm, depth = 0): JudgeVerdict | null {
  const reason = firstText(object, reasonNames);
  for (const name of form.kind === "set" ? verdictNames : numberNames) {
    const said = memberOf(object, name);
    const found = said === undefined ? null : valueOf(said, form);
    if (found !== null) return { ...found, reason };
  }
  // Some wrap what was asked for: {"evaluation": {"score": 1}}.
  for (const inner of Object.values(object)) {
    const found = depth < 3 && isJsonObject(inner) ? ofObject(inner, form, depth + 1) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Names in any capital letters: judges write Verdict too. */
function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  const found = Object.keys(object).find((each) => each.toLowerCase() === name);
  return found === undefined ? undefined : object[found];
}

function firstText(object: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const said = memberOf(object, name);
    if (typeof said === "string" && said.trim() !== "") return said.trim();
  }
  return "";
}

function valueOf(said: JsonValue, form: VerdictForm): Omit<JudgeVerdict, "reason"> | null {
  if (form.kind === "set")
    return typeof said === "string" || typeof said === "number" ? ofSet(String(said), form.values) : null;
  const number = typeof said === "number" ? said : typeof said === "string" ? plainNumber(said, form) : null;
  return number === null || number < form.min || number > form.max ? null : { value: number, verdict: String(number) };
}

function ofSet(said: string, values: Record<string, number>): Omit<JudgeVerdict, "reason"> | null {
  const wanted = verdictForm(said);
  const found = Object.keys(values).find((name) => verdictForm(name) === wanted);
  return found === undefined ? null : { value: values[found] ?? 0, verdict: found };
}

/** Quotes, brackets and a full stop around a verdict are no part of it. */
function verdictForm(text: string): string {
  return foldCase(normalise(text)).replaceAll(/^[\s"'`*_[({<]+|[\s"'`*_\])}>.!:]+$/gu, "");
}

/** `0.8`, `4/5` of a scale that ends at 5, `80%` of one that ends at 1 or 100. */
function plainNumber(said: string, { min, max }: { min: number; max: number }): number | null {
  const numbers = numbersIn(said, ".");
  const [first, second] = numbers;
  if (first === undefined || numbers.length > 2) return null;
  if (second !== undefined)
    return /\d\s*(?:\/|of|out of)\s*\d/u.test(said) && second.value === max ? first.value : null;
  return first.unit === "%" ? min + ((max - min) * first.value) / 100 : first.value;
}

/** Number of characters of a longer reply that are searched, from its end, where a verdict stands. */
const mostProse = 2_000;

function ofProse(text: string, form: VerdictForm): JudgeVerdict | null {
  const whole = valueOf(text.length <= 100 ? text : "", form);
  if (whole !== null && isVerdictAlone(text, form)) return { ...whole, reason: "" };
  const end = text.slice(-mostProse);
  const marked = Array.from(end.matchAll(markedVerdict), ([, bracketed, named]) => bracketed ?? named ?? "");
  for (const said of marked.toReversed()) {
    const found = valueOf(said.trim(), form);
    if (found !== null) return { ...found, reason: "" };
  }
  return null;
}

/** `[[A]]`, or a line `Verdict: A`. */
const markedVerdict =
  /\[\[([^\][]{1,60})\]\]|(?:^|\n)[\s*_#>-]{0,10}(?:final )?(?:verdict|score|rating|grade|winner|judgement|judgment)[\s*_]{0,5}[:=][\s*_]{0,5}([^\n]{1,60})/giu;

/** A number that is the whole reply, and not one that stands in a sentence. */
function isVerdictAlone(text: string, form: VerdictForm): boolean {
  return form.kind === "set" || /^[\s"'`*_[(]*-?[\p{Nd}.,]+\s*(?:%|\/\s*\p{Nd}+)?[\s"'`*_\]).]*$/u.test(text);
}
