import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Case } from "../../src/dataset/case.ts";
import { AppError } from "../../src/errors.ts";
import { caseFilter, everything, isInShard, type Selection, selectionText } from "../../src/plan/select.ts";

const unasked = {
  isFailed: (): boolean => {
    throw new Error("asked of an earlier batch");
  },
  isChanged: (): boolean => {
    throw new Error("asked of an earlier batch");
  },
};

function caseOf(prompt: string, part: Partial<Case> = {}): Case {
  return {
    key: "k1",
    input: { input_prompt: prompt },
    inputHash: "h",
    expected: null,
    cluster: "k1",
    turn: 1,
    tags: {},
    checks: null,
    columns: {},
    source: { file: "prompts.csv", row: 1, line: 2 },
    ...part,
  };
}

function takes(selection: Partial<Selection>, one: Case): boolean {
  return caseFilter({ ...everything, ...selection }, unasked)?.(one) ?? true;
}

describe("what is asked of a case alone", () => {
  test("is nothing when everything takes part, or only a number or a part of it", () => {
    expect(caseFilter(everything, unasked)).toBeNull();
    expect(caseFilter({ ...everything, sample: 3, limit: 2, shard: { parts: [1], of: 2 } }, unasked)).toBeNull();
  });

  test.each([
    ["fee", "What is the late FEE?", true],
    ["50 %.", "Is it 50 %. or more", true],
    ["50 %.", "Is it 50 %, or more", false],
    ["किताब", "यह किताब कब तक है?", true],
    ["مكتبة", "أين المكتبة؟", true],
    ["መጽሐፍ", "መጽሐፍ የት ነው?", true],
    ["caf\u00E9", "the cafe\u0301 is closed", true],
    ["📚", "two 📚📚", true],
    ["/^what.*fee\\?$/i", "What is the late FEE?", true],
    ["/^what.*fee\\?$/", "What is the late FEE?", false],
    ["/^.$/", "😀", true],
    ["/a/g", "a", true],
    ["/", "either/or", true],
    ["second line", "first line\nsecond line", true],
  ])("--grep %s finds its text: %s is %s", (grep, prompt, expected) => {
    expect(takes({ grep }, caseOf(prompt))).toBe(expected);
    // A pattern that remembered where it stood would change its mind.
    expect(takes({ grep }, caseOf(prompt))).toBe(expected);
  });

  test("a text is looked for in the key and in every text of the input, however deep", () => {
    const deep = caseOf("hello", {
      key: "k-17",
      input: { variables: { list: [{ deep: "needle" }], n: 3, none: null } },
    });
    expect(takes({ grep: "needle" }, deep)).toBe(true);
    expect(takes({ grep: "K-17" }, deep)).toBe(true);
    expect(takes({ grep: "deep" }, deep)).toBe(false);
  });

  test("a pattern that is none is an error that shows it", () => {
    expect(() => takes({ grep: "/(/" }, caseOf("x"))).toThrow(AppError);
    expect(() => takes({ grep: "/(/" }, caseOf("x"))).toThrow("/(/");
  });

  test("of a tag one value is enough, of several tags all must fit", () => {
    const one = caseOf("x", { tags: { language: "hi", category: "fees" } });
    expect(takes({ tags: { language: ["en", "hi"] } }, one)).toBe(true);
    expect(takes({ tags: { language: ["en", "hi"], category: ["hours"] } }, one)).toBe(false);
    expect(takes({ tags: { unknown: ["x"] } }, one)).toBe(false);
  });

  test("an earlier batch is asked only when it is named", () => {
    const earlier = { isFailed: (key: string) => key === "k1", isChanged: () => false };
    expect(caseFilter({ ...everything, failed: "b" }, earlier)?.(caseOf("x"))).toBe(true);
    expect(caseFilter({ ...everything, failed: "b", changed: "b" }, earlier)?.(caseOf("x"))).toBe(false);
  });
});

describe("shards", () => {
  test("are disjoint and together everything, whatever else is in the dataset", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 9 }), (clusters, of) => {
        for (const cluster of clusters) {
          const parts = Array.from({ length: of }, (_, i) => i + 1);
          expect(parts.filter((part) => isInShard({ parts: [part], of })(cluster))).toHaveLength(1);
          expect(isInShard({ parts, of })(cluster)).toBe(true);
        }
      }),
    );
  });

  test("are of about the same size", () => {
    const first = isInShard({ parts: [1], of: 4 });
    const count = Array.from({ length: 4_000 }, (_, i) => `k${i}`).filter((key) => first(key)).length;
    expect(count).toBeGreaterThan(900);
    expect(count).toBeLessThan(1_100);
  });
});

test("a selection is told as the flags that say it", () => {
  expect(selectionText(everything)).toBe("every case");
  const some = { ...everything, tags: { language: ["hi", "en"] }, limit: 3, shard: { parts: [1, 2], of: 5 } };
  expect(selectionText(some)).toBe("--tag language=hi --tag language=en --limit 3 --shard 1+2/5");
});
