/**
 * Kinds of answer in an `ok` record, and whether each is sound: with it the target has said what it has to say. `warning`:
 * error text beside a valid return value; `refusal`: the model declined, in a member of its own; `tool-calls`: it asks for
 * functions to be called, and says nothing.
 */
const soundness = {
  answered: true,
  empty: false,
  truncated: true,
  "function-error": false,
  warning: true,
  refusal: true,
  "tool-calls": true,
} as const;

export type AnswerKind = keyof typeof soundness;

export function isAnswerKind(text: unknown): text is AnswerKind {
  return typeof text === "string" && Object.hasOwn(soundness, text);
}

/** True for an answer with which a target has said what it has to say. */
export function isSoundKind(kind: AnswerKind): boolean {
  return soundness[kind];
}

/** The kinds of answer that are not sound. */
export const unsoundKinds: readonly string[] = Object.entries(soundness).flatMap(([kind, isSound]) =>
  isSound ? [] : [kind],
);
