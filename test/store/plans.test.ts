import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runCli } from "../../src/cli/cli.ts";
import { exitCodes } from "../../src/errors.ts";
import type { Connection } from "../../src/store/connection.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { startService } from "../e2e/service.ts";
import { temporaryFolder } from "./batch.ts";
import { answerOf, manyCommands, rows } from "./many-commands.ts";
import { badSteps, large, type PlanFault, planFaults } from "./query-plans.ts";
import { type SeenStatement, watchStatements } from "./watched-statements.ts";

/** Steps that look as if they read too much, and why they do not, or may. */
const meant: { site: string; text: string; why: string }[] = [
  {
    site: "journal/job-reader.ts",
    text: "SELECT max(job_id) FROM attempt",
    why: "Of a range SQLite takes the last row for max(), and reads no other.",
  },
  {
    site: "batch-jobs.ts",
    text: "SELECT coalesce(max(id), 0) FROM job",
    why: "The last row of the table, and no other.",
  },
  {
    site: "batch-jobs.ts",
    text: "UPDATE batch SET first_job = (SELECT min(id)",
    why: "The rows that this transaction has written are the last of the file: the first and the last of them are taken.",
  },
  {
    site: "journal/job-states.ts",
    text: "",
    why: "The file of a worker holds one chunk alone, all of which is read.",
  },
  {
    site: "remove-batch.ts",
    text: "DELETE FROM question",
    why: "Once for a removal, however many batches go: to give their room back is a look at the whole file.",
  },
  {
    site: "results/run-records.ts",
    text: "WHERE run_record.id = ?",
    why: "A person asks for one run by its id: an index of ids costs each answer 15 us of CPU. What was sent for the record is found by one.",
  },
];

/** Files whose statements are about no batch. */
const aboutNothing = new Set(["commit-trial.ts", "database.ts", "life-file.ts", "schema.ts", "sqlite.ts"]);

const store = new URL("../../src/store/", import.meta.url).pathname;

/** File and line of every call that prepares a statement. */
function sites(): string[] {
  const files = readdirSync(store, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return files
    .filter((file) => !aboutNothing.has(file))
    .flatMap((file) =>
      readFileSync(join(store, file), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          /\.prepare\b|\b(?:select(?:Row|Value)s?|execute)[<(]/.test(line) ? [`${file}:${index + 1}`] : [],
        ),
    );
}

/** Does all commands in a folder of its own, in this process; the statements, and the database before the last removal. */
async function seenStatements(): Promise<{ path: string; statements: SeenStatement[] }> {
  const folder = temporaryFolder();
  const { url } = await startService(answerOf);
  const [before, watch] = [process.cwd(), watchStatements()];
  onTestFinished(() => {
    watch.end();
    process.chdir(before);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  process.chdir(folder);
  mkdirSync("results");
  vi.stubEnv("TANDEM_API_KEY", "sk-test-0123456789");
  let said = "";
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => (said += String(text)) !== "");
  const codeOf = async (args: string[]): Promise<number> => {
    watch.begin();
    said = "";
    return runCli(args);
  };
  // Some of them find a regression, or stop.
  const run = async (...args: string[]): Promise<void> => {
    const code = await codeOf(args);
    expect([0, 1, 3, 4], said).toContain(code);
  };
  const refused = async (...args: string[]): Promise<void> => {
    const code = await codeOf(args);
    expect(code, said).toBe(exitCodes.usage.code);
  };
  const inside = async (work: (db: Connection) => unknown, results = "results"): Promise<void> => {
    watch.begin();
    const db = openDatabase(databasePath(results));
    await work(db);
    db.close();
  };
  await manyCommands({ folder, url, run, refused, inside });
  const path = join(folder, "before-removal.db");
  copyFileSync(databasePath("results"), path);
  await run("batches", "remove", "stored", "--yes");
  await run("batches", "prune", "--keep", "1", "--yes");
  return { path, statements: watch.seen() };
}

/** Statistics as `ANALYZE` of some tool of the user's leaves them; tandem makes none. */
function analyse(path: string): void {
  const db = new Database(path);
  db.exec("ANALYZE");
  db.close();
}

/** Statistics as if every large table had a thousand times the rows. */
function enlarge(path: string): void {
  const db = new Database(path);
  const rowsOf = db.prepare<[string], [string | null, string]>("SELECT idx, stat FROM sqlite_stat1 WHERE tbl = ?");
  const update = db.prepare("UPDATE sqlite_stat1 SET stat = ? WHERE tbl = ? AND idx IS ?");
  for (const table of large)
    for (const [index, stat] of rowsOf.raw().all(table)) update.run(stat.replace(/\d+/, "$&000"), table, index);
  db.exec("DELETE FROM sqlite_stat4");
  db.close();
}

describe("the plans of SQLite", () => {
  test("read no more of a large table than a statement is about, with and without statistics", async () => {
    const { path, statements: all } = await seenStatements();
    const statements = all.filter(({ site }) => !aboutNothing.has(site.replace(/:\d+$/, "")));
    const seen = new Set(statements.map(({ site }) => site));
    const unseen = sites().filter((site) => !seen.has(site));
    expect(unseen, "statements that nothing in many-commands.ts runs").toEqual([]);

    const used = new Set<object>();
    const isMeant = ({ site, text }: PlanFault): boolean => {
      const found = meant.find((each) => site.startsWith(`${each.site}:`) && text.includes(each.text));
      if (found !== undefined) used.add(found);
      return found !== undefined;
    };
    const faults = (): PlanFault[] => planFaults(path, { statements, often: rows }).filter((fault) => !isMeant(fault));
    expect(faults()).toEqual([]);
    analyse(path);
    expect(faults()).toEqual([]);
    enlarge(path);
    expect(faults()).toEqual([]);
    expect(meant.filter((each) => !used.has(each))).toEqual([]);
  });

  const of = (text: string, ...steps: string[]): string[] => badSteps(text, steps, false);
  const repeated = (text: string, ...steps: string[]): string[] => badSteps(text, steps, true);

  test("are known by the tables behind the names of a statement", () => {
    const text = `SELECT 1 FROM earlier JOIN job AS later ON later.id = earlier.id JOIN "case" ON true`;
    const bad = ["SCAN later", "SCAN case USING INDEX case_by_key"];
    expect(of(text, "SCAN earlier", "SCAN batch", "SCAN json_each VIRTUAL TABLE INDEX 1:", ...bad)).toEqual(bad);
    // What SQLite looks up for a reference is in no text.
    expect(of("DELETE FROM target", "SCAN job")).toEqual(["SCAN job"]);
  });

  test("are bad where an index is made, or passed over, or bounded at one end alone", () => {
    const bad = [
      "SEARCH job USING AUTOMATIC PARTIAL COVERING INDEX (kind=?)",
      "SEARCH job USING INDEX job_by_case (ANY(case_id) AND target_id=?)",
      "SEARCH job USING INTEGER PRIMARY KEY (rowid>?)",
      "SEARCH job USING INDEX job_by_wait (waits_for>?)",
      // For min() or max(): row by row from one end, up to the first that the statement is about.
      "SEARCH job",
    ];
    const good = [
      "SEARCH job USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH job USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
      "SEARCH job USING INDEX judge_job (batch_id=?)",
    ];
    expect(of("SELECT 1 FROM job", ...bad, ...good)).toEqual(bad);
  });

  test("are bad where a batch is read for each of its rows", () => {
    const bad = [
      "SEARCH case USING INDEX case_by_key (batch_id=?)",
      "SEARCH job USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
    ];
    const good = [
      "SEARCH case USING INDEX case_by_key (batch_id=? AND key=?)",
      "SEARCH score USING PRIMARY KEY (scoring_id=? AND case_id>? AND case_id<?)",
    ];
    expect(repeated(`SELECT 1 FROM job, "case", score`, ...bad, ...good)).toEqual(bad);
  });
});
