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

/**
 * The selection that a `transform` makes of the one before: members of `output`, `JSON.parse`, `trim()`, and combinations of
 * these. Null for any other code. `isCalls`: the outputs are lists of calls of functions.
 */
export function selectionBy(code: string, before: AnswerPart, isCalls: boolean): AnswerPart | null {
  const text = code
    .trim()
    .replace(/^\(?\s*output\s*\)?\s*=>\s*/, "")
    .replace(/^return\s+/, "")
    .replace(/;$/, "")
    .trim();
  return read(text, before, isCalls);
}

function read(text: string, before: AnswerPart, isCalls: boolean): AnswerPart | null {
  if (text === "output") return before;
  const [, trimmed] = /^(.+)\.trim\(\)$/s.exec(text) ?? [];
  if (trimmed !== undefined) {
    const inner = read(trimmed, before, isCalls);
    return inner === null ? null : { ...inner, trims: true };
  }
  const [, parsed] = /^JSON\.parse\((.+)\)$/s.exec(text) ?? [];
  if (parsed !== undefined) {
    const inner = read(parsed, before, isCalls);
    // A text within JSON cannot be read as JSON once more.
    return inner === null || (inner.member ?? "$") !== "$" ? null : { ...inner, member: "$" };
  }
  const [, whole = "", written = ""] = new RegExp(`^(.+?)(${steps}+)$`, "s").exec(text) ?? [];
  const path = pathOfSteps(written);
  const inner = path === null ? null : read(whole, before, isCalls);
  if (path === null || inner === null) return null;
  if (!isCalls || inner.member !== undefined) return { ...inner, member: `${inner.member ?? "$"}${path.slice(1)}` };
  // The name or the arguments of a called function, in the reply of a chat.
  const call = /^\$\[\d+\]\.function\.(?:name|arguments)$/.test(path);
  return call && inner.on === undefined ? { ...inner, on: `choices[0].message.tool_calls${path.slice(1)}` } : null;
}
