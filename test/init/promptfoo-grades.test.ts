import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPromptfooConfig } from "../../src/init/promptfoo/config.ts";
import { initPromptfoo } from "../../src/init/promptfoo/init-promptfoo.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { makeScorers } from "../../src/score/make.ts";
import { answered } from "../score/answered.ts";
import { temporaryFolder } from "../store/batch.ts";

/** Grades that promptfoo gave: to each assertion, and to tests with weights, sets and thresholds, for each output. */
interface Grades {
  outputs: Record<string, string>;
  /** `pass` has a mark for each output; without `scores` these are 1 where it passes, else 0. */
  assertions: { assertion: JsonObject & { type: string }; pass: string; scores?: number[] }[];
  tests: { test: JsonObject; pass: string; scores: number[]; metrics?: Record<string, number[]> }[];
}

const grades = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "fixtures", "promptfoo-grades.json"), "utf8"),
) as Grades;
const names = Object.keys(grades.outputs);

/** Where tandem grades otherwise, on purpose; the guide has them. */
const known = new Set([
  // With several wanted texts a sequence of words may stand in any of them, as BLEU has it.
  'bleu ["Hello, world! A quick brown fox jumps.","The cat sat on a rug."] greet',
  // An empty answer is no refusal.
  "is-refusal empty",
  "not-is-refusal empty",
]);

/** The rows that `init` writes for tests. */
async function rowsOf(tests: readonly JsonObject[]): Promise<Record<string, unknown>[]> {
  const folder = temporaryFolder();
  const path = join(folder, "promptfooconfig.yaml");
  const config = JSON.stringify({ prompts: ["Say it"], providers: ["a"], tests });
  writeFileSync(path, config);
  const to = join(folder, "out");
  await initPromptfoo(await readPromptfooConfig(path, config), { path, to, name: "x" });
  const lines = readFileSync(join(to, "x.tests.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Grades every output by the checks of a row; by the name of a metric: by those alone. */
async function graded(row: Record<string, unknown>, metric?: string) {
  const [made] = await makeScorers(scorerSpecs([{ type: "checks", ...(metric !== undefined && { metric }) }]), {
    trust: null,
    timeoutMs: 5_000,
  });
  const scorers = (row["__checks"] as JsonObject[]).map((each) =>
    each["type"] === "cost" ? { ...each, prices: { test: { run: 0.005 } } } : each,
  );
  const threshold = (row["__threshold"] as number | undefined) ?? null;
  return names.map((name) => {
    const answer = answered(grades.outputs[name] ?? "", { latencyMs: 500, case: { checks: { scorers, threshold } } });
    const score = made?.scorer.kind === "pure" ? made.scorer.grade(answer) : null;
    return score === null || "unscored" in score
      ? [name, score?.unscored ?? "?"]
      : [name, score.pass, near(score.value)];
  });
}

/** promptfoo adds in another order. */
const near = (value: number): number => Number(value.toFixed(9));

describe("a grade of promptfoo's", () => {
  test("is the same here: of every assertion that is taken over, for every output", async () => {
    const tests = grades.assertions.map(({ assertion }) => ({ vars: { city: "Paris" }, assert: [assertion] }));
    const rows = await rowsOf(tests);
    expect(rows).toHaveLength(grades.assertions.length);
    for (const [i, { assertion, pass, scores }] of grades.assertions.entries()) {
      const isKnown = (name: string): boolean =>
        known.has(`${assertion.type} ${name}`) ||
        known.has(`${assertion.type} ${JSON.stringify(assertion["value"])} ${name}`);
      const theirs = names.map((name, at) => [name, pass[at] === "1", near(scores?.[at] ?? Number(pass[at]))]);
      const ours = await graded(rows[i] ?? {});
      const others = names.map((name) => !isKnown(name));
      expect([assertion, ours.filter((_, at) => others[at])]).toEqual([
        assertion,
        theirs.filter((_, at) => others[at]),
      ]);
    }
  });

  test("is the same for tests with weights, sets, thresholds and metrics", async () => {
    const rows = await rowsOf(grades.tests.map((each) => each.test));
    for (const [i, { test: written, pass, scores, metrics = {} }] of grades.tests.entries()) {
      const ours = await graded(rows[i] ?? {});
      expect([written, ours]).toEqual([
        written,
        names.map((name, at) => [name, pass[at] === "1", near(scores[at] ?? 0)]),
      ]);
      for (const [metric, values] of Object.entries(metrics)) {
        const byMetric = (await graded(rows[i] ?? {}, metric)).map((each) => each[2]);
        expect([written, metric, byMetric]).toEqual([written, metric, values.map(near)]);
      }
    }
  });
});
