/** The longest query: what a person types, or a program writes for one. */
export const longestQuery = 2000;
/** Conditions and words of one query. */
const mostParts = 200;
/** Parentheses and negations within each other, so that no text can exhaust the stack. */
const mostDepth = 100;

/**
 * A query as it was read. `words` are searched for anywhere in a row, all of them; a text in quotes is one of them.
 * A condition is what a vocabulary makes of it.
 */
export type Query<Condition> =
  | { kind: "all" | "any"; parts: readonly Query<Condition>[] }
  | { kind: "not"; part: Query<Condition> }
  | { kind: "words"; words: readonly string[] }
  | { kind: "condition"; condition: Condition };

/** A query without conditions. */
export const everyRow: Query<never> = { kind: "all", parts: [] };

/** The words and conditions of a query, however they are joined. */
export function leavesOf<Condition>(
  query: Query<Condition>,
): ({ kind: "words"; words: readonly string[] } | { kind: "condition"; condition: Condition })[] {
  if (query.kind === "not") return leavesOf(query.part);
  return "parts" in query ? query.parts.flatMap((part) => leavesOf(part)) : [query];
}

/** The place where a query cannot be understood, and what would be. */
export interface QueryFault {
  /** Start of the place, in UTF-16 units. */
  at: number;
  message: string;
  /** Null: the message says it all. */
  hint: string | null;
}

/** `==` compares letter for letter, where the others fold case and accents and read `1` and `1.0` as one number. */
export type Operator = ":" | "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~";

/** The thing that a condition is about: `score:similar@prod` is `score` of `similar` on the target `prod`. */
export interface Named {
  name: string;
  of: string | null;
  target: string | null;
  /** It stood in quotes: the name of a column, and never a term. */
  isQuoted: boolean;
}

/** The question that a condition asks: one of the values will do, or with `!=` and `!~` none of them may. */
export interface Comparand {
  operator: Operator;
  values: readonly string[];
}

/** Refuses a condition; the place is that of its name, or with `inValue` that of its value. */
export interface ConditionRefusal {
  refused: string;
  hint: string | null;
  inValue?: boolean;
}

/** The words that a query may use. */
export interface Vocabulary<Condition extends object> {
  /** The condition that a single word is, such as `worse`; null: the word is searched for. */
  flag: (word: string) => Condition | ConditionRefusal | null;
  condition: (named: Named, asked: Comparand) => Condition | ConditionRefusal;
}

/** A part of a query that must hold beside the others, and its place in the text. */
export interface QueryPart<Condition> {
  query: Query<Condition>;
  from: number;
  to: number;
}

/** `parts`: those that must all hold, in their order; a query with an `or` outside of parentheses is one. */
export type ReadQuery<Condition> =
  | { query: Query<Condition>; parts: readonly QueryPart<Condition>[]; fault: null }
  | { query: null; fault: QueryFault };

/** Reads a query; never throws. An empty one finds every row. */
export function readQuery<Condition extends object>(
  text: string,
  vocabulary: Vocabulary<Condition>,
): ReadQuery<Condition> {
  try {
    if (text.length > longestQuery) {
      const message = `a query has at most ${longestQuery} characters, and this one has ${text.length}`;
      throw new FaultAt(longestQuery, message, "Shorten it.");
    }
    return { ...new QueryReader(text, vocabulary).whole(), fault: null };
  } catch (error) {
    if (error instanceof FaultAt) return { query: null, fault: error.fault };
    throw error;
  }
}

/** Leaves the reader from wherever it is. */
class FaultAt extends Error {
  readonly fault: QueryFault;

  constructor(at: number, message: string, hint: string | null = null) {
    super(message);
    this.fault = { at, message, hint };
  }
}

const inQuotes = 'To search for a text with signs in it, put it in quotes: "a = b".';

const quoted = String.raw`"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'`;
const bare = String.raw`[^\s=<>~(),"'!:@]+`;
/** `name`, `"a name"`, each with `:part` and `@target` where there are. */
const subject = new RegExp(`(?:(${bare})|${quoted})(?::(?:(${bare})|${quoted}))?(?:@(?:(${bare})|${quoted}))?`, "suy");
/** `name:` or `name@target:` before a value; `12:30` and `https://` are texts. */
const before = new RegExp(
  String.raw`(?:([\p{L}_][\p{L}\p{M}\p{N}_.*-]*)|${quoted})(?:@(?:(${bare})|${quoted}))?:(?!\/\/)`,
  "suy",
);
const sign = /\s*(!=|!~|<=|>=|==|=|<|>|~)/suy;
const membership = /\s+(not\s+)?in\s*\(/isuy;
const value = new RegExp(`${quoted}|([^\\s=<>~(),"']+)`, "suy");
const space = /\s*/suy;
const word = /[^\s()"]+/suy;
const text = new RegExp(quoted, "suy");

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>(
  (["==", "!=", "<", "<=", ">", ">=", "~", "!~"] as const).map((each) => [each, each] as const),
);

class QueryReader<Condition extends object> {
  readonly #text: string;
  readonly #vocabulary: Vocabulary<Condition>;
  #at = 0;
  #depth = 0;
  #parts = 0;
  /** The last part is a word to search for: `and`, `or` and `not` behind it are words too. */
  #afterWord = false;
  /** Those outside of parentheses. */
  readonly #outer: QueryPart<Condition>[] = [];

  constructor(given: string, vocabulary: Vocabulary<Condition>) {
    this.#text = given;
    this.#vocabulary = vocabulary;
  }

  whole(): { query: Query<Condition>; parts: readonly QueryPart<Condition>[] } {
    const query = this.#either();
    if (this.#at < this.#text.length) throw this.#unexpected("a condition or a word");
    const isJoined = query.kind === "any" && this.#outer.length > 1;
    return { query, parts: isJoined ? [{ query, from: 0, to: this.#text.length }] : this.#outer };
  }

  #either(): Query<Condition> {
    const parts = [this.#both()];
    while (this.#takeJoining("or")) parts.push(this.#both());
    if (parts.length > 1 && parts.some(isEmpty)) throw this.#unexpected("a condition or a word");
    return joined("any", parts);
  }

  #both(): Query<Condition> {
    const parts: Query<Condition>[] = [];
    const words: string[] = [];
    const begin = this.#at;
    this.#afterWord = false;
    for (;;) {
      this.#skip();
      const isEnd = this.#at >= this.#text.length || this.#text[this.#at] === ")";
      if (isEnd || this.#isJoining("or", begin)) break;
      if (this.#isJoining("and", begin)) {
        this.#at += 3;
        continue;
      }
      const from = this.#at;
      const part = this.#one();
      if (this.#depth === 0) this.#outer.push({ query: part, from, to: this.#at });
      if (part.kind === "words") words.push(...part.words);
      else parts.push(part);
    }
    if (words.length > 0) parts.push({ kind: "words", words });
    return joined("all", parts);
  }

  /**
   * True for `and` or `or` that joins: between conditions, or where it is written large. Between words that are searched
   * for it is one of them.
   */
  #isJoining(joining: "and" | "or", begin: number): boolean {
    const found = this.#text.slice(this.#at, this.#at + joining.length);
    const end = this.#at + joining.length;
    if (
      found.toLowerCase() !== joining ||
      this.#at === begin ||
      !/^(?:[\s("']|$)/u.test(this.#text.slice(end, end + 1))
    ) {
      return false;
    }
    return found === joining.toUpperCase() || (!this.#afterWord && this.#beginsCondition(end));
  }

  #takeJoining(joining: "or"): boolean {
    this.#skip();
    if (this.#at >= this.#text.length || this.#text[this.#at] === ")") return false;
    this.#at += joining.length;
    return true;
  }

  /** True where a condition, a text in quotes or parentheses begin, and not a word to search for. */
  #beginsCondition(from: number): boolean {
    const at = matchAt(space, this.#text, from)?.end ?? from;
    if (matchAt(text, this.#text, at) !== null || this.#text[at] === "(") return true;
    if (this.#asksAt(at) || matchAt(before, this.#text, at) !== null) return true;
    const found = matchAt(word, this.#text, at);
    if (found === null) return false;
    if (found.whole.toLowerCase() === "not") return this.#beginsCondition(found.end);
    if (found.whole.startsWith("-")) return this.#beginsCondition(at + 1);
    return this.#vocabulary.flag(found.whole) !== null;
  }

  /** True where a name with an operator behind it stands. */
  #asksAt(at: number): boolean {
    const found = matchAt(subject, this.#text, at);
    return (
      found !== null && (matchAt(sign, this.#text, found.end) ?? matchAt(membership, this.#text, found.end)) !== null
    );
  }

  #one(): Query<Condition> {
    this.#depth += 1;
    if (this.#depth > mostDepth) throw new FaultAt(this.#at, `more than ${mostDepth} parentheses are open`);
    const part = this.#inside();
    this.#depth -= 1;
    return part;
  }

  #inside(): Query<Condition> {
    if (this.#takeNegation()) return { kind: "not", part: this.#one() };
    if (this.#text[this.#at] === "(") return this.#parentheses();
    this.#parts += 1;
    if (this.#parts > mostParts) {
      throw new FaultAt(this.#at, `a query has at most ${mostParts} conditions and words`, "Shorten it.");
    }
    return this.#compared() ?? this.#valued() ?? this.#quotedText() ?? this.#word();
  }

  #parentheses(): Query<Condition> {
    this.#at += 1;
    const inside = this.#either();
    if (this.#text[this.#at] !== ")") throw this.#unexpected("`)`");
    if (isEmpty(inside)) throw this.#unexpected("a condition or a word");
    this.#at += 1;
    this.#afterWord = false;
    return inside;
  }

  /** `not` before a condition, or `-` directly before anything but a number. */
  #takeNegation(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 5);
    if (/^not[\s(]/iu.test(rest) && !this.#asksAt(this.#at)) {
      const isMeant = rest.startsWith("NOT") || (!this.#afterWord && this.#beginsCondition(this.#at + 3));
      if (!isMeant) return false;
      this.#at += 3;
      this.#skip();
      return true;
    }
    if (!/^-(?:[\p{L}_"'(])/u.test(rest)) return false;
    this.#at += 1;
    return true;
  }

  /** `name > value`, `name in (a, b)`; null: this is none. */
  #compared(): Query<Condition> | null {
    const found = matchAt(subject, this.#text, this.#at);
    if (found === null) return null;
    const [name, double, single, of, ofDouble, ofSingle, target, targetDouble, targetSingle] = found.groups;
    const isAbout: Named = {
      name: name ?? unescaped(double ?? single ?? ""),
      of: of ?? maybeUnescaped(ofDouble ?? ofSingle),
      target: target ?? maybeUnescaped(targetDouble ?? targetSingle),
      isQuoted: name === undefined,
    };
    const start = this.#at;
    const written = matchAt(sign, this.#text, found.end);
    if (written !== null) {
      this.#at = written.end;
      this.#skip();
      const [operator = "="] = written.groups;
      return this.#made(start, isAbout, operators.get(operator) ?? "=", () => this.#values());
    }
    const listed = matchAt(membership, this.#text, found.end);
    if (listed === null) return null;
    this.#at = listed.end;
    return this.#made(start, isAbout, listed.groups[0] === undefined ? "=" : "!=", () => this.#list());
  }

  /** `name:value`, `name@target:value`; null: this is none. */
  #valued(): Query<Condition> | null {
    const found = matchAt(before, this.#text, this.#at);
    if (found === null) return null;
    const [name, double, single, target, targetDouble, targetSingle] = found.groups;
    const isAbout: Named = {
      name: name ?? unescaped(double ?? single ?? ""),
      of: null,
      target: target ?? maybeUnescaped(targetDouble ?? targetSingle),
      isQuoted: name === undefined,
    };
    const start = this.#at;
    this.#at = found.end;
    return this.#made(start, isAbout, ":", () => this.#values());
  }

  #made(start: number, isAbout: Named, operator: Operator, read: () => string[]): Query<Condition> {
    const valueAt = this.#at;
    const values = read();
    this.#afterWord = false;
    const condition = this.#vocabulary.condition(isAbout, { operator, values });
    if (!("refused" in condition)) return { kind: "condition", condition };
    throw new FaultAt(condition.inValue === true ? valueAt : start, condition.refused, condition.hint);
  }

  /** One value, or several with nothing but commas between them. */
  #values(): string[] {
    const values = [this.#value()];
    while (this.#text[this.#at] === "," && matchAt(value, this.#text, this.#at + 1) !== null) {
      this.#at += 1;
      values.push(this.#value());
    }
    return values;
  }

  #list(): string[] {
    const values: string[] = [];
    do {
      this.#skip();
      values.push(this.#value());
      this.#skip();
    } while (this.#take(","));
    if (!this.#take(")")) throw this.#unexpected("`,` or `)`");
    return values;
  }

  #value(): string {
    const found = matchAt(value, this.#text, this.#at);
    if (found === null) throw this.#unexpected("a value");
    this.#at = found.end;
    const [double, single, plain] = found.groups;
    return plain ?? unescaped(double ?? single ?? "");
  }

  #quotedText(): Query<Condition> | null {
    const found = matchAt(text, this.#text, this.#at);
    if (found === null) return null;
    this.#at = found.end;
    this.#afterWord = false;
    const [double, single] = found.groups;
    return { kind: "words", words: [unescaped(double ?? single ?? "")] };
  }

  #word(): Query<Condition> {
    const found = matchAt(word, this.#text, this.#at);
    const first = this.#text[this.#at] ?? "";
    if (found === null || first === "'") throw new FaultAt(this.#at, "this quote has no end", inQuotes);
    if (/^[=<>~]/u.test(first)) throw new FaultAt(this.#at, `\`${first}\` means nothing here`, inQuotes);
    const flag = this.#vocabulary.flag(found.whole);
    if (flag === null && this.#at > 0 && !this.#afterWord && !/[\p{L}\p{N}\p{S}]/u.test(found.whole)) {
      throw new FaultAt(
        this.#at,
        `\`${found.whole}\` means nothing here`,
        "Conditions beside each other must all hold.",
      );
    }
    if (flag !== null && "refused" in flag) throw new FaultAt(found.end, flag.refused, flag.hint);
    this.#at = found.end;
    this.#afterWord = flag === null;
    return flag === null ? { kind: "words", words: [found.whole] } : { kind: "condition", condition: flag };
  }

  #skip(): void {
    this.#at = matchAt(space, this.#text, this.#at)?.end ?? this.#at;
  }

  #take(wanted: string): boolean {
    if (this.#text[this.#at] !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(wanted: string): FaultAt {
    const rest = this.#text.slice(this.#at);
    if (/^["']/u.test(rest)) return new FaultAt(this.#at, "this quote has no end");
    const [got = ""] = /^(?:[^\s]{1,60})/su.exec(rest) ?? [];
    return new FaultAt(this.#at, `${wanted} is expected, got ${got === "" ? "the end" : `\`${got}\``}`, inQuotes);
  }
}

const isEmpty = <Condition>(query: Query<Condition>): boolean => query.kind === "all" && query.parts.length === 0;

function joined<Condition>(kind: "all" | "any", parts: Query<Condition>[]): Query<Condition> {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

/** The match of a sticky pattern at a place; null: there is none. */
function matchAt(
  pattern: RegExp,
  given: string,
  at: number,
): { whole: string; end: number; groups: (string | undefined)[] } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(given);
  if (found === null) return null;
  const [whole, ...groups] = found;
  return { whole, end: at + whole.length, groups };
}

const unescaped = (given: string): string =>
  given.replaceAll(/\\(.)/gsu, (_, letter: string) => (letter === "n" ? "\n" : letter === "r" ? "\r" : letter));
const maybeUnescaped = (given: string | undefined): string | null => (given === undefined ? null : unescaped(given));

/** A value as a query writes it: in quotes where it would be read as something else. A field of one line keeps its line breaks. */
export function queryValue(given: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u.test(given) ? given : inQuotesOf(given);
}

/** The name of a tag or a column as a query writes it; `terms`: names that mean something else without quotes. */
export function queryName(given: string, terms: readonly string[]): string {
  const isPlain = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u.test(given) && !terms.includes(given);
  return isPlain ? given : inQuotesOf(given);
}

function inQuotesOf(given: string): string {
  const escaped = given.replaceAll(/["\\]/gu, String.raw`\$&`);
  return `"${escaped.replaceAll("\n", String.raw`\n`).replaceAll("\r", String.raw`\r`)}"`;
}
