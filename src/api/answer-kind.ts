/** Kinds of answer in an `ok` record. `warning`: error text beside a valid return value. */
export type AnswerKind = "answered" | "empty" | "truncated" | "function-error" | "warning";
