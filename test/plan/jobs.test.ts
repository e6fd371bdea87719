import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Job } from "../../src/plan/job.ts";
import { planJobs } from "../../src/plan/jobs.ts";
import { clusterRank } from "../../src/plan/rank.ts";

const cases = [
  { id: 10, cluster: "b", turn: 1, rank: 5 },
  { id: 11, cluster: "b", turn: 3, rank: 5 },
  { id: 12, cluster: "a", turn: 2, rank: 9 },
];

const two = [
  { id: 1, repeats: 3 },
  { id: 2, repeats: 1 },
];

/** So many cases, each its own cluster. */
const many = Array.from({ length: 2000 }, (_, id) => ({
  id,
  cluster: `c${id}`,
  turn: 1,
  rank: clusterRank("7", `c${id}`),
}));

/** The pass in which each job of a plan stands: a new one begins with the first case. */
function passesOf(jobs: readonly Job[], firstCase: number): number[] {
  let [pass, previous] = [0, Number.NaN];
  return jobs.map(({ caseId }) => {
    if (caseId === firstCase && previous !== firstCase) pass += 1;
    previous = caseId;
    return pass;
  });
}

describe("the plan", () => {
  test("goes by pass, then case, and only later turns wait", () => {
    const targets = [{ id: 1, repeats: 2 }];
    const jobs = [...planJobs({ cases: () => cases, targets, turns: true, seed: "1" })];
    expect(jobs.map(({ repeat, caseId, targetId, waits }) => [repeat, caseId, targetId, waits])).toEqual([
      [1, 10, 1, false],
      [1, 11, 1, true],
      [1, 12, 1, false],
      [2, 10, 1, false],
      [2, 11, 1, true],
      [2, 12, 1, false],
    ]);
    expect(jobs[0]).toEqual({ kind: "case", caseId: 10, targetId: 1, repeat: 1, cluster: "b", turn: 1, waits: false });
  });

  test("brings some clusters through all passes before the next ones, where a run may stop early", () => {
    const plan = { cases: () => many, targets: two, turns: false, seed: "7" };
    const jobs = [...planJobs({ ...plan, block: 16 })];
    const key = ({ caseId, targetId, repeat }: Job): string => `${caseId} ${targetId} ${repeat}`;
    // The same jobs, with the same draws, in another order.
    expect(jobs.map(key).toSorted()).toEqual([...planJobs(plan)].map(key).toSorted());
    const blocks = jobs.map(({ caseId }) => Math.floor(caseId / 16));
    expect(blocks).toEqual(blocks.toSorted((one, other) => one - other));
  });

  test("lets nothing wait without turns, and is empty without targets", () => {
    const jobs = [...planJobs({ cases: () => cases, targets: [{ id: 1, repeats: 1 }], turns: false, seed: "1" })];
    expect(jobs.some(({ waits }) => waits)).toBe(false);
    expect([...planJobs({ cases: () => cases, targets: [], turns: true, seed: "1" })]).toEqual([]);
  });

  test("every target runs every case as often as it should, its runs numbered in the order in which they are sent", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
        fc.string(),
        fc.boolean(),
        (repeats, seed, turns) => {
          const targets = repeats.map((count, id) => ({ id, repeats: count }));
          const jobs = [...planJobs({ cases: () => cases, targets, turns, seed })];
          for (const { id } of cases) {
            for (const target of targets) {
              const own = jobs.filter(({ caseId, targetId }) => caseId === id && targetId === target.id);
              expect(own.map(({ repeat }) => repeat)).toEqual(Array.from({ length: target.repeats }, (_, i) => i + 1));
            }
          }
          expect([...planJobs({ cases: () => cases, targets, turns, seed })]).toEqual(jobs);
        },
      ),
    );
  });

  test("a target with fewer runs is as often in each pass, and each target as often first", () => {
    const jobs = [...planJobs({ cases: () => many, targets: two, turns: false, seed: "7" })];
    const passes = passesOf(jobs, 0);
    for (const pass of [1, 2, 3]) {
      const own = jobs.filter((_, place) => passes[place] === pass);
      const alone = own.filter(({ targetId }) => targetId === 2);
      // 2,000 / 3, give or take three standard deviations.
      expect(Math.abs(alone.length - 667)).toBeLessThan(64);
      const first = own.filter(({ targetId, caseId }, place) => targetId === 2 && own[place + 1]?.caseId === caseId);
      expect(Math.abs(first.length / alone.length - 0.5)).toBeLessThan(0.07);
    }
  });

  test("draws the same for a case whatever other cases there are", () => {
    const orderOf = (some: typeof many): Map<number, string> => {
      const jobs = [...planJobs({ cases: () => some, targets: two, turns: false, seed: "7" })];
      const found = new Map<number, string>();
      for (const { caseId, targetId, repeat } of jobs) {
        found.set(caseId, `${found.get(caseId) ?? ""} ${targetId}.${repeat}`);
      }
      return found;
    };
    const all = orderOf(many);
    for (const [id, order] of orderOf(many.filter((_, place) => place % 3 === 0))) expect(order).toBe(all.get(id));
    expect(new Set(all.values()).size).toBeGreaterThan(3);
  });

  test("a conversation is taken as a whole: its turns are in the same passes and keep their order", () => {
    const turns = many.map((one, place) => ({
      ...one,
      cluster: `c${Math.floor(place / 4)}`,
      turn: (place % 4) + 1,
      rank: clusterRank("7", `c${Math.floor(place / 4)}`),
    }));
    const jobs = [...planJobs({ cases: () => turns, targets: two, turns: true, seed: "7" })];
    const passes = passesOf(jobs, 0);
    const alone = jobs.flatMap((job, place) => (job.targetId === 2 ? [{ ...job, pass: passes[place] }] : []));
    for (let place = 0; place < alone.length; place += 4) {
      const conversation = alone.slice(place, place + 4);
      expect(new Set(conversation.map(({ cluster, pass }) => `${cluster} ${pass}`)).size).toBe(1);
      expect(conversation.map(({ turn, waits }) => [turn, waits])).toEqual([
        [1, false],
        [2, true],
        [3, true],
        [4, true],
      ]);
    }
    expect(new Set(alone.map(({ pass }) => pass)).size).toBe(3);
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
