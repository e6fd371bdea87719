/** Kinds of answer in an `ok` record, and whether each is sound: with it the target has said what it has to say. */
export const soundness = {
  /** It has an answer. */
  answered: true,
  /** It has none. */
  empty: false,
  /** The answer was cut off. */
  truncated: true,
  /** The function threw an error. */
  "function-error": false,
  /** It has error text beside a valid return value. */
  warning: true,
  /** The model declined, in a member of its own. */
  refusal: true,
  /** It asks for functions to be called, and says nothing. */
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
