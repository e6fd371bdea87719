import { expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { modelTally } from "../../src/report/model/model-tally.ts";

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

/** A case that took so long. */
function add(tally: ReturnType<typeof modelTally>, ms: number, tags: Record<string, string> = {}): void {
  const job = { targetId: 1, outcome: "ok", answer: "answered", sentAt: 0, doneAt: ms };
  const result = { jobs: [job], tags } as unknown as PairedResult;
  tally.add(result, { sides: [], differences: [], runs: [] });
}

test("latencies are counted in full, whatever their number", () => {
  for (const count of [101, 20_001]) {
    const tally = modelTally({ sides: [side], pairs: [], metrics: [] });
    for (let i = 0; i < count; i++) add(tally, 100 + ((i * 7919) % count) * (900 / count));
    const [latency] = tally.counts().latencies;
    expect(latency?.max).toBeGreaterThan(985);
    expect(latency?.counts.reduce((sum, each) => sum + each, 0)).toBe(count);
    // A picture of them ends with the slowest.
    expect(latency?.bounds.at(-1)).toBe(latency?.max);
    expect(latency?.bounds.length).toBe((latency?.counts.length ?? 0) + 1);
  }
});

test("values of tags are counted, the most frequent first, also those named like what every object has", () => {
  const tally = modelTally({ sides: [side], pairs: [], metrics: [] });
  for (const language of ["hi", "en", "hi"]) add(tally, 1, { language, constructor: "x" });
  expect(tally.counts().tags).toEqual({
    language: [
      { value: "hi", cases: 2 },
      { value: "en", cases: 1 },
    ],
    constructor: [{ value: "x", cases: 3 }],
  });
  expect(tally.counts().outcomes[0]).toEqual({ answered: 3 });
});
