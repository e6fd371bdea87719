import { describe, expect, test } from "vitest";
import { decideGates } from "../../src/compare/summary/gates.ts";
import { questionOf } from "./gate-question.ts";

/** Gates by these differences of cases, alike for each metric, in clusters of two cases. */
function gatesOf(clusters: number, difference: (cluster: number) => number, given: { alpha: number; metrics: number }) {
  const { alpha, metrics } = given;
  const differences = Float64Array.from({ length: clusters * 2 }, (_, i) => difference(Math.floor(i / 2)));
  const codes = Int32Array.from(differences, (_, i) => Math.floor(i / 2));
  const data = { differences, clusters: codes, counts: null, range: 1 };
  const question = questionOf(data, { margin: 0.05, alpha });
  const questions = Array.from({ length: metrics }, () => question);
  return decideGates(questions, { alpha, passAlpha: alpha }).map((gate) => [
    gate.state,
    gate.kind === "margin" ? gate.settle : null,
  ]);
}

const lost = (cluster: number): number => -0.3 - cluster / 50;
const even = (cluster: number): number => (cluster % 2 === 0 ? 0.1 : -0.1) + cluster / 500;

describe("few conversations", () => {
  test("that have no bound at the level of many nights name how many have one", () => {
    const alpha = 1 - 0.95 ** (1 / 30);
    expect(gatesOf(8, even, { alpha, metrics: 1 })).toMatchObject([
      ["inconclusive", { kind: "clusters", least: 163, better: null, noun: "conversations" }],
    ]);
    // A regression has to hold over all four gates.
    expect(gatesOf(8, lost, { alpha, metrics: 4 })[0]).toMatchObject([
      "inconclusive",
      { kind: "clusters", least: 12, better: 20 },
    ]);
  });

  test("of which no result could be a regression over all gates need as many as could be", () => {
    expect(gatesOf(5, lost, { alpha: 0.05, metrics: 1 })).toEqual([["regression", null]]);
    // Six of two cases: 2^-6 twice is below 0.05.
    expect(gatesOf(5, lost, { alpha: 0.05, metrics: 2 })[0]).toMatchObject([
      "inconclusive",
      { kind: "clusters", least: 6 },
    ]);
    expect(gatesOf(6, lost, { alpha: 0.05, metrics: 2 })).toEqual([
      ["regression", null],
      ["regression", null],
    ]);
  });
});
