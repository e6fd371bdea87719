import { expect, test } from "vitest";
import { endOf, isStoredOutcome, outcomeEntries, statusMeanings } from "../../src/api/outcomes.ts";

test("an outcome of a newer tandem keeps its word, and counts as a failure of which nothing more is known", () => {
  const counts: Record<string, number> = { quota: 2, constructor: 1 };
  expect(outcomeEntries(counts)).toEqual([
    ["quota", 2],
    ["constructor", 1],
  ]);
  for (const text of Object.keys(counts)) expect(isStoredOutcome(text) && endOf(text)).toEqual(endOf("rejected"));
});

test("a suite may give a status the meanings that a status can have, in the order of the page", () => {
  expect(statusMeanings.join(" ")).toBe("auth credits target throttled run-failed rejected ambiguous");
});
