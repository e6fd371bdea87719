import { AppError } from "../../errors.ts";
import { displayWidth } from "../text/width.ts";

/** A filter, and where it was written. */
export interface WherePlace {
  text: string;
  flag: string;
}

/** A piece of a filter. `quoted` is a word that was in quotes: never `and`, `or`, `not` or `in`. */
export interface Token {
  kind: "word" | "quoted" | "sign" | "end";
  text: string;
  /** Its start, in UTF-16 units. */
  at: number;
}

/** Signs, quoted words, words. A word goes on up to white space, a quote or a sign; `-` and `.` are parts of it. */
const pieces =
  /\s+|(!=|!~|<=|>=|==|[=<>~(),])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s=<>~(),"'!][^\s=<>~(),"']*)/suy;

/** The pieces of a filter, one after the other. Throws USAGE for a quote without its end, and for signs of no meaning. */
export function tokensOf(place: WherePlace): Token[] {
  const { text } = place;
  const tokens: Token[] = [];
  pieces.lastIndex = 0;
  while (pieces.lastIndex < text.length) {
    const at = pieces.lastIndex;
    const found = pieces.exec(text);
    if (found === null) {
      const isQuote = text[at] === '"' || text[at] === "'";
      throw whereFault(place, at, isQuote ? "this quote has no end" : `\`${text[at]}\` means nothing here`);
    }
    const [, sign, double, single, word] = found;
    if (sign !== undefined) tokens.push({ kind: "sign", text: sign, at });
    const quoted = double ?? single;
    if (quoted !== undefined) tokens.push({ kind: "quoted", text: quoted.replaceAll(/\\(.)/gsu, "$1"), at });
    if (word !== undefined) tokens.push({ kind: "word", text: word, at });
  }
  return tokens;
}

/** A fault of a filter, with the filter and a mark under the place where it is. */
export function whereFault({ text, flag }: WherePlace, at: number, message: string, hint?: string): AppError {
  // One line, with each tab and line break one place wide, so that the mark is where it should be.
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
  const place = Array.from(line.slice(0, at)).length;
  const about = `${flag}, character ${place + 1}: ${message}.`;
  return new AppError("USAGE", `${about}\n  ${line}\n  ${" ".repeat(displayWidth(line.slice(0, at)))}^`, {
    hint:
      hint ??
      "For example: --where 'outcome = answered and latency_ms > 2000'; what has spaces or signs goes in quotes.",
  });
}
