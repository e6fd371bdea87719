import { expect, test } from "vitest";
import { EffectQueue } from "../../src/app/grade/score-pass.ts";
import type { Grades, Grading } from "../../src/app/grade/grading.ts";
import { scoreWatch } from "../../src/app/grade/score-watch.ts";
import type { Answer, Score } from "../../src/score/contract/scorer.ts";
import { spec } from "./scored.ts";

const answer: Answer = {
  case: { key: "k", input: {}, expected: null, cluster: "k", turn: 1, tags: {}, columns: {}, checks: null },
  target: "prod",
  endpoint: "video-bots",
  repeat: 1,
  outcome: "ok",
  answer: "answered",
  record: null,
  error: null,
  usage: null,
  latencyMs: 1,
  firstMs: null,
  attempts: 1,
};

test("a scorer with effects looks at no more answers at once than it allows, and no more wait than that", async () => {
  const graded: ((score: Score) => void)[] = [];
  const made = {
    spec: spec("slow", "command"),
    metric: {
      name: "slow",
      type: "command",
      primary: false,
      scale: { kind: "pass" as const },
      lowerIsBetter: false,
      passes: true,
      weight: 1,
      against: null,
    },
    scorer: {
      kind: "effect" as const,
      concurrency: 3,
      grade: () => new Promise<Score>((resolve) => graded.push(resolve)),
      close: () => Promise.resolve(),
    },
    applies: () => true,
    gradesFailures: false,
    lacks: () => false,
    look: null,
  };
  const grading: Grading = { scorers: [made], pure: [], effects: [0], judges: [], composites: [] };
  const queue = new EffectQueue(grading, scoreWatch(20));
  let [given, finished] = [0, 0];
  const giveAll = async (): Promise<void> => {
    for (let place = 0; place < 20; place += 1) {
      const grades: Grades = [null];
      await queue.grade({ answer, grades, known: () => null, finish: () => void (finished += 1) });
      given += 1;
    }
  };
  const giving = giveAll();
  await expect.poll(() => given).toBe(6);
  expect([graded.length, finished]).toEqual([3, 0]);
  for (let place = 0; place < 20; place += 1) {
    expect(graded.length).toBeLessThanOrEqual(place + 3);
    graded[place]?.({ value: 1, pass: true, reason: "" });
    await expect.poll(() => finished, { interval: 1 }).toBe(place + 1);
  }
  await giving;
  await queue.done();
  expect(graded.length).toBe(20);
});
