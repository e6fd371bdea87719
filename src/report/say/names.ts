import { gradersColumn } from "../../lib/graders-column.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { type SliceName, type TagValue, valuesOf } from "../../compare/slice-name.ts";
import { isMadeKey } from "../../compare/cases/made-key.ts";
import type { ReportRow } from "../shape/row.ts";
import type { ReportTarget } from "../shape/target.ts";
import { number } from "./quantity.ts";

/** The names of targets for people: `prod of 19 November` for one of another batch. */
export function targetNamer({ targets }: NamedTargets): (target: string) => string {
  const labels = new Map(targets.map(({ name, label = name }) => [name, label]));
  return (target) => labels.get(target) ?? target;
}

/** Targets with the names that people know them by. */
export interface NamedTargets {
  targets: readonly Pick<ReportTarget, "name" | "label">[];
}

/** A tag as a reader knows it: one that tandem wrote itself has a plain name. */
export const tagName = (tag: string): string => (tag === gradersColumn ? "grader" : tag);

/** ` where kind is typo`, behind what is said of those cases; empty for all. */
export const whereWords = (of: TagValue | null): string =>
  of === null ? "" : ` where ${tagName(of.tag)} is ${of.value}`;

/** `, kind typo`, behind a name; empty for all cases. */
export const ofValue = (of: TagValue | null): string => (of === null ? "" : `, ${tagName(of.tag)} ${of.value}`);

/** The rows of a slice: `language = hi`, or `language = hi and category = fees`. */
export const sliceWords = ({ and = null, ...first }: TagValue & Partial<SliceName>): string =>
  valuesOf({ ...first, and })
    .map(({ tag, value }) => `${tagName(tag)} = ${value}`)
    .join(" and ");

/** The place of a row as its reader knows it: `row 12`, of several files `b.csv row 12`; empty where it is of none. */
export function rowWords({ row, file }: Pick<ReportRow, "row" | "file">): string {
  if (row === null) return "";
  return file === null ? `row ${row}` : `${file} row ${row}`;
}

/** `row 3`, `rows 3 and 7`, `rows 3, 7, 11 and 17 more` of `all`; each with its file where there are several. Empty where none is of a file. */
export function rowsWords(rows: readonly Pick<ReportRow, "row" | "file">[], all = rows.length): string {
  const places = rows.flatMap(({ row, file }) =>
    row === null ? [] : [file === null ? `${row}` : `${file} row ${row}`],
  );
  if (places.length === 0) return "";
  const left = all - places.length;
  const list = left > 0 ? [...places, `${number(left)} more`] : places;
  const named = sentenceList(list);
  const [first] = rows;
  if (first !== undefined && first.file !== null) return named;
  return `${list.length === 1 ? "row" : "rows"} ${named}`;
}

/**
 * The key of a row where it tells a reader something: one that we made stands only in the place of a row number and a question
 * that are both missing. Empty otherwise.
 */
export function keyWords({ key, row, question }: Pick<ReportRow, "key" | "row"> & { question: string }): string {
  return isMadeKey(key) && (row !== null || question.trim() !== "") ? "" : key;
}

/** The metric of a count or a list, where the verdict beside it is about another; else null. */
export const otherMetric = (metric: string | null | undefined, decidedBy: string | null): string | null =>
  metric === undefined || metric === decidedBy || decidedBy === null ? null : metric;
