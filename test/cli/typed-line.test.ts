import { expect, test } from "vitest";
import { bashText, readTypedLine } from "../../src/cli/completion/complete.ts";

const breaks = " \t\n\"'@><=;|&(:";

test.each([
  ["tandem run ", ["tandem", "run"], "", 0, ""],
  ["tandem run  my\\ suite", ["tandem", "run"], "my suite", 0, ""],
  ["tandem run 'my su", ["tandem", "run"], "my su", 0, "'"],
  ['tandem pin "a\\$b\\c', ["tandem", "pin"], "a$b\\c", 0, '"'],
  ["tandem compare nightly:pr", ["tandem", "compare"], "nightly:pr", 8, ""],
  ["tandem compare nightly:'pr", ["tandem", "compare"], "nightly:pr", 8, "'"],
  ["tandem run --results=o", ["tandem", "run"], "--results=o", 10, ""],
  ["tandem run '' x", ["tandem", "run", ""], "x", 0, ""],
])("a line of bash is read as its words: %s", (line, words, current, kept, quote) => {
  expect(readTypedLine(line, breaks)).toEqual({ words, current, kept, quote });
});

test("a name is written so that bash reads it as one word: behind a backslash, or as the open quote asks for", () => {
  const typed = { words: [], current: "", kept: 0 };
  expect(bashText("my suite", { ...typed, quote: "" })).toBe("my\\ suite");
  expect(bashText("हिन्दी-1", { ...typed, quote: "" })).toBe("हिन्दी-1");
  expect(bashText("~root", { ...typed, quote: "" })).toBe("\\~root");
  expect(bashText("$(rm)`it's`", { ...typed, quote: "" })).toBe("\\$\\(rm\\)\\`it\\'s\\`");
  expect(bashText("it's", { ...typed, quote: "'" })).toBe("it'\\''s");
  expect(bashText('$x"', { ...typed, quote: '"' })).toBe('\\$x\\"');
  expect(bashText("nightly:prod", { ...typed, kept: 8, quote: "" })).toBe("prod");
});
