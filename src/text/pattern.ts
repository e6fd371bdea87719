import { createContext, Script } from "node:vm";
import { patternWork } from "./pattern-work.ts";

/** A regular expression that cannot stop the program, whatever it is and whatever it is given. */
export interface GuardedPattern {
  /** Returns the first match, or null; or the reason why the search was given up. */
  find: (text: string) => string | null | { gaveUp: string };
}

/** The longest time for one text. */
const limitMs = 500;

/** Steps of a backtracking search that surely end within the limit. */
const mostSteps = 1e8;

/** Number of texts on which it may take too long before only texts that surely end in time are searched. */
const mostGivenUp = 3;

/**
 * Compiles a regular expression with the flag u where it allows it (with v when asked for). Where it surely ends in time
 * by its form and the length of the text it runs as it is; else under a time limit. Throws a SyntaxError when it is none.
 */
export function guardedPattern(source: string, flags: string): GuardedPattern {
  const pattern = unicodePattern(source, flags);
  const work = patternWork(source, pattern.flags.includes("v"));
  let limited: ((text: string) => string | null) | null = null;
  let givenUp = 0;
  return {
    find: (text) => {
      if (work(text.length) <= mostSteps) return pattern.exec(text)?.[0] ?? null;
      if (givenUp >= mostGivenUp)
        return { gaveUp: `it took too long on ${mostGivenUp} texts before, and was not tried again` };
      try {
        limited ??= limitedSearch(pattern);
        return limited(text);
      } catch (cause) {
        if (!isTimeout(cause)) throw cause;
        givenUp++;
        return {
          gaveUp: `it took longer than ${limitMs} ms on a text of ${text.length.toLocaleString("en")} characters`,
        };
      }
    },
  };
}

/** Compiles with the flag u if the pattern is valid so; else as older patterns are read, in which `\-` is allowed. */
function unicodePattern(source: string, flags: string): RegExp {
  if (flags.includes("v") || flags.includes("u")) return new RegExp(source, flags);
  try {
    return new RegExp(source, `${flags}u`);
  } catch (cause) {
    try {
      return new RegExp(source, flags);
    } catch {
      throw cause;
    }
  }
}

/** A search in a context of its own, which is where V8 can stop it; a call costs about 0.1 ms. */
function limitedSearch(pattern: RegExp): (text: string) => string | null {
  const context: { source: string; flags: string; text: string } = {
    source: pattern.source,
    flags: pattern.flags,
    text: "",
  };
  createContext(context, { codeGeneration: { strings: false, wasm: false } });
  new Script("var pattern = new RegExp(source, flags)").runInContext(context);
  const search = new Script("var found = pattern.exec(text); found === null ? null : found[0]");
  return (text) => {
    context.text = text;
    const found: unknown = search.runInContext(context, { timeout: limitMs });
    context.text = "";
    return typeof found === "string" ? found : null;
  };
}

/** True for the error by which V8 ends what takes too long; not `instanceof Error`: it may come from another realm. */
function isTimeout(cause: unknown): boolean {
  return (
    typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
