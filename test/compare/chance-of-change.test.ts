import { expect, test } from "vitest";
import type { CandidateSummary } from "../../src/compare/summary/candidate-summary.ts";
import type { ComparedTarget } from "../../src/compare/comparison-plan.ts";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import type { JobResult } from "../../src/store/results/case-result.ts";
import { aCase, answered, candidate, failed, passing, prod, settings } from "./case-result.ts";
import { compareCases } from "./compare-cases.ts";
import { often, slowTest } from "../often.ts";

const words = "the library opens at nine and closes at five on every weekday".split(" ");

/** A run of a bot whose words, fields, grades and errors are all drawn by lot. */
function anyRun(target: ComparedTarget, repeat: number, random: Random): JobResult {
  if (random() < 0.04) return failed(target, "down", { repeat });
  const text =
    random() < 0.5 ? "It is nine." : words.map((word) => (random() < 0.2 ? word.toUpperCase() : word)).join(" ");
  const references = random() < 0.8 ? [{ title: "a" }] : [];
  const output = { output_text: [text], finish_reason: [random() < 0.9 ? "stop" : "length"], references };
  const pass = random() < 0.9;
  return answered(target, output, { repeat, scores: [{ value: Number(pass), pass, reason: null }] });
}

function sameBots(runs: { baseline: number; candidate: number }, seed: string, cases = 60): CandidateSummary {
  const random = seededRandom(seed);
  const results = Array.from({ length: cases }, (_, i) =>
    aCase(`k${i}`, [
      ...Array.from({ length: runs.baseline }, (__, run) => anyRun(prod, run + 1, random)),
      ...Array.from({ length: runs.candidate }, (__, run) => anyRun(candidate, run + 1, random)),
    ]),
  );
  const [found] = compareCases(results, { ...settings, metrics: [passing()] }).candidates;
  if (found === undefined) throw new Error("nothing was compared");
  return found;
}

test.each([{ baseline: 2, candidate: 1 }])(
  "identical bots, $baseline runs against $candidate: as many cases are beyond noise as are said to be by chance",
  isAsSaid,
);

slowTest.each([{ baseline: 3, candidate: 3 }])(
  "identical bots, $baseline runs against $candidate: as many cases are beyond noise as are said to be by chance",
  isAsSaid,
);

function isAsSaid(runs: { baseline: number; candidate: number }): void {
  let [seen, stated] = [0, 0];
  for (let run = 0; run < often(14, 40); run++) {
    const { changes, changedByChance } = sameBots(runs, `a/${run}`);
    seen += changes.changed ?? 0;
    stated += changedByChance ?? Number.NaN;
  }
  expect(seen).toBeGreaterThan(100);
  expect(stated / seen).toBeGreaterThan(0.9);
  expect(stated / seen).toBeLessThan(1.1);
}

test("nothing is said of chance where a case has more runs than can be relabelled", () => {
  expect(sameBots({ baseline: 6, candidate: 3 }, "b", 5).changedByChance).toBeNull();
});
