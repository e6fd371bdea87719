import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { Tandem } from "./tandem.ts";

interface Sliced {
  tag: string;
  value: string;
  difference: number;
  adjusted: number;
}

/** The parts of the demo's comparison of test with prod. */
interface Reported {
  verdict: string;
  gates: { metric: string; state: string }[];
  candidates: {
    metrics: { metric: string; comparison: { estimate: number; interval: { low: number; high: number } } }[];
    slices: Sliced[];
    behaviour: { state: string };
    errors: { appeared: number };
  }[];
}

slowTest(
  "the differences planted in the help desk are found, and nothing else is called worse",
  async () => {
    const tandem = new Tandem();
    const { code, out } = await tandem.run("demo", "--json", "--quiet");
    expect(code).toBe(0);
    const reported: { comparison: Reported } = JSON.parse(out);
    const { verdict, gates, candidates } = reported.comparison;
    expect(verdict).toBe("regression");
    expect(gates).toMatchObject([{ metric: "correct", state: "regression" }]);
    const [candidate] = candidates;
    // The score falls by about 19 points of the answerable prompts, which are nine tenths of all.
    expect(candidate?.metrics[0]?.comparison.estimate).toBeGreaterThan(-0.25);
    expect(candidate?.metrics[0]?.comparison.estimate).toBeLessThan(-0.1);
    expect(candidate?.behaviour.state).toBe("changed");
    expect(candidate?.errors.appeared).toBe(0);
    const worse = (candidate?.slices ?? []).filter(({ adjusted, difference }) => adjusted <= 0.05 && difference < 0);
    const named = worse.map(({ tag, value }) => `${tag}=${value}`);
    expect(named).toContain("kind=typo");
    for (const calm of [
      "category=membership",
      "category=learning",
      "category=unanswerable",
      "kind=plain",
      "kind=terse",
    ]) {
      expect(named).not.toContain(calm);
    }
    // The first page and the guide show this very summary.
    const summary = inOneLine((await tandem.run("compare")).out);
    for (const page of ["README.md", "docs/guides/read-a-comparison.md"]) {
      for (const part of shownIn(page)) expect(summary, page).toContain(part);
    }
  },
  240_000,
);

const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Parts of the summary of the demo that a page shows, without what it leaves out (`...`) and the step, which a checkout types otherwise. */
function shownIn(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  const [, block = ""] = /```\n(REGRESSION[^`]*(?:`[^`]+`[^`]*)*?)\n```/.exec(text) ?? [];
  const parts = block.split(/^ *\.\.\.$|^Next: .*$/m);
  expect(parts.length, page).toBeGreaterThan(1);
  return parts.map(inOneLine);
}

test("the bug planted in a function is a regression by the cases that are lost, whatever a margin would say", async () => {
  const suite = fileURLToPath(new URL("../../datasets/functions/late-fee.yaml", import.meta.url));
  const { code, out } = await new Tandem().run("run", suite, "--out", "results", "--json", "--quiet");
  expect(code).toBe(1);
  const reported: { comparison: Reported } = JSON.parse(out);
  expect(reported.comparison.verdict).toBe("regression");
  const [gate] = reported.comparison.gates;
  expect(gate).toMatchObject({ metric: "correct", losses: 0, decided: { lost: 3, gained: 0, cases: 28 } });
});
