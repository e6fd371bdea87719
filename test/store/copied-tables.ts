import { batchRows } from "../../src/store/rows.ts";

/** Tables that a copy of a batch takes, and a merge but for `merged`: a merged batch notes its own parts. */
export const copied = Object.entries(batchRows).flatMap(([table, { stays }]) =>
  stays === true || table === "merged" ? [] : [table],
);

/** Tables that have nothing of a batch, and those that stay with it. */
export const apart = [
  "acknowledgement",
  "merged",
  "night_lock",
  "judge_kept",
  "judge_night",
  "pin",
  "pin_batch",
  "rate_slot",
  ...Object.entries(batchRows).flatMap(([table, { stays }]) => (stays === true ? [table] : [])),
];
