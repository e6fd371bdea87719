import type { AppError } from "../errors.ts";
import { didYouMean } from "../lib/suggest.ts";
import type { Cell } from "./spreadsheet.ts";
import { type Token, tokensOf, whereFault, type WherePlace } from "./where-tokens.ts";

/** Whether a row of a table is wanted. */
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
    const column = this.#column();
    const operator = this.#take();
    if (isWord(operator, "in")) return isOneOf(column, this.#list());
    if (isWord(operator, "not")) {
      const listed = this.#peek();
      if (!this.#takeWord("in")) throw this.#unexpected(listed, "`in`");
      const within = isOneOf(column, this.#list());
      return (row) => !within(row);
    }
    if (operator.kind !== "sign" || operator.text === "(" || operator.text === ")" || operator.text === ",") {
      throw this.#unexpected(operator, "an operator: = != < <= > >= ~ !~ in");
    }
    const value = this.#value();
    if (operator.text === "~") return (row) => contains(row[column] ?? null, value);
    if (operator.text === "!~") return (row) => !contains(row[column] ?? null, value);
    return comparing(column, operator.text, value);
  }

  #column(): number {
    const token = this.#take();
    if (token.kind !== "word" && token.kind !== "quoted") throw this.#unexpected(token, "a column");
    const place = this.#header.indexOf(token.text);
    if (place !== -1) return place;
    const hint = didYouMean(token.text, this.#header) ?? `Columns: ${this.#header.slice(0, 40).join(", ")}`;
    throw this.#fault(token, "there is no such column", hint);
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

function comparing(column: number, operator: string, value: string): Where {
  const holds = comparisons[operator] ?? (() => false);
  const number = numberOf(value);
  const isOrder = operator.startsWith("<") || operator.startsWith(">");
  return (row) => {
    const cell = row[column] ?? null;
    const own = number === null ? null : numberOf(cell);
    if (number !== null && own !== null) return holds(own - number);
    // A text is neither above nor below a number.
    if (number !== null && isOrder) return false;
    const text = textOf(cell);
    return holds(text === value ? 0 : text < value ? -1 : 1);
  };
}

function isOneOf(column: number, values: readonly string[]): Where {
  const each = values.map((value) => comparing(column, "=", value));
  return (row) => each.some((equals) => equals(row));
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
