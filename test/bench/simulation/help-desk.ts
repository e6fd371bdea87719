import type { Comparison } from "../../../src/compare/comparison.ts";
import type { Interval } from "../../../src/stats/interval.ts";
import { calledWorse, cries, mostCries } from "../../datasets/cries.ts";
import { type ComparedRow, type DeskRun, runDesk } from "../../datasets/desk-run.ts";
import { calmValues, planted, touched } from "../../datasets/planted.ts";
import type { Pace, Simulated } from "./simulation.ts";

/** Runs of the help desk with other seeds each time, and what is counted in them. */
interface Experiment {
  name: string;
  repetitions: number;
  run: Pick<DeskRun, "suite" | "without" | "slowing"> & { candidate: DeskRun["candidate"]["bot"] };
  counts: Record<string, Count>;
}

interface Count {
  of: (comparison: Comparison, rows: readonly ComparedRow[]) => number;
  /** Number of chances in each repetition; 1 when absent. */
  each?: number;
  /** Limit that is promised for the sum; absent: none. */
  promised?: { most: number } | { least: number };
}

/** The shipped suites of the help desk, run with every stage of the program, as often as it takes to count. */
export async function helpDesk({ note }: Pace): Promise<Simulated> {
  const lines: string[] = [];
  let kept = true;
  for (const experiment of experiments) {
    const sums = await countedIn(experiment, note);
    for (const [index, [what, { promised, each = 1 }]] of Object.entries(experiment.counts).entries()) {
      const sum = sums[index] ?? 0;
      const isKept = promised === undefined ? null : "most" in promised ? sum <= promised.most : sum >= promised.least;
      kept &&= isKept !== false;
      const limit =
        promised === undefined
          ? ""
          : "most" in promised
            ? `at most ${promised.most}`
            : `at least ${promised.least.toLocaleString("en-US")}`;
      const found = `${sum.toLocaleString("en-US")} of ${(experiment.repetitions * each).toLocaleString("en-US")}`;
      const said = isKept === null ? "" : isKept ? "yes" : "**no**";
      lines.push(`| ${index === 0 ? experiment.name : ""} | ${what} | ${found} | ${limit} | ${said} |`);
    }
  }
  const head = ["| runs | what is counted | found | promised | as promised |", "| --- | --- | --- | --- | --- |"];
  return { table: [...head, ...lines].join("\n"), kept };
}

async function countedIn(
  { name, repetitions, run, counts }: Experiment,
  note: (text: string) => void,
): Promise<number[]> {
  const sums = Object.values(counts).map(() => 0);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    if (repetition % 10 === 0) note(`${name}: ${repetition} of ${repetitions}`);
    const { comparison, rows } = await runDesk({
      ...run,
      baseline: { bot: "prod", seed: `prod ${repetition}` },
      candidate: { bot: run.candidate, seed: `other ${repetition}` },
      seed: String(repetition),
    });
    for (const [index, { of }] of Object.values(counts).entries())
      sums[index] = (sums[index] ?? 0) + of(comparison, rows);
  }
  return sums;
}

function unchanged(repetitions: number): Record<string, Count> {
  const most = mostCries(repetitions);
  const each = Object.entries(cries).map(([what, isCrying]): [string, Count] => [
    what,
    { of: (comparison) => Number(isCrying(comparison)), promised: { most } },
  ]);
  return {
    ...Object.fromEntries(each),
    "any of these": {
      of: (comparison) => Number(Object.values(cries).some((isCrying) => isCrying(comparison))),
      promised: { most },
    },
    "the p of `correct`, which decides nothing, is below 0.05: worse": {
      of: (comparison) => Number(primary(comparison) < 0),
    },
    "the same: better": { of: (comparison) => Number(primary(comparison) > 0) },
  };
}

/** The difference in the primary metric where its p is below 0.05, else 0. */
function primary({ candidates }: Comparison): number {
  const comparison = candidates[0]?.metrics.find((metric) => metric.primary)?.comparison;
  return (comparison?.p ?? 1) < 0.05 ? (comparison?.estimate ?? 0) : 0;
}

function holdsOne(interval: Interval | null): boolean {
  return interval !== null && interval.low <= 1 && interval.high >= 1;
}

function foundIn(repetitions: number): Record<string, Count> {
  const rows = Object.entries(planted).map(([what, ids]): [string, Count] => [
    `${what}: prompts called worse, and changed beyond noise`,
    {
      of: (_, all) =>
        all.filter(({ key, verdict, change }) => ids.has(key) && verdict === "worse" && change === "changed").length,
      each: ids.size,
      promised: { least: Math.ceil(0.95 * repetitions * ids.size) },
    },
  ]);
  return {
    "the verdict is a regression": {
      of: ({ verdict }) => Number(verdict === "regression"),
      promised: { least: repetitions },
    },
    "`tone`: the texts are called changed": {
      of: ({ candidates }) => Number((candidates[0]?.behaviour.text?.greater.p ?? 1) <= 0.05),
      promised: { least: repetitions },
    },
    ...Object.fromEntries(rows),
    "`kind=typo` is called worse": {
      of: (comparison) => Number(calledWorse(comparison).includes("kind=typo")),
      promised: { least: repetitions },
    },
    "a value of a tag is called worse for which nothing is planted (one prompt at the most)": {
      of: (comparison) => Number(calledWorse(comparison).some((value) => calmValues.has(value))),
      promised: { most: mostCries(repetitions) },
    },
  };
}

const experiments: readonly Experiment[] = [
  {
    name: "prod against prod, 165 prompts",
    repetitions: 200,
    run: { suite: "suite.yaml", candidate: "prod" },
    counts: unchanged(200),
  },
  {
    name: "prod against prod, 22 conversations of 58 turns",
    repetitions: 200,
    run: { suite: "conversations.yaml", candidate: "prod" },
    counts: unchanged(200),
  },
  {
    name: "prod against prod, 165 prompts, servers that get slower with each request",
    repetitions: 100,
    run: { suite: "suite.yaml", candidate: "prod", slowing: 1 },
    counts: {
      "the interval of the latency ratio holds 1": {
        of: ({ candidates }) => Number(holdsOne(candidates[0]?.latency?.interval ?? null)),
        promised: { least: 93 },
      },
    },
  },
  {
    name: "test against prod, 165 prompts",
    repetitions: 50,
    run: { suite: "suite.yaml", candidate: "test" },
    counts: foundIn(50),
  },
  {
    name: `test against prod, only the ${165 - touched.size} prompts for which nothing is planted`,
    repetitions: 50,
    run: { suite: "suite.yaml", candidate: "test", without: touched },
    counts: {
      "the verdict is a regression": {
        of: ({ verdict }) => Number(verdict === "regression"),
        promised: { most: mostCries(50) },
      },
      "a value of a tag is called worse": {
        of: (comparison) => Number(calledWorse(comparison).length > 0),
        promised: { most: mostCries(50) },
      },
    },
  },
];
