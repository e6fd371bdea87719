import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planJobs } from "../../src/plan/jobs.ts";
import { clusterRank } from "../../src/plan/rank.ts";

const cases = [
  { id: 10, cluster: "b", turn: 1 },
  { id: 11, cluster: "b", turn: 3 },
  { id: 12, cluster: "a", turn: 2 },
];

describe("the plan", () => {
  test("goes by repeat, then case, then target, and only later turns wait", () => {
    const targets = [
      { id: 1, repeats: 2 },
      { id: 2, repeats: 1 },
    ];
    const jobs = [...planJobs({ cases: () => cases, targets, turns: true })];
    expect(jobs.map(({ repeat, caseId, targetId, waits }) => [repeat, caseId, targetId, waits])).toEqual([
      [1, 10, 1, false],
      [1, 10, 2, false],
      [1, 11, 1, true],
      [1, 11, 2, true],
      [1, 12, 1, false],
      [1, 12, 2, false],
      [2, 10, 1, false],
      [2, 11, 1, true],
      [2, 12, 1, false],
    ]);
    expect(jobs[0]).toEqual({ kind: "case", caseId: 10, targetId: 1, repeat: 1, cluster: "b", turn: 1, waits: false });
  });

  test("lets nothing wait without turns, and is empty without targets", () => {
    const jobs = [...planJobs({ cases: () => cases, targets: [{ id: 1, repeats: 1 }], turns: false })];
    expect(jobs.some(({ waits }) => waits)).toBe(false);
    expect([...planJobs({ cases: () => cases, targets: [], turns: true })]).toEqual([]);
  });
});

describe("the rank of a cluster", () => {
  test("is a whole number below 2^48, the same for the same seed and another for another", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer(), (cluster, seed) => {
        const rank = clusterRank(seed, cluster);
        expect(Number.isInteger(rank) && rank >= 0 && rank < 2 ** 48).toBe(true);
        expect(clusterRank(seed, cluster)).toBe(rank);
      }),
    );
    expect(clusterRank(1, "हिन्दी")).not.toBe(clusterRank(2, "हिन्दी"));
  });

  test("spreads numbered clusters evenly and without ties", () => {
    const ranks = Array.from({ length: 50_000 }, (_, i) => clusterRank("seed", `q${i}`));
    expect(new Set(ranks).size).toBe(ranks.length);
    const bins = Array.from({ length: 10 }, () => 0);
    for (const rank of ranks)
      bins[Math.floor((rank / 2 ** 48) * 10)] = (bins[Math.floor((rank / 2 ** 48) * 10)] ?? 0) + 1;
    for (const bin of bins) expect(Math.abs(bin - 5_000)).toBeLessThan(400);
  });
});
