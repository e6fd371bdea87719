import { expect, test } from "vitest";
import type { CaseComparison, PairedResult } from "../../src/compare/case-comparison.ts";
import type { Lineup } from "../../src/compare/lineup.ts";
import { modelTally } from "../../src/report/model-tally.ts";

const side = {
  target: "prod",
  targetIds: [1],
  batchIds: [1],
  endpoint: "video-bots",
  stopped: null,
  repeats: 1,
  answersOnly: false,
  price: null,
} as const;
const metric = { of: "pass" } as Lineup["metrics"][number];

/** A case that took so long and passed or not. */
function add(tally: ReturnType<typeof modelTally>, ms: number, mean: number, tags: Record<string, string> = {}): void {
  const job = { targetId: 1, outcome: "ok", answer: "answered", sentAt: 0, doneAt: ms };
  const result = { jobs: [job], tags } as unknown as PairedResult;
  tally.add(result, { sides: [{ scores: [{ mean }] }] } as unknown as CaseComparison);
}

test("latencies are counted in full, whatever their number", () => {
  for (const count of [101, 20_001]) {
    const tally = modelTally({ sides: [side], metrics: [] }, false);
    for (let i = 0; i < count; i++) add(tally, 100 + ((i * 7919) % count) * (900 / count), 1);
    const latency = tally.latency(0);
    expect(latency?.max).toBeGreaterThan(985);
    expect(latency?.counts.reduce((sum, each) => sum + each, 0)).toBe(count);
    expect(latency?.bounds.length).toBe((latency?.counts.length ?? 0) + 1);
  }
});

test("a rate has Wilson's interval, never one of no width, and none where cases belong together", () => {
  const tally = modelTally({ sides: [side], metrics: [metric] }, false);
  for (let i = 0; i < 20; i++) add(tally, 10, 1);
  const interval = tally.interval(0, 0);
  expect(interval?.upper).toBe(1);
  expect(interval?.lower).toBeCloseTo(0.8389, 4);
  expect(modelTally({ sides: [side], metrics: [metric] }, true).interval(0, 0)).toBeNull();
});

test("values of tags are counted, the most frequent first, also those named like what every object has", () => {
  const tally = modelTally({ sides: [side], metrics: [] }, false);
  for (const language of ["hi", "en", "hi"]) add(tally, 1, 1, { language, constructor: "x" });
  expect(tally.tags()).toEqual({
    language: [
      { value: "hi", cases: 2 },
      { value: "en", cases: 1 },
    ],
    constructor: [{ value: "x", cases: 3 }],
  });
  expect(tally.outcomes(0)).toEqual({ answered: 3 });
});
