import type { RowFilter } from "../../../report/model/row-filters.ts";
import {
  conditionsOf,
  type EditedQuery,
  scoreCondition,
  withCondition,
  without,
} from "../../../report/query/query-edit.ts";
import { queryValue } from "../../../report/query/query-text.ts";
import { queryFrame, type RowCondition, rowVocabulary } from "../../../report/query/row-conditions.ts";
import type { LabelChoice } from "../../../report/query/row-terms.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";

/** A condition that has no button of its own. */
export interface OtherCondition {
  condition: RowCondition;
  /** As it stands in the query. */
  text: string;
}

/**
 * The buttons and lists beside the box of a query: they show what the query says, and a click writes into it. Each change is the
 * text of the query after it.
 */
export interface AskedBeside {
  filters: readonly RowFilter[];
  /** One filter alone; null: none. */
  withFilter: (filter: RowFilter | null) => string;
  /** Null: rows may be labelled or not. */
  labelled: LabelChoice | null;
  withLabelled: (choice: LabelChoice | null) => string;
  others: readonly OtherCondition[];
  without: (other: OtherCondition) => string;
}

export function askedBeside(summary: ReportSummary, candidate: number, text: string): AskedBeside {
  const query: EditedQuery = { text, vocabulary: rowVocabulary(queryFrame(summary), candidate) };
  const all = conditionsOf(query);
  const labelled = all.map(({ condition }) => condition).find(isLabelChoice) ?? null;
  const has = (condition: RowCondition): boolean => condition.ask === "filter" || condition === labelled;
  const replaced = (isOld: (condition: RowCondition) => boolean, written: string): string => {
    const rest = { ...query, text: without(query, isOld) };
    return written === "" ? rest.text : withCondition(rest, written);
  };
  return {
    filters: all.flatMap(({ condition }) => (condition.ask === "filter" ? [condition.filter] : [])),
    withFilter: (filter) => replaced(({ ask }) => ask === "filter", filter ?? ""),
    labelled: labelled?.choices[0] ?? null,
    withLabelled: (choice) => replaced(isLabelChoice, choice === null ? "" : `labelled:${choice}`),
    others: all.filter(({ condition }) => !has(condition)),
    without({ text: unwanted }) {
      const other = all.find((each) => each.text === unwanted)?.condition;
      const wanted = JSON.stringify(other);
      return without(query, (condition) => JSON.stringify(condition) === wanted);
    },
  };
}

/** A condition on a score that the head of its column offers. */
interface ScoreChoice {
  name: string;
  /** As it stands in the query. */
  text: string;
  isChosen: boolean;
}

/** The conditions on a score, of which a query has one at most. */
export interface AskedOfScore {
  choices: readonly ScoreChoice[];
  /** A comparison with a value as it stands in the query; null: passes and fails are no values. */
  compared: ((test: string) => string) | null;
  /** The query with one of them, or with none of them. */
  withCondition: (condition: string | null) => string;
  isNarrowed: boolean;
}

/** `side` and `metric`: places of the target and the metric whose score it is. */
export function askedOfScore(
  summary: ReportSummary,
  { candidate, text, side, metric }: { candidate: number; text: string; side: number; metric: number },
): AskedOfScore {
  const { metrics, targets, pairs, verdict } = summary;
  const query: EditedQuery = { text, vocabulary: rowVocabulary(queryFrame(summary), candidate) };
  const about = metrics[metric];
  const name = targets[side]?.name ?? "";
  const isCandidate = pairs[candidate]?.candidate === name;
  const written = (test: string): string =>
    scoreCondition(
      {
        metric: metric === 0 ? null : (about?.name ?? ""),
        target: isCandidate || targets.length === 1 ? null : name,
      },
      test,
    );
  const isAbout = (condition: RowCondition): boolean => {
    if (condition.ask === "filter") return isCandidate && metric === 0 && turnFilters.has(condition.filter);
    if (condition.ask !== "figure") return false;
    const { figure } = condition;
    if (figure.of === "score") return figure.side === side && figure.metric === metric;
    return (
      isCandidate && figure.of === "change" && typeof figure.figure === "object" && figure.figure.metric === metric
    );
  };
  const turned = (turn: "worse" | "better"): string => {
    if (metric === 0) return turn;
    const isBelow = (turn === "worse") !== (about?.lowerIsBetter === true);
    return `change:${queryValue(about?.name ?? "")}${isBelow ? "<" : ">"}0`;
  };
  const offered = [
    ...(about?.passes === true
      ? [
          ["pass", written("=100%")],
          ["fail", written("<100%")],
        ]
      : []),
    ...(isCandidate && verdict.state !== "invalid"
      ? [
          ["worse", turned("worse")],
          ["better", turned("better")],
        ]
      : []),
    ["no score", written("=none")],
  ] as const;
  const chosen = conditionsOf(query).filter(({ condition }) => isAbout(condition));
  const meaning = (condition: string): string =>
    JSON.stringify(conditionsOf({ ...query, text: condition }).map((each) => each.condition));
  const now = JSON.stringify(chosen.map(({ condition }) => condition));
  return {
    choices: offered.map(([word = "", condition = ""]) => ({
      name: word,
      text: condition,
      isChosen: meaning(condition) === now,
    })),
    compared: about?.passes === true ? null : written,
    withCondition: (condition) => {
      const rest = { ...query, text: without(query, isAbout) };
      return condition === null ? rest.text : withCondition(rest, condition);
    },
    isNarrowed: chosen.length > 0,
  };
}

const turnFilters: ReadonlySet<RowFilter> = new Set(["worse", "better"]);

type LabelCondition = Extract<RowCondition, { ask: "labelled" }>;

const isLabelChoice = (condition: RowCondition): condition is LabelCondition =>
  condition.ask === "labelled" && !condition.isNot && condition.choices.length === 1;
