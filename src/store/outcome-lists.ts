import { endsWhere, outcomesWhere } from "../api/outcomes.ts";

/** Names as a list in SQL; they are ours. */
const sqlList = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");

/** Attempts that count against `retries` of their job. */
export const triesSql = sqlList(outcomesWhere(({ countsAsTry }) => countsAsTry));

/** Attempts that nobody let through: they cannot have cost anything. */
export const unspentSql = sqlList(outcomesWhere(({ spends }) => !spends));

/** Attempts with which the service asked to slow down. */
export const slowedSql = sqlList(outcomesWhere(({ slowsDown }) => slowsDown));

/** Attempts whose refusal stops a target or its deployment. */
export const refusedSql = sqlList(outcomesWhere(({ next }) => next === "stop-target" || next === "stop-deployment"));

/** Jobs of which nobody knows what became of their request. */
export const inDoubtSql = sqlList(endsWhere(({ inDoubt }) => inDoubt));

/** Jobs of which no answer was due. */
export const notDueSql = sqlList(endsWhere(({ due }) => !due));

/** Jobs that are kept until somebody decides. */
export const openSql = sqlList(endsWhere(({ open }) => open));

const answered = new Set<string>(outcomesWhere(({ next, wrongRequest }) => next === "finish" && !wrongRequest));

/** Jobs that were asked and ended without an answer, of which nothing is to be decided any more. */
export const failedSql = sqlList(endsWhere(({ says, open }) => says && !open).filter((end) => !answered.has(end)));

/** Turns that were not sent because an earlier one of their conversation has no answer. */
export const followingSql = sqlList(endsWhere(({ follows }) => follows));
