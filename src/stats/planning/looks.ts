/**
 * Levels of two looks at one comparison, as shares of its alpha. Two that were declared before the first have the same level;
 * where nothing was declared the first has spent it, and a second one has a fifth. Counted by `npm run bench -- --simulate --only looks`.
 */
export const lookShares = { declared: 0.6, second: 0.2 };

/** New cases of a second look that was declared, as a multiple of those of the first, for which its level was counted. */
export const mostNewCases = 2;

/** Runs of a row that tell an answer that differs by chance from one that changed. */
export const repeatsThatTell = 3;
