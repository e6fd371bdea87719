import { describe, expect, test } from "vitest";
import { type ChoiceFacts, changedChoices, keptChoice } from "../../src/app/history/changed-choice.ts";

const targets = new Set(["a", "b", "c"]);

/** A race that ended with b as close enough, while another one was left beside it. */
function raced(expected: string, dropped: string): ChoiceFacts {
  const droppedAfter = (target: string): number | null => (target === dropped ? 40 : null);
  return keptChoice.parse({
    expected,
    named: null,
    ahead: null,
    set: [...targets].filter((target) => target !== dropped),
    alike: [],
    open: null,
    configurations: [...targets].map((target) => ({ target })),
    race: {
      isThrough: true,
      end: { kind: "close enough", target: "b", cases: 80 },
      configurations: [...targets].map((target) => ({ target, droppedAfter: droppedAfter(target) })),
    },
  });
}

describe("the choice of a night that raced", () => {
  test("is a change where the one that is meant to be chosen was dropped", () => {
    const { found, open } = changedChoices(raced("a", "a"), targets);
    expect(found).toMatchObject([{ name: "change of the best from a to b", baseline: "a" }]);
    expect(open).toEqual([]);
  });

  test("is none where that one is close enough itself, which ends an earlier change", () => {
    expect(changedChoices(raced("b", "a"), targets)).toEqual({ found: [], open: [] });
  });

  test("is open where that one is left beside it", () => {
    const { found, open } = changedChoices(raced("a", "c"), targets);
    expect(found).toEqual([]);
    expect(open.map(({ baseline }) => baseline)).toEqual(["a", "a"]);
  });
});
