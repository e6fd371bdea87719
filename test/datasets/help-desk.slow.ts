import { expect, test } from "vitest";
import { calledWorse, cries, mostCries } from "./cries.ts";
import { runDesk } from "./desk-run.ts";
import { calmValues, planted, touched } from "./planted.ts";

const repetitions = 30;

const prod = { bot: "prod", seed: "one" } as const;

test.each(["suite.yaml", "conversations.yaml"] as const)(
  "prod against prod cries no more often than by chance: %s",
  async (suite) => {
    const counts: Record<string, number> = {};
    for (let seed = 0; seed < repetitions; seed++) {
      const { comparison } = await runDesk({
        suite,
        baseline: { bot: "prod", seed: `a ${seed}` },
        candidate: { bot: "prod", seed: `b ${seed}` },
        seed: String(seed),
      });
      for (const [what, isCrying] of Object.entries(cries)) {
        counts[what] = (counts[what] ?? 0) + Number(isCrying(comparison));
      }
    }
    const most = mostCries(repetitions);
    expect(Object.entries(counts).filter(([, count]) => count > most)).toEqual([]);
  },
);

test("whatever the seeds, all that is planted in test is found, and nothing else is called worse", async () => {
  for (let seed = 0; seed < 10; seed++) {
    const sides = {
      suite: "suite.yaml",
      baseline: { bot: "prod", seed: `a ${seed}` },
      candidate: { bot: "test", seed: `b ${seed}` },
      seed: String(seed),
    } as const;
    const { comparison, rows } = await runDesk(sides);
    expect(comparison.verdict).toBe("regression");
    expect(comparison.candidates[0]?.behaviour.state).toBe("changed");
    expect(calledWorse(comparison)).toContain("kind=typo");
    expect(calledWorse(comparison).filter((value) => calmValues.has(value))).toEqual([]);
    const worse = new Set(
      rows.flatMap(({ key, verdict, change }) => (verdict === "worse" && change === "changed" ? [key] : [])),
    );
    for (const ids of Object.values(planted)) {
      const missed = [...ids].filter((id) => !worse.has(id));
      // Prod itself is wrong now and then.
      expect(missed.length, `seed ${seed}: ${missed.join(", ")}`).toBeLessThanOrEqual(2);
    }
    const { comparison: rest } = await runDesk({ ...sides, without: touched });
    expect(rest.cases).toBe(165 - touched.size);
    expect(rest.verdict).not.toBe("regression");
    expect(calledWorse(rest)).toEqual([]);
  }
});

test("servers that get slower with each request make no side look slow, though one is asked twice as often", async () => {
  const candidate = { bot: "prod", seed: "another" } as const;
  const { comparison } = await runDesk({ suite: "suite.yaml", baseline: prod, candidate, seed: "1", slowing: 1 });
  const { ratio = 0, interval } = comparison.candidates[0]?.latency ?? {};
  expect(Math.abs(ratio - 1)).toBeLessThan(0.15);
  expect(interval?.low).toBeLessThan(1.05);
  expect(interval?.high).toBeGreaterThan(0.95);
});

test("prod against prod with these seeds: nothing is called worse or changed", async () => {
  for (const suite of ["suite.yaml", "conversations.yaml"] as const) {
    const { comparison } = await runDesk({
      suite,
      baseline: prod,
      candidate: { bot: "prod", seed: "another" },
      seed: "1",
    });
    expect(Object.keys(cries).filter((what) => cries[what]?.(comparison) === true)).toEqual([]);
  }
});

test("all that is planted in test is called worse, prompt by prompt, and no other tag", async () => {
  const candidate = { bot: "test", seed: "another" } as const;
  const { comparison, rows } = await runDesk({ suite: "suite.yaml", baseline: prod, candidate, seed: "1" });
  expect(comparison.verdict).toBe("regression");
  const worse = rows.flatMap(({ key, verdict, change }) => (verdict === "worse" && change === "changed" ? [key] : []));
  for (const ids of Object.values(planted)) expect(worse).toEqual(expect.arrayContaining([...ids]));
  // A few prompts more: chance, or another form of a word.
  expect(worse.length).toBeLessThan(Object.values(planted).reduce((sum, ids) => sum + ids.size, 0) + 8);
  expect(calledWorse(comparison)).toContain("kind=typo");
  expect(calledWorse(comparison).filter((value) => calmValues.has(value))).toEqual([]);
});
