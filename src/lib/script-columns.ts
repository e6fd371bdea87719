/** Columns that the rows of a scripted conversation get: the number of the turn, and what the user says in it. */
export const scriptColumns = { turn: "__turn", prompt: "__prompt" } as const;
