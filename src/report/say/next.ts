import type { StepRows } from "../shape/next-step.ts";
import { badByPeople } from "./people.ts";

/** Rows that a next step leads to, as its words name them. */
export const stepRows: Record<StepRows, string> = {
  worse: "the rows that got worse",
  "not-holding": "the rows that do not hold",
  "bad-by-people": badByPeople,
  disputed: "the rows on which they disagree",
  changed: "what changed",
  answers: "the answers",
};
