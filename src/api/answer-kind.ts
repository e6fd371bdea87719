/**
 * Kinds of answer in an `ok` record. `warning`: error text beside a valid return value; `refusal`: the model declined, in
 * a member of its own; `tool-calls`: it asks for functions to be called, and says nothing.
 */
export type AnswerKind = "answered" | "empty" | "truncated" | "function-error" | "warning" | "refusal" | "tool-calls";
