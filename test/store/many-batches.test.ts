import { describe, expect, onTestFinished, test } from "vitest";
import { carryOut, prunedRemoval } from "../../src/app/batches/remove-batches.ts";
import { shownBatches } from "../../src/cli/commands/batches/batches.run.ts";
import { jobsOfBatches } from "../../src/store/batch-overview.ts";
import { type Batch, findBatch, listBatches, setBatchState } from "../../src/store/batches.ts";
import { keepComparison, setAgainst } from "../../src/store/compared/comparisons.ts";
import type { Connection } from "../../src/store/connection.ts";
import { databasePath } from "../../src/store/database.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { unfinishedJobs } from "../../src/store/journal/unfinished.ts";
import { lockBatch } from "../../src/store/lock.ts";
import { addSecondLook } from "../../src/store/plan/second-look.ts";
import { spareJobs, sparedJobs } from "../../src/store/plan/spared.ts";
import { caseResults } from "../../src/store/results/results.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "./batch.ts";
import { watchStatements } from "./watched-statements.ts";

const some = (count: number) => Array.from({ length: count }, (_none, place) => oneCase(`k${place}`));

/** Ends all jobs of a batch but so many. */
function answer(db: Connection, { id }: Batch, left = 0): void {
  const end = sqlite(db).prepare(
    "UPDATE job SET outcome = 'ok' WHERE id IN (SELECT id FROM job WHERE batch_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)",
  );
  end.run(id, left);
  if (left === 0) setBatchState(db, id, "finished");
}

/** A folder with so many finished batches, each compared with itself. */
async function finishedBatches(count: number): Promise<{ out: string; db: Connection }> {
  const out = temporaryFolder();
  const db = temporaryDatabase(databasePath(out));
  for (let made = 0; made < count; made++) {
    const batch = await plannedBatch(db, some(3));
    answer(db, batch);
    const summary = JSON.stringify({ targets: [], candidates: [] });
    const kept = { batchId: batch.id, seed: "1", word: null, summary, version: "1", createdAt: made, verdict: "pass" };
    keepComparison(db, { ...kept, against: "" });
  }
  return { out, db };
}

/** The statements that a piece of work takes. */
function statementsOf(work: () => unknown): { prepared: number; run: number } {
  const watch = watchStatements();
  onTestFinished(() => watch.end());
  work();
  const counts = watch.counts();
  watch.end();
  return counts;
}

/** The batches as they are printed. */
function listed(out: string): { name: string; jobs: number; finished: number; [member: string]: unknown }[] {
  const { data } = shownBatches({
    action: "list",
    results: out,
    batch: [],
    suite: undefined,
  });
  return JSON.parse(JSON.stringify(data)).batches;
}

describe("a folder with many batches", () => {
  test("is listed with as many statements as one with few", async () => {
    const [few, many] = [await finishedBatches(3), await finishedBatches(40)];
    const list = ({ out }: { out: string }) => statementsOf(() => listed(out));
    expect(list(many)).toEqual(list(few));
    expect(listed(many.out)).toHaveLength(40);
    expect(listed(many.out)[7]).toMatchObject({ state: "finished", jobs: 6, finished: 6, verdict: "pass" });
  });

  test("is pruned with statements that are prepared once, however many batches go", async () => {
    const prune = ({ db }: { db: Connection }, keep: number) =>
      statementsOf(() => {
        const removal = prunedRemoval(db, { keep, before: null }, false);
        carryOut(db, removal);
      }).prepared;
    const [few, many] = [await finishedBatches(4), await finishedBatches(40)];
    expect(prune(many, 2)).toBe(prune(few, 2));
    expect(listBatches(many.db)).toHaveLength(2);
    const rows = ["job", '"case"', "target", "comparison"].map((table) =>
      sqlite(many.db).prepare<[], number>(`SELECT count(DISTINCT batch_id) FROM ${table}`).pluck().get(),
    );
    expect(rows).toEqual([2, 2, 2, 2]);
  });

  test("has each batch counted as if it were alone: unfinished, spared, at the service, asked again and asked of judges", async () => {
    const out = temporaryFolder();
    const db = temporaryDatabase(databasePath(out));
    const finished = await plannedBatch(db, some(5));
    answer(db, finished);
    const spared = await plannedBatch(db, some(6));
    answer(db, spared, 7);
    spareJobs(db, spared.id);
    const again = await plannedBatch(db, some(4));
    answer(db, again);
    const stopped = await plannedBatch(db, some(7));
    answer(db, stopped, 9);
    setBatchState(db, stopped.id, "stopped", { reason: "Ctrl-C" });
    // Its further jobs lie behind those of another batch, as do the questions that were asked about an earlier one.
    const [one] = caseResults(db, again.id);
    const [job] = one?.jobs ?? [];
    const further = { kind: "case", caseId: one?.caseId ?? 0, targetId: job?.targetId ?? 0, repeat: 2 } as const;
    addSecondLook(db, again.id, { jobs: [{ ...further, cluster: "k0", turn: 1, waits: false }], at: 1 });
    const question = sqlite(db).prepare(
      `INSERT INTO job (batch_id, target_id, case_id, repeat, kind)
       SELECT batch_id, target_id, case_id, 9, 'judge' FROM job WHERE batch_id = ?`,
    );
    question.run(finished.id);
    const running = await plannedBatch(db, some(3));
    setBatchState(db, running.id, "running");
    const killed = await plannedBatch(db, some(2));
    setBatchState(db, killed.id, "running");
    setAgainst(db, killed.id, { name: finished.name, target: null, batches: [finished] });
    const journal = createJournal(db, running.id);
    const jobId = [...caseResults(db, running.id)][0]?.jobs[0]?.jobId ?? 0;
    const sending = { jobId, number: 1, queuedAt: 1 };
    await journal.sending({ ...sending, service: null });
    await journal.taken({ ...sending, sentAt: 1, run: { id: "r", url: null, createdAt: null } });
    const empty = await plannedBatch(db, []);
    const lock = lockBatch(db, running.id);

    const counts = jobsOfBatches(db, null);
    for (const { id } of listBatches(db)) {
      const own = {
        unfinished: [...unfinishedJobs(db, id).values()].reduce((sum, count) => sum + count, 0),
        spared: sparedJobs(db, id),
        atService: id === running.id ? 1 : 0,
      };
      if (id !== empty.id) expect(counts.get(id)).toMatchObject(own);
      expect(jobsOfBatches(db, id).get(id)).toEqual(counts.get(id));
    }
    const rows = listed(out).map(({ state, jobs, finished: done, spared: left, atService }) => [
      state,
      jobs,
      done,
      left,
      atService,
    ]);
    // Nobody has those that were planned long ago, as they do not run.
    expect(rows).toEqual([
      ["finished", 10, 10, 0, 0],
      ["killed", 12, 5, 7, 0],
      ["killed", 9, 8, 0, 0],
      ["stopped", 14, 5, 0, 0],
      ["running", 6, 0, 0, 1],
      ["killed", 4, 0, 0, 0],
      ["killed", 0, 0, 0, 0],
    ]);
    lock.release();
  });

  test("has a batch found by its place among all, or among those of its suite", async () => {
    const { db } = await finishedBatches(4);
    const names = listBatches(db).map(({ name }) => name);
    const found = ["latest", "latest~1", "help desk/नमस्ते", "help desk/नमस्ते~3"].map((name) => findBatch(db, name).name);
    expect(found).toEqual([names[3], names[2], names[3], names[0]]);
    for (const far of ["latest~4", "latest~99999999999999999999"])
      expect(() => findBatch(db, far)).toThrow(expect.objectContaining({ code: "BATCH_NOT_FOUND" }));
    expect(statementsOf(() => findBatch(db, "latest~2"))).toEqual({ prepared: 2, run: 2 });
  });
});
