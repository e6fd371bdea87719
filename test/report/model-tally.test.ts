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

test("the slowest answer is known, whatever their number", () => {
  const tally = modelTally({ sides: [side], pairs: [], metrics: [] });
  expect(tally.counts().slowest).toEqual([null]);
  for (const ms of [120, 990, 400]) add(tally, ms);
  expect(tally.counts().slowest).toEqual([990]);
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
