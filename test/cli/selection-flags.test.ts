import { describe, expect, test } from "vitest";
import { selectionFrom } from "../../src/cli/flags/selection-flags.ts";
import { everything } from "../../src/plan/select.ts";

const none = {
  grep: undefined,
  tag: [],
  key: [],
  failed: undefined,
  changed: undefined,
  sample: undefined,
  limit: undefined,
  shard: undefined,
  target: [],
};

describe("the flags that select cases", () => {
  test("are nothing when none is given, so that a resume keeps what was selected", () => {
    expect(selectionFrom(none)).toBeNull();
  });

  test("become data that is stored with the batch", () => {
    const flags = { ...none, tag: ["language=hi", "language=en", "note=a=b"], shard: "2/5", failed: "", limit: 3 };
    expect(selectionFrom(flags)).toEqual({
      ...everything,
      tags: { language: ["hi", "en"], note: ["a=b"] },
      shard: { parts: [2], of: 5 },
      failed: "",
      limit: 3,
    });
  });

  test.each([
    [{ shard: "3/2" }, "--shard takes i/n"],
    [{ shard: "0/2" }, "--shard takes i/n"],
    [{ shard: "half" }, "--shard takes i/n"],
    [{ tag: ["hi"] }, "--tag takes NAME=VALUE"],
  ])("%j is refused in words", (given, message) => {
    expect(() => selectionFrom({ ...none, ...given })).toThrow(message);
  });
});
