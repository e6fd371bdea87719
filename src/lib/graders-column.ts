/** Column of a suite made of promptfoo's tests: a tag with the names of the scorers that grade a row. No variable of a test begins like it. */
export const gradersColumn = "__graders";
