import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePath } from "../../src/score/contract/json-path.ts";

const store = {
  output_text: ["one", "two"],
  references: [
    { url: "https://a.example", title: "A", score: 0.9 },
    { url: "https://b.example", title: "B" },
    { url: "https://c.example", title: "C", score: 0.1 },
  ],
  क्षेत्र: { "odd name": { a: [0, 1, 2, 3, 4] } },
  variables: { deep: { url: "https://d.example" } },
};

describe("a JSON path", () => {
  test.each<[string, unknown[]]>([
    ["output_text[0]", ["one"]],
    ["$.output_text[-1]", ["two"]],
    ["output_text[5]", []],
    ["$", [store]],
    ["references[*].title", ["A", "B", "C"]],
    ["references[0,2].title", ["A", "C"]],
    ["$..url", ["https://a.example", "https://b.example", "https://c.example", "https://d.example"]],
    ["क्षेत्र['odd name'].a[1:3]", [1, 2]],
    ['क्षेत्र["odd name"].a[::-2]', [4, 2, 0]],
    ["$['क्षेत्र'][*].a[-2:]", [3, 4]],
    ["references[?@.score > 0.5].title", ["A"]],
    ["references[?(@.score)].title", ["A", "C"]],
    ["references[?!@.score].title", ["B"]],
    ["references[?@.title == 'A' || @.score < 0.2].url", ["https://a.example", "https://c.example"]],
    ["references[?@.title != $.output_text[0] && @.title >= 'B'].title", ["B", "C"]],
    ["references[?@.missing == null].title", []],
    ["$.constructor", []],
    ["__proto__", []],
  ])("%s", (path, found) => expect(compilePath(path).values(store)).toEqual(found));

  test.each([
    ["", "its end"],
    ["a[", "its end"],
    ["a[b]", '"b]"'],
    ["a.", "its end"],
    ["a b", '" b"'],
    ["a[?@.x ==]", '"]"'],
    ["a['\\x']", "escapes"],
  ])("%s is refused with its place", (path, part) => expect(() => compilePath(path)).toThrow(part));

  test("leads to one value at most, or not", () => {
    expect(compilePath("a[0]['b']").singular).toBe(true);
    expect(compilePath("a[*]").singular).toBe(false);
    expect(compilePath("..a").singular).toBe(false);
  });

  test("is refused or followed, whatever it is and whatever the value", () => {
    const path = fc
      .array(
        fc.constantFrom(
          "a",
          ".",
          "..",
          "[",
          "]",
          "*",
          "0",
          "?",
          "@",
          "==",
          "'",
          '"',
          "(",
          ")",
          ":",
          "-1",
          "$",
          ",",
          " ",
        ),
      )
      .map((parts) => parts.join(""));
    expect.hasAssertions();
    fc.assert(
      fc.property(path, fc.jsonValue(), (text, value) => {
        let values: unknown = [];
        try {
          values = compilePath(text).values(JSON.parse(JSON.stringify(value)));
        } catch (cause) {
          expect(cause).toBeInstanceOf(SyntaxError);
        }
        expect(Array.isArray(values)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("is followed through a document that is nested deeply", () => {
    expect(compilePath("$..x").values(JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`))).toEqual([]);
  });
});
