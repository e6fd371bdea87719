import { createWriteStream, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import Database from "better-sqlite3";
import { measure, type Usage } from "./measure.ts";

const program = (name: string): string => join(import.meta.dirname, name);
/** The built command. */
export const tandem = join(import.meta.dirname, "../../dist/main.js");

/** The tools with which every figure is measured. */
export interface Bench {
  /** A folder for datasets and databases. */
  folder: string;
  /** Number of times a pair is measured; the median counts. */
  laps: number;
  /** Number of jobs that workers share. */
  jobs: number;
  /** Number of workers. */
  workers: number;
  /** True to leave out figures that take many minutes. */
  quick: boolean;
  /** A promptfoo's main.js to measure beside; null: there is none. */
  promptfoo: string | null;
  /** Peak memory at 100,000 rows in KiB, once it is measured. */
  peakKb: number | null;
  /** Called with the name of the figure that is measured. */
  note: (text: string) => void;
}

/** Writes a dataset of so many prompts, each different, and returns its path. */
export async function prompts(bench: Bench, rows: number): Promise<string> {
  const path = join(bench.folder, `prompts-${rows}.csv`);
  const file = createWriteStream(path);
  file.write("id,input_prompt\n");
  for (let row = 0; row < rows; row++) {
    if (!file.write(`k${row},What is the price of ticket number ${row} on a Sunday?\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  return path;
}

export interface Run {
  dataset: string;
  url: string;
  concurrency: number;
  /** True to write every report file; false to make the summary alone. */
  reports?: boolean;
  /** Keys of the suite: of its deployment and its target, and lines of its own. */
  keys?: { deployment?: string; target?: string; suite?: string };
  more?: string[];
  codes?: number[];
}

/** Runs a dataset against one deployment with a new database; what it used. */
export function runTandem(bench: Bench, given: Run): Promise<Usage> {
  rmSync(join(bench.folder, "results"), { recursive: true, force: true });
  const suite = join(bench.folder, "suite.yaml");
  const keys = { deployment: "", target: "", suite: "", ...given.keys };
  writeFileSync(
    suite,
    `dataset: ${JSON.stringify(given.dataset)}
deployments: { a: { base_url: "${given.url}", api_key_env: TANDEM_API_KEY, concurrency: ${given.concurrency}, ${keys.deployment} } }
targets: { a: { deployment: a, endpoint: video-bots, example_id: x, ${keys.target} } }
${keys.suite}
${given.reports === true ? "" : "reports: [terminal]\n"}`,
  );
  const args = [tandem, "run", suite, "--quiet", ...(given.more ?? [])];
  return measure(args, { cwd: bench.folder, codes: given.codes ?? [0] });
}

/** A run of a dataset against two bots with every report, in a results folder of its own. `suite`: more lines of it. */
export async function runTwoSides(
  bench: Bench,
  { dataset, url, out, suite = "" }: { dataset: string; url: string; out: string; suite?: string },
): Promise<Usage> {
  const side = (name: string): string => `{ deployment: d, endpoint: video-bots, example_id: ${name} }`;
  rmSync(join(bench.folder, out), { recursive: true, force: true });
  writeFileSync(
    join(bench.folder, "two-sides.yaml"),
    `dataset: ${JSON.stringify(dataset)}
deployments: { d: { base_url: "${url}", api_key_env: TANDEM_API_KEY, concurrency: 64 } }
targets: { a: ${side("a")}, b: ${side("b")} }
${suite}`,
  );
  return measure([tandem, "run", "two-sides.yaml", "--quiet", "--results", out], { cwd: bench.folder });
}

/** The yardstick: so many requests by a bare `Pool.request` loop. */
export function runBareLoop(url: string, requests: number, concurrency: number): Promise<Usage> {
  return measure([program("bare-loop.mjs"), url, String(requests), String(concurrency)]);
}

/** One number from the database that the last run wrote. */
export function fromDatabase(bench: Bench, sql: string): number {
  const db = new Database(join(bench.folder, "results/tandem.db"), { readonly: true });
  try {
    return Number(db.prepare(sql).pluck().get());
  } finally {
    db.close();
  }
}
