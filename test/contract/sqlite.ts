import { batchTargets } from "../../src/store/batches.ts";
import type { Connection } from "../../src/store/connection.ts";
import { settleInDoubt } from "../../src/store/journal/in-doubt.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";
import type { ContractPlan, ContractStore } from "./journal.ts";

/** A plan in SQLite, as a run on one machine has it. */
export async function sqliteStore({ conversations, turns, inDoubt = "hold" }: ContractPlan): Promise<ContractStore> {
  const db = temporaryDatabase();
  const cases = Array.from({ length: conversations * turns }, (_none, index) => {
    const cluster = `c${Math.floor(index / turns)}`;
    return oneCase(`${cluster}-${(index % turns) + 1}`, { cluster, turn: (index % turns) + 1 });
  });
  const batch = await plannedBatch(db, cases);
  const [one, two] = batchTargets(db, batch.id);
  if (one === undefined || two === undefined) throw new Error("the batch has no two targets");
  return {
    journal: createJournal(db, batch.id),
    targets: [one.id, two.id],
    async successor() {
      settleInDoubt(db, batch.id, inDoubt);
      return createJournal(db, batch.id);
    },
    attempts: async () => attemptsOf(db),
    outcomes: async () => outcomesOf(db),
    stopped: async (target) => batchTargets(db, batch.id).find(({ id }) => id === target)?.stopped ?? null,
  };
}

function attemptsOf(db: Connection) {
  return sqlite(db)
    .prepare<[], { job: number; number: number; kind: string; body: Buffer | null }>(
      `SELECT job_id AS job, number, attempt.outcome AS kind, CAST(run_record.body AS BLOB) AS body FROM attempt
       LEFT JOIN run_record ON run_record.record = attempt.record ORDER BY job_id, number`,
    )
    .all();
}

function outcomesOf(db: Connection): Map<number, string> {
  const rows = sqlite(db).prepare<[], [number, string]>(
    "SELECT id, outcome FROM job WHERE outcome IS NOT NULL ORDER BY id",
  );
  return new Map(rows.raw().all());
}
