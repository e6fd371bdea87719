import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { stringify } from "yaml";
import { z } from "zod";
import { acknowledgeChange } from "../../src/app/history/acknowledge.ts";
import { loadSuite, run } from "../../src/index.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { deskConcurrency, served } from "./desk-run.ts";
import type { Side } from "./desk.ts";
import { datasets } from "./sheet.ts";

const dayMs = 86_400_000;
/** The night of 24 October 2026, half past one in UTC. */
const firstNight = Date.UTC(2026, 9, 24, 1, 30);

/** A suite of the month: the bot that each of its nights tries, counted from 1, and what goes wrong then. */
interface MonthSuite {
  name: string;
  /** Prompts of the help desk with these categories; all when absent. */
  categories?: readonly string[];
  candidate: (night: number) => Side;
  /** Share of requests to the candidate that fail. */
  failing?: (night: number) => number;
  stops?: boolean;
}

/** Worse since night 19; an outage in the last run; worse for a while, which is acknowledged; and nothing at all. */
export const monthSuites: readonly MonthSuite[] = [
  { name: "help-desk", candidate: (night) => (night < 19 ? "prod" : "test") },
  {
    name: "bike-desk",
    categories: ["bike-prices", "bike-riding", "service", "facilities"],
    candidate: () => "prod",
    failing: (night) => (night === 30 ? 0.12 : 0),
  },
  {
    name: "opening-hours",
    categories: ["hours", "fees", "borrowing", "membership"],
    candidate: (night) => (night < 12 ? "prod" : "test"),
  },
  { name: "library-desk", candidate: () => "prod", stops: true },
];

/** Runs every suite once in each night, as `tandem run` does, into one results folder; only the dates are others. */
export async function runMonth(
  folder: string,
  { nights, suites = monthSuites }: { nights: number; suites?: readonly MonthSuite[] },
): Promise<string> {
  const out = join(folder, "results");
  for (let night = 31 - nights; night <= 30; night++) {
    for (const [place, suite] of suites.entries()) await runNight({ folder, out, night, place, suite });
  }
  const db = openDatabase(databasePath(out));
  if (suites.some(({ name }) => name === "opening-hours") && nights > 18) {
    const since = firstNight + 11 * dayMs;
    const said = {
      since,
      note: "The new prompt of the test bot: fees are told apart.",
      author: "Ada",
      at: since + dayMs,
    };
    acknowledgeChange(db, "opening-hours", said);
  }
  db.close();
  return out;
}

async function runNight(given: {
  folder: string;
  out: string;
  night: number;
  place: number;
  suite: MonthSuite;
}): Promise<void> {
  const { folder, out, night, place, suite: own } = given;
  const [prod, test] = [join(folder, "prod"), join(folder, "test")];
  rmSync(test, { recursive: true, force: true });
  const env = {
    PROD_BASE_URL: `local:${served(prod, { bot: "prod", seed: `prod ${night} ${place}` })}`,
    TEST_BASE_URL: `local:${served(test, { bot: own.candidate(night), seed: `test ${night} ${place}` })}`,
    PROD_API_KEY: "sk-not-needed",
    TEST_API_KEY: "sk-not-needed",
  };
  const rate = own.failing?.(night) ?? 0;
  if (rate > 0) {
    const fault = { kind: "500-run", rate, text: `(HTTP 503) upstream model is overloaded, request ${night}${place}` };
    writeFileSync(join(test, "deployment.yaml"), stringify({ faults: [fault] }));
  }
  const { suite } = await loadSuite(join(datasets, "help-desk/suite.yaml"), env);
  const deployments = suite.deployments.map((each) => ({
    ...each,
    concurrency: deskConcurrency,
    retries: 0,
    price: 0.002,
  }));
  const [sheet = ""] = suite.datasets;
  const decision = { ...suite.decision, ...(own.stops === true && { stopWhen: "decided" as const }) };
  const asked =
    own.categories === undefined ? sheet : chosenRows(join(folder, `${own.name}.csv`), sheet, own.categories);
  await run({
    suite: { ...suite, name: own.name, datasets: [asked], deployments, decision, reports: [] },
    out,
    seed: String(night),
    env,
  });
  const db = openDatabase(databasePath(out));
  const at = firstNight + (night - 1) * dayMs + place * 1_200_000;
  sqlite(db)
    .prepare(
      "UPDATE batch SET finished_at = finished_at - created_at + @at, created_at = @at WHERE id = (SELECT max(id) FROM batch)",
    )
    .run({ at });
  db.close();
}

/** Writes the rows of some categories to a sheet of their own, and returns its path. */
function chosenRows(path: string, sheet: string, categories: readonly string[]): string {
  const rows = z.array(z.array(z.string())).parse(parseCsv(readFileSync(sheet), { bom: true }));
  const place = rows[0]?.indexOf("category") ?? -1;
  const kept = rows.filter((row, at) => at === 0 || categories.includes(row[place] ?? ""));
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  writeFileSync(path, kept.map((row) => row.map(cell).join(",")).join("\n"));
  return path;
}
