import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Case } from "../../src/dataset/case.ts";
import type { Job } from "../../src/plan/job.ts";
import { type Batch, batchTargets, createBatch, findBatch } from "../../src/store/batches.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Connection } from "../../src/store/connection.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { casesInOrder, storeCases, storeJobs } from "../../src/store/plan/plan.ts";
import type { Suite } from "../../src/suite/suite.ts";

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty database as tandem makes it, made once: nine of ten tests of the store begin with one. */
let emptyDatabase: Buffer | null = null;

function makeEmptyDatabase(): Buffer {
  const path = join(temporaryFolder(), "tandem.db");
  openDatabase(path).close();
  return readFileSync(path);
}

/** A database of its own, closed when the test is over. */
export function temporaryDatabase(path = join(temporaryFolder(), "tandem.db")): Connection {
  emptyDatabase ??= makeEmptyDatabase();
  if (!existsSync(path)) writeFileSync(path, emptyDatabase, { mode: 0o600 });
  const db = openDatabase(path);
  // Nobody needs it after a power cut; `open` is tested on its own.
  sqlite(db).pragma("synchronous = OFF");
  onTestFinished(() => db.close());
  return db;
}

export const suite: Suite = {
  name: "help desk/नमस्ते",
  datasets: ["/data/prompts.csv"],
  mapping: { key: "id", input: null, expected: null, cluster: null, turn: null, opening: null, tags: [] },
  deployments: ["prod", "test"].map((name) => ({
    name,
    baseUrl: `https://${name}.example.test`,
    keyNames: [],
    concurrency: 4,
    rate: null,
    timeoutMs: 1_000,
    jobTimeoutMs: 60_000,
    retries: 2,
    price: null,
  })),
  targets: ["prod", "test"].map((name) => ({
    name,
    deployment: name,
    endpoint: "video-bots" as const,
    exampleId: "a",
    body: {},
  })),
  judges: [],
  repeats: 1,
  interleave: "off",
  onInDoubt: "resend",
  onAmbiguous: "retry",
  scorers: [],
  pass: { kind: "all", of: null, share: 1 },
  compare: { baseline: "prod", candidates: ["test"], noiseRepeats: 1 },
  decision: { gates: [], alpha: 0.05, nights: 1, ignore: [] },
  maxErrorShare: 0.05,
  folder: null,
};

export function oneCase(key: string, part: Partial<Case> = {}): Case {
  return {
    key,
    input: { input_prompt: `prompt of ${key}` },
    inputHash: key,
    expected: null,
    cluster: key,
    turn: 1,
    tags: {},
    checks: null,
    columns: { id: key },
    source: { file: "prompts.csv", row: 1, line: 2 },
    ...part,
  };
}

/** A planned batch of these cases for both targets, prod several times if asked; turns above 1 wait for the turn before. */
export async function plannedBatch(db: Connection, cases: Case[], runsOfProd = 1): Promise<Batch> {
  const batch = createBatch(db, {
    suite,
    seed: "1",
    version: "0.0.0",
    at: Date.UTC(2026, 10, 20, 19, 30, 12),
    repeatsOf: (target) => (target === "prod" ? runsOfProd : 1),
  });
  await storeCases(db, batch.id, { pages: pages(cases), rankOf: () => 0 });
  const targets = batchTargets(db, batch.id);
  const jobs: Job[] = [];
  for (const { id: caseId, cluster, turn } of casesInOrder(db, batch.id)) {
    for (const { id: targetId, repeats } of targets) {
      for (let repeat = 1; repeat <= repeats; repeat++)
        jobs.push({ kind: "case", caseId, targetId, repeat, cluster, turn, waits: turn > 1 });
    }
  }
  await storeJobs(db, batch.id, jobs);
  return findBatch(db, batch.name);
}

async function* pages(cases: Case[]): AsyncGenerator<Case[]> {
  yield cases;
}
