import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonText } from "../../src/dataset/table/json-text.ts";

describe("JSON in a cell", () => {
  test.each([
    ['{"a": 1,}', 'unexpected "}" at character 9'],
    ["{'a': 1}", `unexpected "'" at character 2`],
    ["[1 2]", 'unexpected "2" at character 4'],
    ['[{"role": user}]', 'unexpected "user" at character 11'],
    ['["नमस्ते", हाँ]', 'unexpected "हाँ" at character 12'],
    ['["😀😀" x', 'unexpected "x" at character 7'],
    ['{"a":\n [01]}', 'unexpected "1" at line 2, character 4'],
    ['["open', "it ends too early (character 7)"],
    ["[1,", "it ends too early (character 4)"],
    ["[] []", 'unexpected "[" at character 4'],
    ['["a\nb"]', "unexpected line end at character 4"],
  ])("that is wrong has a position: %j", (text, message) => {
    expect(parseJsonText(text)).toEqual({ ok: false, message });
  });

  test("that is right is parsed, whatever it holds", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJsonText(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test("that was cut off anywhere has its fault where it was cut or before", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const cut = text.slice(0, at % Math.max(1, text.length));
        const parsed = parseJsonText(cut);
        expect(parsed.ok ? "character 0" : parsed.message).toMatch(/character \d+/);
      }),
    );
  });

  test("nested without end is refused without an end of the stack", () => {
    expect(parseJsonText("[".repeat(200_000))).toMatchObject({ ok: false });
  });
});
