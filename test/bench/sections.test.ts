import { expect, test } from "vitest";
import type { Bench } from "./bench.ts";
import { figure, notMeasured } from "./figure.ts";
import { measureSections } from "./sections.ts";

test("a bench that is broken off has shown the figures of the sections before", async () => {
  const noted: string[] = [];
  const note = (text: string): void => void noted.push(text);
  const bench: Bench = { folder: "", laps: 1, jobs: 1, workers: 1, quick: true, promptfoo: null, peakKb: null, note };
  const [target, slow] = ["help", "resume"].map((name) => ({ name, reach: 2, aim: 1, unit: " s", digits: 1 }));
  if (target === undefined || slow === undefined) throw new Error("no target");
  const first = [figure(target, 1.5), figure(slow, 3), notMeasured("million", "-", "-", "--quick")];
  const sections = { first: () => first, second: () => Promise.reject(new Error("broken off")) };
  await expect(measureSections(sections, bench)).rejects.toThrow("broken off");
  expect(noted).toEqual([
    "first:\n  help: 1.5 s (reached 2.0 s)\n  resume: 3.0 s (not reached: 2.0 s)\n  million: not measured: --quick",
  ]);
  expect(await measureSections({ one: () => first, two: () => first }, bench)).toEqual([...first, ...first]);
});
