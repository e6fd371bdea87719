import { describe, expect, test } from "vitest";
import { askedColor, isColored } from "../../src/cli/color.ts";

describe("the wish for colours", () => {
  test.each([
    ["run suite.yaml", "auto", "run suite.yaml"],
    ["--color never run suite.yaml", "never", "run suite.yaml"],
    ["run --color=always suite.yaml", "always", "run suite.yaml"],
    ["run suite.yaml --no-color", "never", "run suite.yaml"],
    ["run --no-color --color auto", "auto", "run"],
    ["run -- --color never", "auto", "run -- --color never"],
  ])("is read wherever it stands: %s", (line, mode, rest) => {
    expect(askedColor(line.split(" "))).toEqual({ mode, words: rest.split(" "), fault: null });
  });

  test.each(["--color run", "--color=", "--color", "--color=Always"])("that is none is refused: %s", (line) => {
    expect(askedColor(line.split(" ")).fault).toMatchObject({ code: "USAGE" });
  });

  test("wins over NO_COLOR, that over FORCE_COLOR, and that over the terminal", () => {
    const both = { NO_COLOR: "1", FORCE_COLOR: "1" };
    expect(isColored("always", false, both)).toBe(true);
    expect(isColored("never", true, { FORCE_COLOR: "1" })).toBe(false);
    expect(isColored("auto", true, both)).toBe(false);
    expect(isColored("auto", false, { NO_COLOR: "", FORCE_COLOR: "1" })).toBe(true);
    expect(isColored("auto", true, { FORCE_COLOR: "0" })).toBe(false);
    expect(isColored("auto", true, { TERM: "dumb" })).toBe(false);
    expect(isColored("auto", true, {})).toBe(true);
    expect(isColored("auto", false, {})).toBe(false);
  });
});
