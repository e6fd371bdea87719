import { gradersColumn } from "../../lib/graders-column.ts";

/** A tag as a reader knows it: one that tandem wrote itself has a plain name. */
export const tagName = (tag: string): string => (tag === gradersColumn ? "grader" : tag);

/** A value of a tag that a gate or a score is of; null: it is of all cases. */
type OfValue = { tag: string; value: string } | null;

/** ` where kind is typo`, behind what is said of those cases; empty for all. */
export const whereWords = (of: OfValue): string => (of === null ? "" : ` where ${tagName(of.tag)} is ${of.value}`);

/** `, kind typo`, behind a name; empty for all cases. */
export const ofValue = (of: OfValue): string => (of === null ? "" : `, ${tagName(of.tag)} ${of.value}`);
