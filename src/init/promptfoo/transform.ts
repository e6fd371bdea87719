import { pathFault } from "../../score/contract/text-selection.ts";

/** The part of an answer that a check looks at, which promptfoo says by code. */
export interface AnswerPart {
  /** A path into the reply; undefined: its text. */
  on?: string;
  /** A member of the JSON that this text is. */
  member?: string;
  /** White space around it does not count. */
  trims?: boolean;
}

/** Steps into a value, as JavaScript writes them. */
const steps = String.raw`(?:\??\.[A-Za-z_$][\w$]*|(?:\?\.)?\[(?:\d+|'[^']*'|"[^"]*")\])`;

/** A path for steps that code takes; null where it is none. */
export function pathOfSteps(written: string): string | null {
  if (!new RegExp(`^${steps}+$`).test(written)) return null;
  const path = `$${written.replaceAll("?.[", "[").replaceAll("?.", ".")}`;
  return pathFault(path) === null ? path : null;
}

/** The place of function calls in the reply of a chat, which promptfoo gives as its output. */
export type Calls = "tool_calls" | "function_call";

/**
 * The selection that a `transform` makes of the one before: members of `output`, `JSON.parse`, `trim()`, and combinations of
 * these. Null for any other code. `calls`: the outputs are calls of functions.
 */
export function selectionBy(code: string, before: AnswerPart, calls: Calls | null): AnswerPart | null {
  const text = code
    .trim()
    .replace(/^\(?\s*output\s*\)?\s*=>\s*/, "")
    .replace(/^return\s+/, "")
    .replace(/;$/, "")
    .trim();
  return read(text, before, calls);
}

function read(text: string, before: AnswerPart, calls: Calls | null): AnswerPart | null {
  if (text === "output") return before;
  const [, trimmed] = /^(.+)\.trim\(\)$/s.exec(text) ?? [];
  if (trimmed !== undefined) {
    const inner = read(trimmed, before, calls);
    return inner === null ? null : { ...inner, trims: true };
  }
  const [, parsed] = /^JSON\.parse\((.+)\)$/s.exec(text) ?? [];
  if (parsed !== undefined) {
    const inner = read(parsed, before, calls);
    // A text within JSON cannot be read as JSON once more.
    return inner === null || (inner.member ?? "$") !== "$" ? null : { ...inner, member: "$" };
  }
  const [, whole = "", written = ""] = new RegExp(`^(.+?)(${steps}+)$`, "s").exec(text) ?? [];
  const path = pathOfSteps(written);
  const inner = path === null ? null : read(whole, before, calls);
  if (path === null || inner === null) return null;
  if (calls === null || inner.member !== undefined)
    return { ...inner, member: `${inner.member ?? "$"}${path.slice(1)}` };
  const call = callAt(path.slice(1), calls);
  return call === null || inner.on !== undefined ? null : { ...inner, ...call };
}

/** The name or the arguments of a called function, as OpenAI and as Google have them, in the reply of a chat; null for any other place. */
function callAt(path: string, calls: Calls): AnswerPart | null {
  const forms =
    calls === "tool_calls" ? /^(\[\d+\])\.function(Call)?\.(name|args|arguments)(.*)$/ : /^()()\.(name|arguments)()$/;
  const [, place = "", ofGoogle = "", word = "", rest = ""] = forms.exec(path) ?? [];
  const member = word === (ofGoogle === "" ? "arguments" : "args") ? "arguments" : word === "name" ? "name" : null;
  // Only Google's arguments are an object already.
  if (member === null || (rest !== "" && word !== "args")) return null;
  const on = `choices[0].message.${calls}${place}${calls === "tool_calls" ? ".function" : ""}.${member}`;
  return { on, ...(word === "args" && { member: `$${rest}` }) };
}
