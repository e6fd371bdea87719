/**
 * Columns that the rows of a conversation get: the number of the turn, the text of the user in it, and where the
 * conversation is a list of messages also the answer of the turn, the messages before the first turn, and a name.
 */
export const scriptColumns = {
  turn: "__turn",
  prompt: "__prompt",
  answer: "__answer",
  opening: "__opening",
  conversation: "__conversation",
} as const;
