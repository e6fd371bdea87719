/** With fewer rows a loss of five points can hide though none newly fails: 0.95^59 < 5 %. */
export const fewestRows = 59;

/** Runs of each row where these rows alone decide: one that fails once by chance is told from one that always fails. */
export const runsOfFewRows = 3;

export const fewRowsComments = {
  repeats: "# Asked three times, a row that fails once by chance is told from one that always fails.",
  gates: (rows: number, inAll: string): string =>
    `# What decides: a row that newly fails${inAll}. That tells of these ${rows} rows; from ${fewestRows} on, a margin tells of others as well.`,
};
