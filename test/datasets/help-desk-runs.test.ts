import { expect, test } from "vitest";
import { often } from "../often.ts";
import { calledWorse, cries } from "./cries.ts";
import { runDesk } from "./desk-run.ts";
import { calmValues, planted } from "./planted.ts";

const prod = { bot: "prod", seed: "one" } as const;

test("prod against prod: nothing is called worse or changed", async () => {
  for (const suite of often(["conversations.yaml"] as const, ["suite.yaml", "conversations.yaml"] as const)) {
    const { comparison } = await runDesk({
      suite,
      baseline: prod,
      candidate: { bot: "prod", seed: "another" },
      seed: "1",
    });
    expect(Object.keys(cries).filter((what) => cries[what]?.(comparison) === true)).toEqual([]);
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
