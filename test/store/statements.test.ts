import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createJournal } from "../../src/store/journal/journal.ts";
import { keepComparison, storedComparisons } from "../../src/store/compared/comparisons.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { caseResults } from "../../src/store/results/results.ts";
import { jobScores, latestScoring, beginScoring, finishScoring, scoreWriter } from "../../src/store/scores/scores.ts";
import { labelsOfJob, writeLabels } from "../../src/store/scores/labels.ts";
import { outcome } from "../runner/outcome.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

const store = new URL("../../src/store/", import.meta.url).pathname;

/** The table of every row that a text enters, and what stands behind its name. */
function inserts(text: string): { table: string; next: string }[] {
  const pattern = /\b(?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+)?INTO\s+([\w."${}]+)\s*(\S)/gi;
  return Array.from(text.matchAll(pattern), ([, table = "", next = ""]) => ({ table, next }));
}

test("every INSERT names its columns", () => {
  const files = readdirSync(store, { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|sql)$/.test(name));
  const found = files.flatMap((file) =>
    inserts(readFileSync(join(store, file), "utf8")).map((each) => ({ file, ...each })),
  );
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter(({ next }) => next !== "(")).toEqual([]);
  expect(inserts("INSERT OR IGNORE INTO temp.wanted VALUES (?)")).toEqual([{ table: "temp.wanted", next: "V" }]);
});

test("a run, its scores and its labels are kept where every table has a column that this tandem does not know", async () => {
  const db = temporaryDatabase();
  const sql = sqlite(db);
  const tables = sql
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all();
  for (const table of tables) sql.exec(`ALTER TABLE "${table}" ADD COLUMN later TEXT`);

  const batch = await plannedBatch(db, [oneCase("a")]);
  const journal = createJournal(db, batch.id);
  const targets = sql.prepare<[], number>("SELECT id FROM target").pluck().all();
  const [job] = journal.pending(targets, 0, 1);
  if (job === undefined) throw new Error("no job");
  await journal.sending({ jobId: job.id, number: 1, queuedAt: 1_000, service: "https://prod.example.test" });
  const body = Buffer.from('{"output":{"output_text":["yes"]}}');
  const answered = outcome({ kind: "ok", answer: "answered", record: { id: "a", url: "u", createdAt: null, body } });
  await journal.settle({ jobId: job.id, number: 1, queuedAt: 1_000, final: true, outcome: answered });
  const limits = { deployment: "prod", endpoint: "video-bots", at: 1_000, concurrency: 2, ceiling: 4 };
  await journal.notePace({ ...limits, rate: { count: 6, windowMs: 60_000 }, reason: "throttled" });
  expect(journal.lastPace("prod", "video-bots")).toMatchObject({ concurrency: 2, rate: { count: 6 } });
  expect(journal.sentSince("https://prod.example.test", 0)).toEqual([1_000]);

  const given = { batchId: batch.id, suiteHash: "", scorers: [], rule: batch.suite.pass, version: "1", answers: 1 };
  const scoring = beginScoring(db, given);
  const scores = scoreWriter(db, scoring.id);
  const score = { caseId: job.caseId, jobId: job.id, scorer: 0, value: 0.5, pass: true, reason: "half" };
  scores.add(score);
  scores.end();
  finishScoring(db, scoring, true);
  const label = { jobId: job.id, scorer: "", label: "good", value: 1, note: null, author: "Ada", at: 1_000 };
  expect(writeLabels(db, [label])).toEqual({ added: 1, changed: 0, same: 0 });
  const kept = {
    batchId: batch.id,
    against: "",
    seed: "1",
    word: null,
    verdict: "pass",
    summary: "{}",
    version: "1",
    createdAt: 1,
  };
  keepComparison(db, kept);

  const [result] = caseResults(db, batch.id);
  expect(result?.jobs[0]).toMatchObject({ jobId: job.id, outcome: "ok", runId: "a", body: body.toString() });
  expect(latestScoring(db, batch.id)?.id).toBe(scoring.id);
  expect(jobScores(db, scoring.id, score)).toEqual([{ value: 0.5, pass: true, reason: "half" }]);
  expect(labelsOfJob(db)(job.id)).toMatchObject([{ label: "good", author: "Ada" }]);
  expect(storedComparisons(db, batch.id)).toEqual([kept]);
});
