import { expect, test } from "vitest";
import { folderFlag } from "../../src/lib/paths/results-folder.ts";
import { toResume } from "../../src/store/store-failure.ts";

test("a command names the folder of results where it is not the usual one, as one word of a shell", () => {
  expect(["results", "./results", "old results", "it's"].map(folderFlag)).toEqual([
    "",
    " --results ./results",
    " --results 'old results'",
    String.raw` --results 'it'\''s'`,
  ]);
});

test("so does the command that goes on when the database fails", () => {
  expect(toResume("old results/tandem.db").next).toBe("continue with `tandem resume --results 'old results'`");
});
