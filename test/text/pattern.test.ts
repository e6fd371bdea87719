import { describe, expect, test } from "vitest";
import { guardedPattern } from "../../src/text/pattern.ts";
import { patternWork } from "../../src/text/pattern-work.ts";
import { slowTest } from "../often.ts";

/** Each takes half a second of CPU until it is given up. */
const endless: [source: string, text: string][] = [
  ["(.*)*(.*)*(.*)*=", "x".repeat(60)],
  [".*.*.*=.*", "=".repeat(50_000).replaceAll("=", "y")],
  ["^(a|a)*$", `${"a".repeat(40)}!`],
  ["^(a|aa)+$", `${"a".repeat(60)}!`],
  ["(x+x+)+y", "x".repeat(40)],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(60)],
  ["^(\\w+\\s?)*$", `${"word ".repeat(20)}!`],
];

describe("a pattern that cannot stop the program", () => {
  slowTest.each(endless)("%s is given up or found in time", endsInTime);

  test.each([["(?:a?){40}a{40}", "a".repeat(39)]])("%s is given up or found in time", endsInTime);

  slowTest("is not tried for ever on text after text", () => {
    const pattern = guardedPattern("^(a+)+$", "");
    const text = `${"a".repeat(40)}!`;
    for (let i = 0; i < 3; i++) expect(pattern.find(text)).toHaveProperty("gaveUp");
    expect(pattern.find(text)).toMatchObject({ gaveUp: expect.stringContaining("not tried again") });
    // Texts that surely end in time are searched all the same.
    expect(pattern.find("b")).toBeNull();
  });

  test("finds what any pattern finds, in time or under the limit", () => {
    expect(guardedPattern("\\d{4}-\\d{2}", "").find("on 2026-11")).toBe("2026-11");
    expect(guardedPattern("(?:foo|bar)+", "i").find("xFOObary")).toBe("FOObar");
    expect(guardedPattern("^(a+)+$", "").find("aaa")).toBe("aaa");
    expect(guardedPattern("(?<y>\\d+)-\\k<y>", "").find("7-7")).toBe("7-7");
    expect(guardedPattern("[\\p{L}--[a-z]]", "v").find("abcD")).toBe("D");
    expect(guardedPattern("\\-x", "").find("a-x")).toBe("-x");
    expect(guardedPattern("😀.", "").find("😀😁")).toBe("😀😁");
    expect(guardedPattern("x", "").find("y")).toBeNull();
    expect(() => guardedPattern("(", "")).toThrow(SyntaxError);
  });

  test("is known to be quick by its form", () => {
    const isQuick = (source: string, length: number): boolean => patternWork(source, false)(length) <= 1e8;
    expect(isQuick("\\b\\d{4}-\\d{2}-\\d{2}\\b", 200_000)).toBe(true);
    expect(isQuick("[(]{2}(a|b|c)[^)]*", 1_000)).toBe(true);
    expect(isQuick("^Dear .*, thank you", 1_000)).toBe(true);
    expect(isQuick("(a*)*", 10)).toBe(false);
    expect(isQuick(".*.*.*", 10_000)).toBe(false);
  });
});

function endsInTime(source: string, text: string): void {
  const found = guardedPattern(source, "").find(text);
  expect(found === null || typeof found === "object").toBe(true);
}
