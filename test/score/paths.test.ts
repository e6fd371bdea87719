import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/lib/json.ts";
import { compilePath } from "../../src/text/json-path.ts";
import { often, slowTest } from "../often.ts";

interface SuiteTest {
  name: string;
  selector: string;
  document: JsonValue;
  invalid_selector?: boolean;
  result?: JsonValue[];
  /** Several orders are allowed. */
  results?: JsonValue[][];
}

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
    ["references[?@.score < 0.2e0 && @.score > 0.0].title", ["C"]],
    ["references[?match(@.url, 'https://[ab].*')].title", ["A", "B"]],
    ["references[?search(@.title, '[B-C]')].title", ["B", "C"]],
    ["$[?length(@) == 2]", [["one", "two"]]],
    ["$[?count(@.*) == 3][0].title", ["A"]],
    ["$.variables[?@.url == $.variables.deep.url].url", ["https://d.example"]],
    ["$.constructor", []],
    ["__proto__", []],
  ])("%s", (path, found) => expect(compilePath(path).values(store)).toEqual(found));

  test.each([
    ["", "its end"],
    ["a[", "its end"],
    ["a[b]", '"b]"'],
    ["a.", "its end"],
    ["a b", '"b" at character 3'],
    ["a[?@.x ==]", '"]"'],
    ["a['\\x']", "invalid escape"],
    ["a[?@.x > 0.5 && @.y ==]", '"]" at character 23'],
    ["a[?length(@.x) == 1 && size(@.x) == 1]", "no such function 'size'"],
    ["a[?count(@.x)]", "must be compared"],
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
      { numRuns: often(400, 2000) },
    );
  });

  test("means the whole document by $ wherever it stands", () => {
    const nested = { y: 1, list: [{ a: [{ x: 1 }] }, { a: [{ x: 2 }], y: 2 }] };
    expect(compilePath("list[?@.a[?@.x == $.y]].a[0].x").values(nested)).toEqual([1]);
  });

  test("counts the characters of a text as a reader of Unicode does", () => {
    expect(compilePath("$[?length(@) == 2]").values(["👍🙂", "ab", "a"])).toEqual(["👍🙂", "ab"]);
  });

  test("is followed through a document that is nested deeply", () => {
    expect(compilePath("$..x").values(JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`))).toEqual([]);
  });
});

describe("a path that would not end", () => {
  const wide = Array.from({ length: 300 }, () => Array.from({ length: 300 }, (_, i) => [i]));

  function isGivenUp(_: string, path: string): void {
    const nested = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
    const document = path.includes("[0,") ? JSON.parse(`${"[".repeat(20)}0${"]".repeat(20)}`) : [wide, nested];
    expect(() => compilePath(path).values(document)).toThrow(/The path (?:leads to|comes by) more than \d+ values/);
  }

  test.each([
    ["leads to every value again and again", "$..*..*..*"],
    ["says the same place again and again", `$${"[0,0,0,0,0,0,0,0,0,0]".repeat(12)}`],
    ["has a filter that does", `$[?@${"[0,0,0,0,0,0,0,0,0,0]".repeat(12)}]`],
  ])("%s is given up with a reason", isGivenUp);

  slowTest.each([["looks everywhere from everywhere", "$..[?@..[?@..nowhere]]"]])(
    "%s is given up with a reason",
    isGivenUp,
  );

  slowTest("has a pattern that needs years is given up with a reason", () => {
    const answer = { text: "word ".repeat(30) + "!", pattern: "(\\w+\\s?)*" };
    const written = "$[?match(@, '(\\\\w+\\\\s?)*')]";
    for (const path of often([written], [written, "$[?match(@, $.pattern)]"])) {
      expect(() => compilePath(path).values(answer)).toThrow("took longer than 500 ms");
    }
  });
});

describe("the suite of RFC 9535", () => {
  const file = new URL("../fixtures/jsonpath-suite.json", import.meta.url);
  const { tests }: { tests: SuiteTest[] } = JSON.parse(readFileSync(file, "utf8"));

  test("is there", () => expect(tests.length).toBeGreaterThan(680));

  test.each(tests.map((each) => [each.name, each] as const))("%s", (_, { selector, document, ...expected }) => {
    if (expected.invalid_selector === true) expect(() => compilePath(selector)).toThrow(SyntaxError);
    else expect(expected.results ?? [expected.result]).toContainEqual(compilePath(selector).values(document));
  });
});
