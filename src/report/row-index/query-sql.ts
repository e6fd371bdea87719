import type { CountingRule } from "../model/counted-score.ts";
import { conversationOf } from "../model/row-groups.ts";
import type { Query } from "../query/query-text.ts";
import {
  holdsFolded,
  holdsNumber,
  holdsText,
  type RowCondition,
  type RowFigure,
  sidesOfPair,
  type TextTest,
} from "../query/row-conditions.ts";
import type { LabelChoice } from "../query/row-terms.ts";
import type { RowGroup } from "../shape/row-group.ts";
import { folded } from "../../text/search-fold.ts";
import { comparedMask, figureSql, flagsSql, idsOfRow, type IndexAbout, indexedName, maskOf } from "./index-files.ts";

/** A test of a value that SQL hands over: numbers and texts are tested as a page tests them. */
type ValueTest = (value: unknown) => boolean;

/** Rows by what people said of them now; `stamp` is another whenever that has changed. */
export interface SaidOfRows {
  stamp: string;
  has: (caseId: number, choice: LabelChoice) => boolean;
}

/** A query of rows as SQL on an index: its texts are parameters, and its tests are functions that SQL calls by their numbers. */
export class QuerySql {
  readonly parameters: Record<string, string> = {};
  readonly tests: ValueTest[] = [];
  readonly flags: string;
  /** True where it looks at texts, which are in a file of their own. */
  readsTexts = false;
  readonly #about: IndexAbout;
  readonly #pair: number;
  readonly #sides: ReturnType<typeof sidesOfPair>;
  readonly #said: SaidOfRows;
  readonly #figures: (column: string) => string;
  #texts = 0;

  constructor(about: IndexAbout, pair: number, said: SaidOfRows) {
    const { frame, slowFrom } = about;
    this.#about = about;
    this.#pair = pair;
    this.#sides = sidesOfPair(frame, pair);
    this.#said = said;
    this.#figures = figureSql(frame);
    this.flags = flagsSql(this.#figures, pair, slowFrom);
  }

  /** True for the rows that a query finds. */
  finds(query: Query<RowCondition>): string {
    switch (query.kind) {
      case "all":
        return joined(
          "AND",
          query.parts.map((part) => this.finds(part)),
        );
      case "any":
        return joined(
          "OR",
          query.parts.map((part) => this.finds(part)),
        );
      case "not":
        return query.part.kind === "not" ? this.finds(query.part.part) : `NOT ${this.finds(query.part)}`;
      case "words":
        return joined(
          "AND",
          query.words.map((word) => this.#someText(this.#contains(folded(word)))),
        );
      case "condition":
        return this.#meets(query.condition);
    }
  }

  /** The value of a tag; null: no row has it. */
  tag(name: string | null): string {
    return this.#inList("tags", this.#about.tags.indexOf(name ?? ""));
  }

  /** A figure of the pair that is shown, or of the row. */
  figure(figure: RowFigure): string {
    const figures = this.#figures;
    if (figure.of === "row" || figure.of === "turn") return figure.of;
    if (figure.of === "distance") return figures(`distance_${this.#pair}`);
    if (figure.of === "score") return figures(`score_${figure.side}_${figure.metric}`);
    if (figure.of !== "change") return figures(`${figure.of}_${figure.side}`);
    if (this.#sides === null) return "NULL";
    const [before, now] = this.#ofSides(figure.figure);
    return `(${now} - ${before})`;
  }

  /** The scores of both sides by a metric. */
  scores(metric: number): string[] {
    return this.#ofSides({ metric });
  }

  /** The score of a side as `countedScore` has it. */
  counted(side: number, rule: CountingRule): string {
    if (rule === null) return "NULL";
    const { pair, sides } = rule;
    const counted = (each: number): string => this.#figures(`counted_${each}`);
    const conditions = [
      ...(pair === null ? [] : [`${this.#figures(`flags_${pair}`)} & ${comparedMask}`]),
      ...sides.map((each) => `${counted(each)} IS NOT NULL`),
    ];
    return `iif(${joined("AND", conditions)}, ${counted(side)}, NULL)`;
  }

  /** The rank of a row by the pair that is shown. */
  get rank(): string {
    return this.#figures(`rank_${this.#pair}`);
  }

  #ofSides(of: (RowFigure & { of: "change" })["figure"]): string[] {
    if (this.#sides === null) return ["NULL", "NULL"];
    const { baseline, candidate } = this.#sides;
    return [baseline, candidate].map((side) =>
      this.figure(typeof of === "string" ? { of, side } : { of: "score", side, metric: of.metric }),
    );
  }

  #meets(condition: RowCondition): string {
    switch (condition.ask) {
      case "filter":
        return `(${this.flags} & ${maskOf(condition.filter)} <> 0)`;
      case "group":
        return negated(
          condition.isNot,
          joined(
            "OR",
            condition.groups.map((group) => this.#inGroup(group)),
          ),
        );
      case "labelled": {
        const { choices, isNot } = condition;
        return negated(
          isNot,
          this.#test((caseId) => choices.some((choice) => this.#said.has(Number(caseId), choice)), "case_id"),
        );
      }
      case "figure":
        return this.#test(
          (number) => holdsNumber(condition.test, typeof number === "number" ? number : null),
          this.figure(condition.figure),
        );
      case "outcome":
        return this.#holds(condition.test, this.#figures(`outcome_${condition.side}`));
      case "tag":
        return this.#holds(condition.test, this.tag(condition.name));
      case "column":
        return this.#inTexts(`|column_${this.#about.columns.indexOf(condition.name)}|`, condition.test);
      case "text": {
        const { text, side } = condition;
        const isOfSide = text === "answer" || text === "error";
        return this.#inTexts(
          `|${text}${isOfSide ? "_" : "|"}${isOfSide && side !== null ? `${side}|` : ""}`,
          condition.test,
        );
      }
    }
  }

  #inGroup(group: RowGroup): string {
    const conversation = conversationOf(group);
    if (conversation !== null) return `conversation = ${this.#text(conversation)}`;
    const { groups } = this.#about;
    const number = groups[indexedName(group, null)] ?? groups[indexedName(group, this.#pair)];
    return number === undefined ? "0" : `instr(in_groups, '|${number}|')`;
  }

  /** One of the texts of a part of the row is as wanted, or with `!=` and `!~` none is. */
  #inTexts(part: string, { operator, values }: TextTest): string {
    const [plain, isNot] =
      operator === "!=" ? (["=", true] as const) : operator === "!~" ? (["~", true] as const) : [operator, false];
    const [value] = values;
    const meets =
      plain === "=="
        ? `coalesce(raw, folded) IN (${values.map((each) => this.#text(each)).join(", ")})`
        : (plain === "~" || plain === ":") && value !== undefined && values.length === 1
          ? this.#contains(value)
          : this.#test((text) => holdsFolded({ operator: plain, values }, String(text)), "folded");
    return negated(isNot, this.#someText(`instr(parts, ${this.#text(part)}) AND ${meets}`));
  }

  /** SQLite finds a text by LIKE many times faster than by `instr`, where it begins with a plain character. */
  #contains(text: string): string {
    // oxlint-disable-next-line eslint/no-control-regex
    if (!/^[\x01-\x7f]/.test(text)) return `instr(folded, ${this.#text(text)})`;
    return `folded LIKE ${this.#text(`%${text.replaceAll(/[\\%_]/g, "\\$&")}%`)} ESCAPE '\\'`;
  }

  #someText(condition: string): string {
    this.readsTexts = true;
    const first = `row.place * ${idsOfRow}`;
    return `EXISTS (SELECT 1 FROM text WHERE id BETWEEN ${first} AND ${first} + ${idsOfRow - 1} AND ${condition})`;
  }

  #inList(list: string, number: number): string {
    return number === -1 ? "NULL" : `json_extract(${list}, '$[${number}]')`;
  }

  #holds(test: TextTest, value: string): string {
    return this.#test((text) => holdsText(test, typeof text === "string" ? text : ""), value);
  }

  #test(test: ValueTest, value: string): string {
    return `test(${this.tests.push(test) - 1}, ${value})`;
  }

  #text(text: string): string {
    const name = `t${this.#texts++}`;
    this.parameters[name] = text;
    return `@${name}`;
  }
}

const negated = (isNot: boolean, condition: string): string => (isNot ? `NOT ${condition}` : condition);

/** Conditions as a tree of little depth: SQLite takes no deep one. */
function joined(operator: "AND" | "OR", conditions: readonly string[]): string {
  if (conditions.length === 0) return operator === "AND" ? "1" : "0";
  if (conditions.length < 3) return `(${conditions.join(` ${operator} `)})`;
  const middle = Math.ceil(conditions.length / 2);
  return `(${joined(operator, conditions.slice(0, middle))} ${operator} ${joined(operator, conditions.slice(middle))})`;
}
