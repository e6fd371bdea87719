import { describe, expect, test } from "vitest";
import { comparisonStream } from "../../src/compare/comparison.ts";
import { isCompared, pairingOf } from "../../src/compare/cases/pairing.ts";
import { comparisonTable } from "../../src/report/tables/comparison-table.ts";
import { aCase, aTarget, says, settings } from "./case-result.ts";

const [one, two, three] = [{ batchIds: [1] }, { batchIds: [2] }, { batchIds: [3] }];

describe("two sides of a key", () => {
  test("that has the same input in all batches are paired", () => {
    expect(pairingOf({}, one, two)).toBe("paired");
    expect(pairingOf({ variants: [[1, 2]] }, one, two)).toBe("paired");
    expect(pairingOf({ variants: [[1, 2]] }, one, one)).toBe("paired");
  });

  test("are paired where they agree, whatever input a third one has", () => {
    const variants = [[3], [1, 2]];
    expect(pairingOf({ variants, variant: 1 }, one, two)).toBe("paired");
    expect(pairingOf({ variants, variant: 0 }, one, two)).toBe("neither");
  });

  test("that differ in the input are told once", () => {
    const variants = [[3], [1], [2]];
    expect([0, 1, 2].map((variant) => pairingOf({ variants, variant }, one, two))).toEqual([
      "input-differs",
      "neither",
      "neither",
    ]);
    expect(pairingOf({ variants: [[3], [1, 2]] }, one, three)).toBe("input-differs");
  });

  test("that only one of them has are told once, also when a third one has another input", () => {
    expect(pairingOf({ variants: [[3], [1]] }, one, two)).toBe("only-baseline");
    expect(pairingOf({ variants: [[3], [2]] }, one, two)).toBe("only-candidate");
    expect(pairingOf({ variants: [[3], [1]], variant: 1 }, one, two)).toBe("neither");
    expect(pairingOf({ variants: [[3]] }, one, two)).toBe("neither");
  });

  test("of several batches are paired once", () => {
    const pin = { batchIds: [1, 2] };
    const variants = [
      [1, 3],
      [2, 4],
    ];
    const candidate = { batchIds: [3, 4] };
    expect(pairingOf({ variants, variant: 0 }, pin, candidate)).toBe("paired");
    expect(pairingOf({ variants, variant: 1 }, pin, candidate)).toBe("neither");
  });
});

test("a key with two inputs is one case with two lines, of which each pair is compared in one", () => {
  const sides = [1, 2, 3].map((id) => aTarget(id, `t${id}`, { batchIds: [id] }));
  const [first, second, third] = sides.map((side) => says(side, "a"));
  const pairs = [1, 2].map((candidate) => ({ baseline: 0, candidate }));
  const comparisonPlan = { ...settings, sides, pairs };
  const stream = comparisonStream(comparisonPlan);
  const { columns, linesOf } = comparisonTable({ comparisonPlan, columns: [], asked: [] });
  const jobs = [[third], [first, second]].map((own) => own.flatMap((job) => job ?? []));
  const lines = jobs.flatMap((own, variant) => {
    const result = aCase("k", own, { variants: [[3], [1, 2]], variant });
    return linesOf(result, stream.add(result));
  });
  const changes = lines.map((line) =>
    ["t2", "t3"].map((name) => line[columns.findIndex((column) => column.name === `${name}.change`)]),
  );
  expect(changes).toEqual([
    ["not-compared", "input-differs"],
    ["same", "not-compared"],
  ]);
  expect(stream.summary().cases).toBe(1);
});

test("another input of a key is a case of its own where it pairs two sides", () => {
  const sides = [one, two, three].map(({ batchIds }, place) => ({
    target: `t${place}`,
    targetIds: [place],
    batchIds,
    endpoint: "video-bots" as const,
    stopped: null,
    repeats: 1,
    price: null,
    answersOnly: false,
  }));
  const wants = isCompared({
    sides,
    pairs: [
      { baseline: 0, candidate: 1 },
      { baseline: 0, candidate: 2 },
    ],
  });
  expect(wants({ variants: [[3], [1, 2]], variant: 1 })).toBe(true);
  expect(wants({ variants: [[3], [1], [2]], variant: 1 })).toBe(false);
  expect(wants({ variants: [[3], [1]], variant: 0 })).toBe(true);
});
