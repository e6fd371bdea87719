import { type FilterFunction, FunctionExpressionType, Nothing } from "json-p3";
import { type GuardedPattern, guardedPattern } from "../pattern.ts";

const { ValueType, LogicalType } = FunctionExpressionType;

/** The characters of a text, as the standard counts them (json-p3 counts a smiley twice), the entries of a list, the members of an object. */
export const lengthFunction: FilterFunction = {
  argTypes: [ValueType],
  returnType: ValueType,
  call: (value) => {
    if (typeof value === "string") return Array.from(value).length;
    if (Array.isArray(value)) return value.length;
    return typeof value === "object" && value !== null ? Object.keys(value).length : Nothing;
  },
};

/** `match` (the whole text fits a pattern) or `search` (a part of it does), for which no pattern can stop the program. */
export function patternFunction(name: "match" | "search"): FilterFunction {
  const known = new Map<string, GuardedPattern | null>();
  const compiled = (pattern: string): GuardedPattern | null => {
    const found = known.get(pattern);
    if (found !== undefined) return found;
    // A pattern may come from the answer, so that there may be any number of them.
    if (known.size >= mostKnown) known.clear();
    const made = patternOf(name === "match" ? `^(?:${withDots(pattern)})$` : withDots(pattern));
    known.set(pattern, made);
    return made;
  };
  return {
    argTypes: [ValueType, ValueType],
    returnType: LogicalType,
    call: (text, pattern) => {
      if (typeof text !== "string" || typeof pattern !== "string") return false;
      const found = compiled(pattern)?.find(text) ?? null;
      if (typeof found === "object" && found !== null) throw new RangeError(`${name}() of a path: ${found.gaveUp}`);
      return found !== null;
    },
  };
}

const mostKnown = 100;

/** Null for a pattern that is none: nothing fits it, as the standard has it. */
function patternOf(source: string): GuardedPattern | null {
  try {
    return guardedPattern(source, "");
  } catch {
    return null;
  }
}

/** The dot of the standard's patterns (RFC 9485) is all but two line ends; that of JavaScript leaves out two more. */
function withDots(pattern: string): string {
  return pattern.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\./g, (piece) => (piece === "." ? "[^\\n\\r]" : piece));
}
