import { expect, test } from "vitest";
import { shortNames } from "../../src/report/text/short-names.ts";
import { displayWidth } from "../../src/report/text/width.ts";

const short = (names: string[], width: number): string[] =>
  shortNames(
    names,
    names.map(() => width),
  );

test("names keep their ends while these tell them apart", () => {
  expect(short(["production:support-a", "production:support-b"], 12)).toEqual(["…n:support-a", "…n:support-b"]);
  expect(short(["a", "b"], 12)).toEqual(["a", "b"]);
});

test("names of a matrix lose what all share, and the names of values, before two look the same", () => {
  const prompts = ["हिन्दी-में-उत्तर-दें", "formal-and-long"];
  const names = ["careful", "strict"].flatMap((bot) =>
    ["temperature=0", "temperature=0.5"].flatMap((heat) => prompts.map((prompt) => `prod:${bot}:${heat}:${prompt}`)),
  );
  const cut = short(names, 16);
  expect(new Set(cut).size).toBe(8);
  expect(Math.max(...cut.map(displayWidth))).toBeLessThanOrEqual(16);
  expect(cut[7]).toBe("strict:0.5:form…");
  expect(cut.every((name) => !name.includes("prod"))).toBe(true);
});

test("names that no cut of this kind tells apart keep their ends", () => {
  expect(short(["aaaaaaaaaaaaaaaa1xxxxxxxx", "aaaaaaaaaaaaaaaa2xxxxxxxx"], 8)).toEqual(["…xxxxxxx", "…xxxxxxx"]);
});
