import { AppError } from "../../errors.ts";
import { columnHint, namedColumns } from "./named-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import { displayWidth } from "../text/width.ts";

/** A filter, and where it was written. */
interface WherePlace {
  text: string;
  flag: string;
}

/** A piece of a filter. `quoted` is a word that was in quotes: never `and`, `or`, `not` or `in`. */
interface Token {
  kind: "word" | "quoted" | "sign" | "end";
  text: string;
  /** Its start, in UTF-16 units. */
  at: number;
}

/** Signs, quoted words, words. A word goes on up to white space, a quote or a sign; `-` and `.` are parts of it. */
const pieces =
  /\s+|(!=|!~|<=|>=|==|[=<>~(),])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s=<>~(),"'!][^\s=<>~(),"']*)/suy;

/** The pieces of a filter, one after the other. Throws USAGE for a quote without its end, and for signs of no meaning. */
function tokensOf(place: WherePlace): Token[] {
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
function whereFault({ text, flag }: WherePlace, at: number, message: string, hint?: string): AppError {
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

/** True when a row of a table is wanted. */
export type Where = (row: readonly Cell[]) => boolean;

/**
 * Reads a filter over the columns of a table, such as `outcome=ok`, `test.excess > 0.2 and not change = same`,
 * `"My column" ~ refund` or `target in (prod, test)`. Throws USAGE with the place of what it does not understand.
 *
 * - `=`, `!=`: the same number where both are numbers, else the same text; an empty cell is the text `""`
 * - `<`, `<=`, `>`, `>=`: by number where the value is one (a cell that is none is not wanted), else by text
 * - `~`, `!~`: the cell contains the text, whatever the case
 * - `in (a, b)`, `not in (a, b)`: one of these, as with `=`
 * - `and`, `or`, `not`, parentheses; `and` binds closer than `or`
 *
 * A name that only columns of sides have (`verdict` of `test.verdict`), or with `*` for any letters, means any of them.
 * Names and values are bare words, or in double or single quotes; in them `\"`, `\'` and `\\` stand for the sign itself.
 */
export function readWhere(text: string, header: readonly string[]): Where {
  const reader = new WhereReader({ text, flag: "--where" }, header);
  return reader.whole();
}

const comparisons: Record<string, (order: number) => boolean> = {
  "=": (order) => order === 0,
  "==": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Parentheses and `not` within each other, so that no text can exhaust the stack. */
const mostDepth = 100;

class WhereReader {
  readonly #place: WherePlace;
  readonly #header: readonly string[];
  readonly #tokens: Token[];
  #next = 0;
  #depth = 0;

  constructor(place: WherePlace, header: readonly string[]) {
    this.#place = place;
    this.#header = header;
    this.#tokens = tokensOf(place);
  }

  whole(): Where {
    const where = this.#either();
    const rest = this.#peek();
    if (rest.kind !== "end") throw this.#unexpected(rest, "`and`, `or` or the end");
    return where;
  }

  #either(): Where {
    const parts = [this.#both()];
    while (this.#takeWord("or")) parts.push(this.#both());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : (row) => parts.some((part) => part(row));
  }

  #both(): Where {
    const parts = [this.#one()];
    while (this.#takeWord("and")) parts.push(this.#one());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : (row) => parts.every((part) => part(row));
  }

  #one(): Where {
    const first = this.#peek();
    this.#depth += 1;
    if (this.#depth > mostDepth) throw this.#fault(first, `more than ${mostDepth} parentheses are open`);
    const where = this.#inside();
    this.#depth -= 1;
    return where;
  }

  #inside(): Where {
    if (this.#takeWord("not")) {
      const negated = this.#one();
      return (row) => !negated(row);
    }
    if (this.#takeSign("(")) {
      const inside = this.#either();
      const end = this.#peek();
      if (!this.#takeSign(")")) throw this.#unexpected(end, "`)`");
      return inside;
    }
    return this.#comparison();
  }

  #comparison(): Where {
    const columns = this.#columns();
    const operator = this.#take();
    if (isWord(operator, "in")) return anyOf(columns, isOneOf(this.#list()));
    if (isWord(operator, "not")) {
      const listed = this.#peek();
      if (!this.#takeWord("in")) throw this.#unexpected(listed, "`in`");
      const within = isOneOf(this.#list());
      return anyOf(columns, (cell) => !within(cell));
    }
    if (operator.kind !== "sign" || operator.text === "(" || operator.text === ")" || operator.text === ",") {
      throw this.#unexpected(operator, "an operator: = != < <= > >= ~ !~ in");
    }
    const value = this.#value();
    if (operator.text === "~") return anyOf(columns, (cell) => contains(cell, value));
    if (operator.text === "!~") return anyOf(columns, (cell) => !contains(cell, value));
    return anyOf(columns, comparing(operator.text, value));
  }

  #columns(): number[] {
    const token = this.#take();
    if (token.kind !== "word" && token.kind !== "quoted") throw this.#unexpected(token, "a column");
    const places = namedColumns(token.text, this.#header);
    if (places.length > 0) return places;
    throw this.#fault(token, "there is no such column", columnHint(token.text, this.#header));
  }

  #value(): string {
    const token = this.#take();
    if (token.kind === "word" || token.kind === "quoted") return token.text;
    throw this.#unexpected(token, "a value");
  }

  #list(): string[] {
    const open = this.#peek();
    if (!this.#takeSign("(")) throw this.#unexpected(open, "`(`");
    const values = [this.#value()];
    while (this.#takeSign(",")) values.push(this.#value());
    const close = this.#peek();
    if (!this.#takeSign(")")) throw this.#unexpected(close, "`,` or `)`");
    return values;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", at: this.#place.text.length };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    if (!isWord(this.#peek(), word)) return false;
    this.#next += 1;
    return true;
  }

  #takeSign(sign: string): boolean {
    const token = this.#peek();
    if (token.kind !== "sign" || token.text !== sign) return false;
    this.#next += 1;
    return true;
  }

  #unexpected(token: Token, wanted: string): AppError {
    const got = token.kind === "end" ? "the end" : `\`${token.text.slice(0, 60)}\``;
    return this.#fault(token, `${wanted} is expected, got ${got}`);
  }

  #fault(token: Token, message: string, hint?: string): AppError {
    return whereFault(this.#place, token.at, message, hint);
  }
}

function isWord({ kind, text }: Token, word: string): boolean {
  return kind === "word" && text.toLowerCase() === word;
}

function anyOf(columns: readonly number[], wants: (cell: Cell) => boolean): Where {
  return (row) => columns.some((column) => wants(row[column] ?? null));
}

function comparing(operator: string, value: string): (cell: Cell) => boolean {
  const holds = comparisons[operator] ?? (() => false);
  const number = numberOf(value);
  const isOrder = operator.startsWith("<") || operator.startsWith(">");
  return (cell) => {
    const own = number === null ? null : numberOf(cell);
    if (number !== null && own !== null) return holds(own - number);
    // A text is neither above nor below a number.
    if (number !== null && isOrder) return false;
    const text = textOf(cell);
    return holds(text === value ? 0 : text < value ? -1 : 1);
  };
}

function isOneOf(values: readonly string[]): (cell: Cell) => boolean {
  const each = values.map((value) => comparing("=", value));
  return (cell) => each.some((equals) => equals(cell));
}

function contains(cell: Cell, value: string): boolean {
  return folded(textOf(cell)).includes(folded(value));
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function textOf(cell: Cell): string {
  return cell === null ? "" : String(cell);
}

function numberOf(cell: Cell): number | null {
  if (typeof cell === "number") return cell;
  if (typeof cell !== "string" || !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(cell)) return null;
  return Number(cell);
}
