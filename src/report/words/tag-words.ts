import { gradersColumn } from "../../lib/graders-column.ts";

/** A tag as a reader knows it: one that tandem wrote itself has a plain name. */
export const tagName = (tag: string): string => (tag === gradersColumn ? "grader" : tag);
