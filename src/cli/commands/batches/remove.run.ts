import { type Removal, carryOut, namedRemoval, prunedRemoval } from "../../../app/batches/remove-batches.ts";
import { AppError } from "../../../errors.ts";
import { jobsOfBatches } from "../../../store/batch-overview.ts";
import { stateNow } from "../../../store/batch-state.ts";
import type { Connection } from "../../../store/connection.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import { isAllowed } from "../../ask.ts";
import { pruneRuleOf } from "../../flags/prune-flags.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { nothingGoesText, batchesRemovalText, batchesRemovedText } from "./remove.text.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { BatchesFlags } from "./batches.ts";

/** Shows what would go, asks, and removes it. */
export async function removeBatches(flags: BatchesFlags, terminal: Terminal): Promise<CommandResult> {
  const choose = choice(flags);
  using db = openDatabase(databasePath(flags.results), { mustExist: true });
  const removal = choose(db);
  const counts = jobsOfBatches(db, null);
  const rows = removal.going.map((batch) => ({
    ...batch,
    ...stateNow(db, batch),
    jobs: counts.get(batch.id)?.jobs ?? 0,
  }));
  if (!flags.json) terminal.print(rows.length === 0 ? nothingGoesText(removal) : batchesRemovalText(rows, removal));
  if (rows.length > 0 && !flags.yes && !(await isAllowed(questionOf(rows.length)))) return {};
  const { freed } = rows.length === 0 ? { freed: 0 } : carryOut(db, removal);
  const removed = rows.map(({ name, jobs }) => ({ name, jobs }));
  const staying = removal.staying.map(({ batch, reason }) => ({ name: batch.name, reason }));
  const data = { removed, staying, freedBytes: freed } satisfies JsonData["batches"];
  return { data, ...(rows.length > 0 && { text: batchesRemovedText(rows.length, freed) }) };
}

/** Checks the flags before anything is opened. */
function choice(flags: BatchesFlags): (db: Connection) => Removal {
  const { action, batch: batches, "lose-runs": losesRuns } = flags;
  if (action === "remove") {
    if (batches.length === 0)
      throw new AppError("USAGE", "batches remove needs the names of batches.", {
        hint: "`tandem batches` lists them.",
      });
    return (db) => namedRemoval(db, batches, losesRuns);
  }
  if (batches.length > 0)
    throw new AppError("USAGE", "batches prune takes no names.", { hint: "`tandem batches remove NAME` removes one." });
  const rule = pruneRuleOf(flags);
  if (rule === null) {
    throw new AppError("USAGE", "batches prune needs to know what to leave.", {
      hint: "For example: --keep 30 (of each suite), --older-than 90d, or both.",
    });
  }
  return (db) => prunedRemoval(db, rule, losesRuns);
}

const questionOf = (count: number): string =>
  `Remove ${count === 1 ? "this batch" : `these ${count} batches`} for good`;
