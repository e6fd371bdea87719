/** Tables that a merge copies, and those that have nothing of a batch. Whoever adds a table decides here, and in store/merge. */
export const copied = [
  "second_look",
  "attempt",
  "batch",
  "case",
  "change",
  "job",
  "outage",
  "pace",
  "run_record",
  "sending",
  "target",
  "asked",
  "graded_by",
  "drawn_case",
  "label",
  "label_draw",
  "pairwise_label",
  "question",
  "score",
  "scoring",
];
// Workers have whole batches, a merged one notes its own parts, pins name them, a merged batch is compared anew, and what is acknowledged is of a suite.
export const apart = [
  "acknowledgement",
  "at_workers",
  "comparison",
  "merged",
  "night_lock",
  "pin",
  "pin_batch",
  "rate_slot",
];
