import { describe, expect, test } from "vitest";
import { decideGates } from "../../src/compare/verdict/decide.ts";
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
      ["inconclusive", { kind: "clusters", least: 163, of: { kind: "conversations" } }],
    ]);
  });

  test("that all lose much are a regression, over several gates too, and fewer than five say nothing", () => {
    for (const metrics of [1, 2]) {
      expect(gatesOf(5, lost, { alpha: 0.05, metrics })).toEqual(times(metrics, ["regression", null]));
      expect(gatesOf(4, lost, { alpha: 0.05, metrics })[0]).toMatchObject([
        "inconclusive",
        { kind: "clusters", least: 5, of: { kind: "conversations" } },
      ]);
    }
  });
});

const times = <Each>(count: number, each: Each): Each[] => Array.from({ length: count }, () => each);
