import { expect, test } from "vitest";
import { graded } from "./graded.ts";

/** What is wanted of these answers, by each scorer: of a text, of an empty one, and of one that is not there. */
const checks: Record<string, { scorer: string; grades: (string | number)[] }> = {
  length: { scorer: "type: length, max: 3", grades: ["fail", "pass", "pass"] },
  words: { scorer: "type: length, unit: words", grades: [1, 0, 0] },
  has: { scorer: "type: contains", grades: ["pass", "fail", "fail"] },
  lacks: { scorer: "type: contains, value: fish, not: true", grades: ["fail", "pass", "pass"] },
  "lacks-any": { scorer: "type: contains-any, value: [fish, cow], not: true", grades: ["fail", "pass", "pass"] },
  all: { scorer: "type: contains-all, value: [fi, sh]", grades: ["pass", "fail", "fail"] },
  regex: { scorer: "type: regex, value: '^$'", grades: ["fail", "pass", "pass"] },
  equals: { scorer: "type: equals, value: ''", grades: ["fail", "pass", "pass"] },
  "equals-exactly": { scorer: "type: equals, value: '', exact: true", grades: ["fail", "pass", "pass"] },
  differs: { scorer: "type: equals, value: '', not: true", grades: ["pass", "fail", "fail"] },
  "no-start": { scorer: "type: starts-with, value: fi, not: true", grades: ["fail", "pass", "pass"] },
  "no-json": { scorer: "type: is-json, not: true", grades: ["pass", "pass", "pass"] },
  number: { scorer: "type: numeric, value: 7, not: true", grades: ["pass", "pass", "pass"] },
  edits: { scorer: "type: edit-distance", grades: [0, 4, 4] },
  refusal: { scorer: "type: refusal, not: true", grades: ["pass", "pass", "pass"] },
  "not-empty": { scorer: "type: not-empty", grades: ["pass", "fail", "fail"] },
};
const scorers = Object.entries(checks).map(([name, { scorer }]) => `{ name: ${name}, ${scorer} }`);
const wanted = Object.fromEntries(Object.entries(checks).map(([name, { grades }]) => [name, grades]));

/** The kinds of answer of these rows, and most others that have one, so that the run is valid. */
const answers = ["fish", "", null, ...Array.from({ length: 40 }, () => "fish")];
const firstThree = (grades: Record<string, (string | number)[]>) =>
  Object.fromEntries(Object.entries(grades).map(([name, each]) => [name, each.slice(0, 3)]));

test("an empty answer, and one that is not there, are a text of length 0 to checks of text", async () => {
  const { grades, said } = await graded(
    answers.map((answer) => ({ answer, expected: "fish" })),
    scorers,
  );
  expect(firstThree(grades)).toEqual(wanted);
  expect(said).not.toContain("Without a grade");
});
