import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { parse, stringify } from "yaml";
import { z } from "zod";
import type { Comparison } from "../../src/compare/comparison.ts";
import { loadSuite, run } from "../../src/index.ts";
import { listBatches } from "../../src/store/batches.ts";
import { pairedResults } from "../../src/store/compared/paired-results.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import type { CaseResult } from "../../src/store/results/case-result.ts";
import { latestScoring } from "../../src/store/scores/scores.ts";
import { servedFolder, type Side } from "./desk.ts";
import { datasets } from "./sheet.ts";

/** A bot of the help desk as it is shipped, but for the seed of everything random in it. */
interface SeededBot {
  bot: Side;
  seed: string;
}

export interface DeskRun {
  /** Name of the suite in the folder of the help desk. */
  suite: "suite.yaml" | "conversations.yaml";
  baseline: SeededBot;
  candidate: SeededBot;
  /** Seed for the order of the cases, and for every draw of the comparison. */
  seed: string;
  /** Milliseconds that each request takes longer than the one before it; 0 when absent. */
  slowing?: number;
  /** Ids of prompts that are left out; none when absent. */
  without?: ReadonlySet<string>;
}

/** The result of one case. */
export interface ComparedRow {
  key: string;
  /** `worse`, `better` or `same`, by the primary metric. */
  verdict: string;
  /** Kind of change; `changed`: more than the baseline varies by itself. */
  change: string;
}

/** With the suite's own concurrency a run takes six seconds: mostly waiting, for bots that take their time. */
export const deskConcurrency = 24;

const comparedRow = z.object({ case_key: z.string(), verdict: z.string(), change: z.string() });

/**
 * A run of a shipped suite of the help desk with every stage of the program: two embedded deployments, requests, journal,
 * scores, comparison. Only the seeds of the two bots and the concurrency are others than those that are shipped.
 */
export async function runDesk(given: DeskRun): Promise<{ comparison: Comparison; rows: ComparedRow[] }> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-desk-"));
  try {
    const env = {
      PROD_BASE_URL: `local:${served(join(folder, "prod"), given.baseline, given.slowing)}`,
      TEST_BASE_URL: `local:${served(join(folder, "test"), given.candidate, given.slowing)}`,
      PROD_API_KEY: "sk-not-needed",
      TEST_API_KEY: "sk-not-needed",
    };
    const { suite } = await loadSuite(join(datasets, "help-desk", given.suite), env);
    const deployments = suite.deployments.map((deployment) => ({ ...deployment, concurrency: deskConcurrency }));
    const table = join(folder, "comparison.csv");
    const { summary } = await run({
      suite: { ...suite, deployments, datasets: [sheet(folder, suite.datasets[0] ?? "", given.without)], reports: [] },
      out: join(folder, "results"),
      seed: given.seed,
      env,
      reports: [{ format: "comparison", path: table }],
    });
    const rows = z.array(comparedRow).parse(parseCsv(readFileSync(table), { columns: true, bom: true }));
    return {
      comparison: summary.comparison,
      rows: rows.map(({ case_key: key, verdict, change }) => ({ key, verdict, change })),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The results of prod alone, asked so often for each prompt: every two of its runs are as alike as any others. */
export async function deskAnswers({ runs, seed }: { runs: number; seed: string }): Promise<CaseResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-desk-"));
  try {
    const env = {
      PROD_BASE_URL: `local:${served(join(folder, "prod"), { bot: "prod", seed })}`,
      PROD_API_KEY: "sk-not-needed",
      TEST_API_KEY: "sk-not-needed",
    };
    const { suite } = await loadSuite(join(datasets, "help-desk/suite.yaml"), env);
    const alone = {
      ...suite,
      targets: suite.targets.filter(({ name }) => name === "prod"),
      repeats: runs,
      compare: null,
      reports: [],
    };
    const deployments = suite.deployments.map((deployment) => ({ ...deployment, concurrency: deskConcurrency }));
    const out = join(folder, "results");
    await run({ suite: { ...alone, deployments }, out, seed, env });
    const db = openDatabase(databasePath(out), { reading: true });
    try {
      return listBatches(db, alone.name).flatMap(({ id }) => [
        ...pairedResults(db, [{ batchId: id, scoringId: latestScoring(db, id)?.id ?? null }]),
      ]);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the configuration with its seed to a folder that can be served, and returns the folder. */
export function served(folder: string, { bot, seed }: SeededBot, slowing = 0): string {
  mkdirSync(join(folder, "bots"), { recursive: true });
  const shipped = z
    .record(z.string(), z.json())
    .parse(parse(readFileSync(join(servedFolder(bot), "bots/helpdesk.yaml"), "utf8")));
  const knowledge = [join(datasets, "help-desk/knowledge")];
  writeFileSync(join(folder, "bots/helpdesk.yaml"), stringify({ ...shipped, seed, knowledge }));
  const slower = { kind: "delay", delay_ms: 0, grow_ms: slowing };
  if (slowing > 0) writeFileSync(join(folder, "deployment.yaml"), stringify({ faults: [slower] }));
  return folder;
}

/** The dataset, or a copy of it without some of its rows. */
function sheet(folder: string, path: string, without: ReadonlySet<string> | undefined): string {
  if (without === undefined) return path;
  const rows = z.array(z.array(z.string())).parse(parseCsv(readFileSync(path)));
  const kept = rows.filter(([id = ""]) => !without.has(id));
  const copy = join(folder, "prompts.csv");
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  writeFileSync(copy, kept.map((row) => row.map(cell).join(",")).join("\n"));
  return copy;
}
