import type { RowFilter } from "../../../report/model/row-filters.ts";
import { conditionsOf, type EditedQuery, withCondition, without } from "../../../report/query/query-edit.ts";
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

type LabelCondition = Extract<RowCondition, { ask: "labelled" }>;

const isLabelChoice = (condition: RowCondition): condition is LabelCondition =>
  condition.ask === "labelled" && !condition.isNot && condition.choices.length === 1;
