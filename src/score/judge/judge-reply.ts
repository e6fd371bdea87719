import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { jsonPartsIn, parseJson } from "../../text/json-in-text.ts";
import { foldCase } from "../../text/fold.ts";
import { normalise } from "../../text/normalise.ts";
import { numbersIn } from "../../text/numbers.ts";
import { withoutThoughts } from "../../text/clean.ts";

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

/** Names under which a verdict stands; those that are also used for other things count where no other does. */
const verdictNames = {
  set: {
    own: ["verdict", "label", "grade", "winner", "judgment", "judgement"],
    other: ["choice", "better", "answer", "result"],
  },
  number: { own: ["score", "rating", "grade"], other: ["value", "points", "result"] },
} as const;
const reasonNames = ["reason", "reasoning", "explanation", "rationale", "comment", "why"];

/**
 * The verdict in a judge's reply: a JSON object anywhere in it (in a code fence or among prose; thoughts are passed over), or
 * the reply itself when it is nothing but a verdict or has a line `Verdict: X` or `[[X]]`. Null when there is none, or one
 * outside of what was asked for, and where two contradict each other: nobody knows which one is meant. The same one twice is
 * one, and a last line `Final score: X` counts alone among such lines. A verdict that stands letter for letter in a text that
 * the judge was shown (`shown`) is a quotation of it, unless the reply is nothing else; the form of a verdict
 * (`{"score": <a number>}`, `[[A]] or [[B]]`) is none.
 */
export function readVerdict(reply: string, form: VerdictForm, shown: readonly string[] = []): JudgeVerdict | null {
  const text = withoutThoughts(reply).trim();
  const whole = wholeVerdict(text, form);
  return agreed(whole.length > 0 ? whole : verdictsAmong(text, form, shown));
}

/** The verdict that all of them are; null where there is none, or where two differ. */
function agreed(verdicts: readonly JudgeVerdict[]): JudgeVerdict | null {
  const last = verdicts.at(-1);
  return last === undefined || verdicts.some(({ value }) => value !== last.value) ? null : last;
}

/** The verdicts of a reply that is nothing else; empty where something stands around them. */
function wholeVerdict(text: string, form: VerdictForm): JudgeVerdict[] {
  const inside = /^```[^\n`]{0,20}\n([^`]*)```$/u.exec(text)?.[1] ?? text;
  const value = parseReply(inside.trim());
  if (typeof value === "object" && value !== null) return ofJson(value, inside, form);
  const said = text.length <= 100 ? valueOf(text, form) : null;
  return said !== null && isVerdictAlone(text, form) ? [{ ...said, reason: "" }] : [];
}

/** The value of a JSON text, in whose strings models often leave line breaks as they are. */
function parseReply(text: string): JsonValue | undefined {
  return parseJson(text) ?? parseJson(text.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, escapedBreaks));
}

/** A string of JSON with its raw control characters as escapes. */
const escapedBreaks = (string: string): string =>
  string.replaceAll(/\p{Cc}/gu, (char) => JSON.stringify(char).slice(1, -1));

/** The verdicts that stand among other words. */
function verdictsAmong(text: string, form: VerdictForm, shown: readonly string[]): JudgeVerdict[] {
  const isQuoted = quotationOf(shown);
  const parts = jsonPartsIn(text, parseReply);
  let [rest, from] = ["", 0];
  const ofObjects = parts.flatMap((part) => {
    const source = text.slice(part.from, part.to);
    rest += `${text.slice(from, part.from)} `;
    from = part.to;
    return isQuoted(source) ? [] : ofJson(part.value, source, form);
  });
  rest += text.slice(from);
  // An object that cannot be read holds those that can: a quotation whose marks were not escaped breaks it.
  const broken = brokenMembers(rest, form);
  if (broken.some((said) => said === null)) return [];
  const isBesideJson = ofObjects.length > 0;
  const marked = markedIn(rest, form, { isQuoted, isBesideJson });
  return ofObjects.length + marked.length === 0
    ? []
    : [...broken.flatMap((each) => each ?? []), ...marked, ...ofObjects];
}

/** True for a text that stands in one that was shown, whatever its spaces, emphasis and capital letters. */
function quotationOf(shown: readonly string[]): (text: string) => boolean {
  const all = shown.map(tokensOf);
  return (text) => {
    const wanted = tokensOf(text);
    return wanted.trim() !== "" && all.some((each) => each.includes(wanted));
  };
}

/** The words, numbers and marks of a text with a space around each, so that none is found within a longer one. */
function tokensOf(text: string): string {
  const tokens = text.toLowerCase().match(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+|[^\s*_#`]/gu) ?? [];
  return ` ${tokens.join(" ")} `;
}

/** The verdicts of an object or of a list of them; `source`: its text. A name that stands twice in it says two things. */
function ofJson(value: JsonValue, source: string, form: VerdictForm): JudgeVerdict[] {
  const objects = Array.isArray(value) ? value : [value];
  const found = objects.flatMap((each) => (isJsonObject(each) ? ofObject(each, form) : []));
  return found.length > 0 && objects.length === 1 ? [...repeatedMembers(source, form), ...found] : found;
}

function ofObject(object: JsonObject, form: VerdictForm, depth = 0): JudgeVerdict[] {
  const reason = firstText(object, reasonNames);
  const under = (these: readonly string[]): JudgeVerdict[] =>
    these.flatMap((name) => {
      const said = memberOf(object, name);
      const found = said === undefined ? null : valueOf(said, form);
      return found === null ? [] : [{ ...found, reason }];
    });
  const { own, other } = verdictNames[form.kind];
  const found = [...under(own), ...passOf(object, form)];
  if (found.length > 0) return found.map((each) => ({ ...each, reason }));
  const others = under(other);
  if (others.length > 0 || depth >= 3) return others;
  // Some wrap what was asked for: {"evaluation": {"score": 1}}. A quotation is no verdict.
  return Object.entries(object).flatMap(([name, inner]) =>
    isJsonObject(inner) && !quoting.test(name) ? ofObject(inner, form, depth + 1) : [],
  );
}

/** Names of members that hold what others said. */
const quoting =
  /^(?:the_)?(?:quoted_?|bot_?|model_?|candidate_?)?(?:answer|quote|quotation|question|excerpt|source|input|cited|candidate|response_text)s?(?:_[ab])?$/iu;

/** `pass: true`, as promptfoo asks it of its judges, where pass and fail are what may be said. */
function passOf(object: JsonObject, form: VerdictForm): Omit<JudgeVerdict, "reason">[] {
  const said = memberOf(object, "pass");
  if (form.kind !== "set" || typeof said !== "boolean") return [];
  const found = ofSet(said ? "pass" : "fail", form.values);
  return found === null ? [] : [found];
}

/** Members of an object that could not be parsed, by which a verdict is told; null: its value is none. */
function brokenMembers(text: string, form: VerdictForm): (JudgeVerdict | null)[] {
  const found: (JudgeVerdict | null)[] = [];
  for (const { name, said } of membersIn(text)) {
    if (!verdictNames[form.kind].own.some((own) => own === name) || isPlaceholder(said)) continue;
    const value = valueOf(said, form);
    found.push(value === null ? null : { ...value, reason: "" });
  }
  return found;
}

/** The values of a name by which a verdict is told, where it stands in an object more than once; JSON keeps the last alone. */
function repeatedMembers(source: string, form: VerdictForm): JudgeVerdict[] {
  const own = membersIn(source).filter(
    ({ name, depth }) => depth === 1 && verdictNames[form.kind].own.some((each) => each === name),
  );
  return own.flatMap(({ name, said }) => {
    const isRepeated = own.filter((each) => each.name === name).length > 1;
    const value = isRepeated ? valueOf(said, form) : null;
    return value === null ? [] : [{ ...value, reason: "" }];
  });
}

interface WrittenMember {
  /** In small letters. */
  name: string;
  said: string;
  depth: number;
}

const member =
  /"(?<text>(?:[^"\\]|\\.){0,200})"(?:\s{0,20}:\s{0,20}(?:"(?<said>[^"]{0,100})"|(?<bare>[^\s,}\]"{[]{1,40})))?|(?<open>[{[])|(?<close>[}\]])/gu;

/** The members of objects as they are written, whole or not, each with a text or a bare value. */
function membersIn(text: string): WrittenMember[] {
  const found: WrittenMember[] = [];
  let depth = 0;
  for (const { groups } of text.slice(-mostProse).matchAll(member)) {
    if (groups?.["open"] !== undefined) depth += 1;
    else if (groups?.["close"] !== undefined) depth -= 1;
    const said = groups?.["said"] ?? groups?.["bare"];
    if (said !== undefined) found.push({ name: (groups?.["text"] ?? "").toLowerCase(), said, depth });
  }
  return found;
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

/** True for the place of a verdict in the form of a reply: `<a number>`, `1-5`, `pass | fail`, `X/5`. */
function isPlaceholder(said: string): boolean {
  return (
    /^\s*(?:<\P{N}|\.{3}|\u2026|(?:x|n|number|float|int|integer|string)(?!\p{L})|-?[\d.]+\s*(?:[-\u2013]|to|\.\.)\s*[\d.]+\s*$)/iu.test(
      said,
    ) || isChoice(said)
  );
}

/** `pass | fail`, `1 | 2 | 3`; `4 | Reason: ...` is a verdict. */
function isChoice(said: string): boolean {
  const [first = "", ...others] = said.split("|");
  return others.length > 0 && (!isNumberAlone(first) || others.every(isNumberAlone));
}

const isNumberAlone = (text: string): boolean => /^\W*\d[\d./]*\W*$/u.test(text);

/** `0.8`, `4/5` of a scale that ends at 5, `80%` of one that ends at 1 or 100. */
function plainNumber(said: string, { min, max }: { min: number; max: number }): number | null {
  const numbers = isPlaceholder(said) ? [] : numbersIn(said, ".");
  const [first, second] = numbers;
  if (first === undefined || numbers.length > 2) return null;
  if (second !== undefined)
    return /\d\s*(?:\/|of|out of)\s*\d/u.test(said) && second.value === max ? first.value : null;
  return first.unit === "%" ? min + ((max - min) * first.value) / 100 : first.value;
}

/** Number of characters of a longer reply that are searched, from its end, where a verdict stands. */
const mostProse = 20_000;

/** Verdicts that stand as such in a text; beside JSON a number with words behind it is none. */
function markedIn(
  text: string,
  form: VerdictForm,
  { isQuoted, isBesideJson }: { isQuoted: (text: string) => boolean; isBesideJson: boolean },
): JudgeVerdict[] {
  const marks = Array.from(withoutChoices(text.slice(-mostProse), form).matchAll(markedVerdict)).flatMap(
    ([all, bracketed, final, named]) => {
      const said = (bracketed ?? named ?? "").trim();
      const found = valueOf(said, form);
      if (found === null || isQuoted(all) || (isBesideJson && !isVerdictAlone(said, form))) return [];
      return [{ isFinal: final !== undefined, verdict: { ...found, reason: "" } }];
    },
  );
  const isDecided = marks.at(-1)?.isFinal === true;
  return marks.flatMap(({ isFinal, verdict }) => (isFinal || !isDecided ? [verdict] : []));
}

/** A text without the lists of all verdicts that may be given: `[[A]], [[B]] or [[C]]`. */
function withoutChoices(text: string, form: VerdictForm): string {
  if (form.kind !== "set") return text;
  const values = new Set(Object.values(form.values));
  return text.replaceAll(choices, (list) => {
    const named = Array.from(list.matchAll(/\[\[([^\][]*)/gu), ([, said = ""]) => ofSet(said, form.values)?.value);
    return new Set(named).size === values.size ? " " : list;
  });
}

const choices = /\[\[[^\][]{1,60}\]\](?:\s{0,5}(?:[,;/|]|or|and|,\s?or)\s{0,5}\[\[[^\][]{1,60}\]\]){1,20}/giu;

/** `[[A]]`, or a line `Verdict: A`; what stands behind `>` or in quotation marks is said by others. */
const markedVerdict =
  /(?<!["'“‘«„`])\[\[([^\][]{1,60})\]\]|(?:^|\n)[\s*_#-]{0,10}(final )?(?:verdict|score|rating|grade|winner|judgement|judgment)[\s*_]{0,5}[:=][\s*_]{0,5}([^\n]{1,60})/giu;

/** A number that is the whole reply, and not one that stands in a sentence. */
function isVerdictAlone(text: string, form: VerdictForm): boolean {
  return form.kind === "set" || /^[\s"'`*_[(]*-?[\p{Nd}.,]+\s*(?:%|\/\s*\p{Nd}+)?[\s"'`*_\]).]*$/u.test(text);
}
