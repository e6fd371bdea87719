import { shownOutcomes } from "../../api/outcomes.ts";
import { durationPattern, durationMs } from "../../lib/duration.ts";
import { suggest } from "../../lib/suggest.ts";
import { folded } from "../../text/search-fold.ts";
import { sideFigures, type SideFigure } from "../model/run-figures.ts";
import { rowGroup } from "../model/row-groups.ts";
import { type RowFilter, rowFilters } from "../model/row-filters.ts";
import type { RowGroup } from "../shape/row-group.ts";
import { frameOf, type ReportFrame } from "../shape/reporter.ts";
import type { ReportSummary } from "../shape/model.ts";
import {
  type Comparand,
  type ConditionRefusal,
  leavesOf,
  type Named,
  type Operator,
  type Query,
  type Vocabulary,
} from "./query-text.ts";
import {
  labelChoices,
  type LabelChoice,
  newlyChoices,
  rowTerms,
  type RowTerm,
  rowTexts,
  type RowText,
} from "./row-terms.ts";

/** A number of a row. Places are those of the frame: of a target, a metric, a pair. */
export type RowFigure =
  | { of: SideFigure; side: number }
  | { of: "score"; side: number; metric: number }
  /** Candidate minus baseline, of the pair that is shown. */
  | { of: "change"; figure: SideFigure | { metric: number } }
  | { of: "distance" }
  | { of: "row" }
  | { of: "turn" };

/** A test of a number; `values` are the numbers, null: no number is known. */
export interface NumberTest {
  operator: Operator;
  values: readonly (number | null)[];
}

/** A test of a text; `values` are folded, as searches compare them, but for `==`. */
export interface TextTest {
  operator: Operator;
  values: readonly string[];
}

/** A condition of a row, as data: a page answers it from the row, and an index from its files. */
export type RowCondition =
  | { ask: "filter"; filter: RowFilter }
  | { ask: "figure"; figure: RowFigure; test: NumberTest }
  | { ask: "outcome"; side: number; test: TextTest }
  /** Rows of one of the groups, or with `isNot` of none. */
  | { ask: "group"; groups: readonly RowGroup[]; isNot: boolean }
  | { ask: "labelled"; choices: readonly LabelChoice[]; isNot: boolean }
  | { ask: "text"; text: RowText; side: number | null; test: TextTest }
  | { ask: "tag"; name: string; test: TextTest }
  | { ask: "column"; name: string; test: TextTest };

/** The names that a query may use beside the terms. */
export interface QueryFrame extends Pick<ReportFrame, "targets" | "pairs"> {
  /** Names of the metrics, the primary one first. */
  metrics: readonly { name: string }[];
  tags: readonly string[];
  columns: readonly string[];
}

/** The words of the query language for the rows of a comparison, by one of its pairs. */
export function rowVocabulary(frame: QueryFrame, pair: number): Vocabulary<RowCondition> {
  const known = new Map(rowTerms.map((term) => [term.name, term]));
  const side = Math.max(0, frame.targets.indexOf(frame.pairs[pair]?.candidate ?? ""));
  return {
    flag: (word) => {
      const filter = rowFilters.find((each) => each === word);
      return filter === undefined ? null : { ask: "filter", filter };
    },
    condition: (named, asked) => {
      const term = named.isQuoted ? undefined : known.get(named.name);
      if (term !== undefined) return ofTerm(term, { named, asked, frame, side });
      const isBare = named.of === null && named.target === null;
      for (const [ask, names] of [
        ["tag", frame.tags],
        ["column", frame.columns],
      ] as const) {
        if (!isBare || !names.includes(named.name)) continue;
        // A tag has a value or has it not; the text of a column is looked through.
        const operator = ask === "tag" && asked.operator === ":" ? "=" : asked.operator;
        return { ask, name: named.name, test: textTest(operator, asked.values) };
      }
      return unknownName(named.name, frame);
    },
  };
}

/** A test of texts as somebody wrote it. */
export function textTest(operator: Operator, values: readonly string[]): TextTest {
  return { operator, values: operator === "==" ? values : values.map(folded) };
}

function unknownName(name: string, { tags, columns }: QueryFrame): ConditionRefusal {
  const all = [...rowTerms.map((term) => term.name), ...tags, ...columns];
  const near = suggest(name, all);
  return {
    refused: `nothing here is called \`${name}\``,
    hint:
      near === null
        ? `There is: ${listed(all)}. To search for the text, put it in quotes.`
        : `Did you mean \`${near}\`? To search for the text, put it in quotes.`,
  };
}

const mostListed = 60;

function listed(names: readonly string[]): string {
  const more = names.length > mostListed ? `, ... (${names.length} in all)` : "";
  return `${names.slice(0, mostListed).join(", ")}${more}`;
}

interface Given {
  named: Named;
  asked: Comparand;
  frame: QueryFrame;
  /** Place of the candidate, or of the target that stands alone. */
  side: number;
}

function ofTerm(term: RowTerm, given: Given): RowCondition | ConditionRefusal {
  const { named, asked, frame } = given;
  if (term.kind === "flag") {
    return { refused: `\`${term.name}\` stands alone`, hint: `Write ${term.name}, or -${term.name} for the others.` };
  }
  const wrong = wrongPart(term, named);
  if (wrong !== null) return { refused: wrong, hint: `For example: ${term.example}` };
  const side = named.target === null ? given.side : frame.targets.indexOf(named.target);
  if (side === -1) {
    return { refused: `there is no target \`${named.target ?? ""}\``, hint: `There is: ${listed(frame.targets)}.` };
  }
  if (term.name === "labelled") return labelledAs(asked);
  if (term.name === "among" || term.name === "newly") return groupOf(term.name, asked);
  if (term.name === "conversation" && asked.operator === "==") {
    return { ask: "group", groups: asked.values.map(rowGroup.conversation), isNot: false };
  }
  if (term.name === "outcome") return outcomeOf(side, asked);
  const text = rowTexts.find((each) => each === term.name);
  if (text === undefined) return figureOf(term, { ...given, side });
  const { operator, values } = asked;
  if (/^[<>]/u.test(operator)) return noOrder(term);
  // Without a target: the answers of all.
  const place = named.target === null ? null : side;
  return { ask: "text", text, side: place, test: textTest(operator === "==" ? "=" : operator, values) };
}

function wrongPart({ name, ofMetric, ofTarget }: RowTerm, { of, target }: Named): string | null {
  if (of !== null && ofMetric !== true) return `\`${name}\` has no parts, and \`:${of}\` is behind it`;
  return target !== null && ofTarget !== true
    ? `\`${name}\` is not of one target, and \`@${target}\` is behind it`
    : null;
}

function noOrder({ name, example }: RowTerm): ConditionRefusal {
  return { refused: `\`${name}\` is a text, which is not more or less than another`, hint: `For example: ${example}` };
}

function labelledAs({ operator, values }: Comparand): RowCondition | ConditionRefusal {
  const choices = values.map((value) => labelChoices.find((each) => each === value.toLowerCase()));
  const chosen = choices.filter((each) => each !== undefined);
  if (chosen.length < choices.length || !isSame(operator)) {
    return {
      refused: "`labelled` is one of a few words",
      hint: `labelled:${labelChoices.join(", labelled:")}`,
      inValue: true,
    };
  }
  return { ask: "labelled", choices: chosen, isNot: operator === "!=" };
}

const isSame = (operator: Operator): boolean => [":", "=", "==", "!="].includes(operator);

const flipOf = { failing: "pass-to-fail", passing: "fail-to-pass" } as const;

const refused = (message: string, hint: string): ConditionRefusal => ({ refused: message, hint, inValue: true });

/** Rows that a count of the page leads to: newly failing ones, or a kind of group and what it is about. */
function groupOf(name: "among" | "newly", { operator, values }: Comparand): RowCondition | ConditionRefusal {
  const isNot = operator === "!=";
  if (!isSame(operator))
    return refused(`\`${name}\` has no more or less, and no text`, `For example: ${name}:${values.join(",")}`);
  if (name === "among") {
    const kinds = Object.keys(rowGroup);
    if (kinds.includes(values[0] ?? "")) return { ask: "group", groups: [values], isNot };
    return refused(`there is no group \`${values[0] ?? ""}\``, `There is: ${kinds.join(", ")}.`);
  }
  const flips = values.map((value) => newlyChoices.find((choice) => choice === value.toLowerCase()));
  const known = flips.filter((flip) => flip !== undefined);
  if (known.length === values.length) {
    return { ask: "group", groups: known.map((flip) => rowGroup.flip(flipOf[flip])), isNot };
  }
  return refused("`newly` is failing or passing", "newly:failing, newly:passing");
}

function outcomeOf(side: number, asked: Comparand): RowCondition | ConditionRefusal {
  const test = choiceTest("outcome", shownOutcomes, asked);
  return "refused" in test ? test : { ask: "outcome", side, test };
}

/** A test of what is always one of a few words, or nothing where `words` have an empty one. Refuses what it never is. */
export function choiceTest(
  name: string,
  words: readonly string[],
  { operator, values }: Comparand,
): TextTest | ConditionRefusal {
  const known = `There is: ${words.filter((word) => word !== "").join(", ")}.`;
  if (/^[<>]/u.test(operator)) return refused(`\`${name}\` has no more or less`, known);
  const isPart = operator === "~" || operator === "!~";
  const isKnown = (value: string): boolean =>
    words.some((word) => (isPart ? folded(word).includes(value) : folded(word) === value));
  const unknown = values.find((value) => !isKnown(folded(value)));
  if (unknown === undefined) return textTest(isPart || operator === "!=" ? operator : "=", values);
  const near = suggest(unknown, words);
  return refused(
    `\`${name}\` is never \`${unknown.slice(0, 60)}\``,
    near === null ? known : `Did you mean \`${near}\`? ${known}`,
  );
}

function figureOf(term: RowTerm, { named, asked, frame, side }: Given): RowCondition | ConditionRefusal {
  const figure = namedFigure(term.name, { of: named.of, frame, side });
  if ("refused" in figure) return figure;
  const isTime = figure.of === "time" || (figure.of === "change" && figure.figure === "time");
  const test = numberTest(term, { asked, isTime });
  return "refused" in test ? test : { ask: "figure", figure, test };
}

/** A test of a number, or of a time with its unit. */
export function numberTest(
  { name, example }: Pick<RowTerm, "name" | "example">,
  { asked: { operator, values }, isTime }: { asked: Comparand; isTime: boolean },
): NumberTest | ConditionRefusal {
  const hint = `For example: ${example}`;
  if (operator === "~" || operator === "!~")
    return { refused: `\`${name}\` is a number, which contains no text`, hint };
  const numbers = values.map((value) => numberOf(value, isTime));
  const wrong = values.find((_, place) => numbers[place] === undefined);
  if (wrong !== undefined) {
    const wanted = isTime ? "a time with its unit, such as 500ms or 2s," : "a number";
    return refused(`${wanted} is expected, got \`${wrong.slice(0, 60)}\``, hint);
  }
  return {
    operator: isSame(operator) && operator !== "!=" ? "=" : operator,
    values: numbers.map((number) => number ?? null),
  };
}

function namedFigure(
  name: string,
  { of, frame, side }: { of: string | null; frame: QueryFrame; side: number },
): RowFigure | ConditionRefusal {
  if (name === "row" || name === "turn") return { of: name };
  const plain = sideFigures.find((each) => each === name);
  if (plain !== undefined) return { of: plain, side };
  if (name === "diff") return frame.pairs.length === 0 ? nothingCompared(name) : { of: "distance" };
  if (name === "change") {
    if (frame.pairs.length === 0) return nothingCompared(name);
    const known = sideFigures.find((each) => each === of);
    if (known !== undefined) return { of: "change", figure: known };
  }
  const metric = of === null ? 0 : frame.metrics.findIndex((each) => each.name === of);
  if (metric === -1 || metric >= frame.metrics.length) {
    const all = [...frame.metrics.map((each) => each.name), ...(name === "change" ? sideFigures : [])];
    const known =
      all.length === 0 ? "Nothing is scored." : `There is: ${all.map((each) => `${name}:${each}`).join(", ")}.`;
    return { refused: of === null ? "nothing is scored" : `there is no score \`${of}\``, hint: known };
  }
  return name === "change" ? { of: "change", figure: { metric } } : { of: "score", side, metric };
}

function nothingCompared(name: string): ConditionRefusal {
  return { refused: `\`${name}\` is of two targets, and nothing is compared here`, hint: null };
}

/** Null: `none`, where no number is known; undefined: it is no number. */
function numberOf(given: string, isTime: boolean): number | null | undefined {
  if (given.toLowerCase() === "none") return null;
  if (isTime) {
    const [, sign = "", amount = ""] = /^([-+]?)(.*)$/su.exec(given) ?? [];
    const ms = /^0+(?:\.0+)?(?:ms|s|m|h)?$/u.test(amount)
      ? 0
      : durationPattern.test(amount)
        ? durationMs(amount)
        : null;
    return ms === null ? undefined : sign === "-" ? -ms : ms;
  }
  const [, number, percent] = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?)(%)?$/iu.exec(given) ?? [];
  if (number === undefined) return undefined;
  return percent === undefined ? Number(number) : Number(number) / 100;
}

const orders: Partial<Record<Operator, (number: number, value: number) => boolean>> = {
  "<": (number, value) => number < value,
  "<=": (number, value) => number <= value,
  ">": (number, value) => number > value,
  ">=": (number, value) => number >= value,
};

/** True where a number is as a test wants it; null: no number is known. */
export function holdsNumber({ operator, values }: NumberTest, number: number | null): boolean {
  if (operator === "!=") return values.every((value) => value !== number);
  const holds = orders[operator];
  if (holds === undefined) return values.includes(number);
  return number !== null && values.some((value) => value !== null && holds(number, value));
}

/** True where a text is as a test wants it. */
export function holdsText(test: TextTest, given: string): boolean {
  return test.operator === "==" ? test.values.includes(given) : holdsFolded(test, folded(given));
}

/** The same for a text that is folded, by a test of any operator but `==`. */
export function holdsFolded({ operator, values }: TextTest, text: string): boolean {
  if (operator === "!=") return values.every((value) => !isSameText(text, value));
  if (operator === "=") return values.some((value) => isSameText(text, value));
  if (operator === "!~") return values.every((value) => !text.includes(value));
  if (operator === "~" || operator === ":") return values.some((value) => text.includes(value));
  return values.some((value) => isInOrder(operator, text, value));
}

/** The same number where both are numbers, else the same text; both are folded. */
function isSameText(text: string, value: string): boolean {
  const [own, wanted] = [writtenNumber(text), writtenNumber(value)];
  return own !== null && wanted !== null ? own === wanted : text === value;
}

/** By number where the value is one (a text that is none is not wanted), else by text. */
function isInOrder(operator: Operator, text: string, value: string): boolean {
  const [own, wanted] = [writtenNumber(text), writtenNumber(value)];
  if (wanted !== null) return own !== null && holdsNumber({ operator, values: [wanted] }, own);
  const order = text < value ? -1 : text > value ? 1 : 0;
  return text !== "" && holdsNumber({ operator, values: [0] }, order);
}

/** The number that a text is; null: it is none. */
function writtenNumber(text: string): number | null {
  // Anybody's answers come here: of a longer text the pattern would take time with the square of its length.
  return text.length <= 400 && /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : null;
}

/** Columns of a sheet that a query may name: the first ones. */
export const queriedColumns = (names: readonly string[]): string[] => names.slice(0, mostColumns);

const mostColumns = 120;

/** The names that queries over the rows of a summary may use. */
export function queryFrame(
  summary: Pick<ReportSummary, "targets" | "pairs" | "metrics" | "tags" | "columns">,
): QueryFrame {
  return { ...frameOf(summary), tags: Object.keys(summary.tags), columns: summary.columns ?? [] };
}

/** The sides of the pair that is shown, by their places; null: nothing is compared. */
export function sidesOfPair(
  { targets, pairs }: Pick<ReportFrame, "targets" | "pairs">,
  pair: number,
): { baseline: number; candidate: number } | null {
  const compared = pairs[pair];
  if (compared === undefined) return null;
  return { baseline: targets.indexOf(compared.baseline), candidate: targets.indexOf(compared.candidate) };
}

/**
 * The filters that all rows of a query meet, apart from its other conditions: beside a filter stands the number of rows that
 * it would find within those.
 */
export function filtersApart(query: Query<RowCondition>): { filters: RowFilter[]; rest: Query<RowCondition> } {
  const parts = query.kind === "all" ? query.parts : [query];
  return {
    filters: parts.flatMap((part) => filterOf(part) ?? []),
    rest: { kind: "all", parts: parts.filter((part) => filterOf(part) === null) },
  };
}

const filterOf = (part: Query<RowCondition>): RowFilter | null =>
  part.kind === "condition" && part.condition.ask === "filter" ? part.condition.filter : null;

/** True where a query asks about texts of the rows, which an index keeps in a file of their own. */
export function searchesTexts(query: Query<RowCondition>): boolean {
  return leavesOf(query).some(
    (leaf) => leaf.kind === "words" || leaf.condition.ask === "text" || leaf.condition.ask === "column",
  );
}

/** The words for labels that a query asks about. */
export function labelsAsked(query: Query<RowCondition>): LabelChoice[] {
  return leavesOf(query).flatMap((leaf) =>
    leaf.kind === "condition" && leaf.condition.ask === "labelled" ? leaf.condition.choices : [],
  );
}
