import { readComparison } from "../../../app/saved-comparison.ts";
import { stateNow } from "../../../store/batch-state.ts";
import { type Batch, batchTargets, findBatch, listBatches } from "../../../store/batches.ts";
import { type BatchJobs, jobsOfBatches, ownVerdicts } from "../../../store/batch-overview.ts";
import { againstOf, type StoredComparison, storedComparisons } from "../../../store/compared/comparisons.ts";
import { AppError } from "../../../errors.ts";
import type { Connection } from "../../../store/connection.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import { knownPath } from "../../../store/read-only-folder.ts";
import { type FoundRecord, recordsWithId } from "../../../store/results/run-records.ts";
import { targetTallies } from "../../../store/results/results.ts";
import type { CommandResult } from "../../command-result.ts";
import {
  batchListText,
  recordText,
  batchShowText,
  type BatchSummary,
  type ShownTarget,
  suiteHistoryText,
  type SuiteNight,
} from "./batches.text.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { BatchesFlags } from "./batches.ts";

/** The batches of a results folder, those of a suite over time, or one. */
export function shownBatches(flags: Pick<BatchesFlags, "action" | "batch" | "suite" | "results">): CommandResult {
  using db = openDatabase(databasePath(flags.results), { reading: true, evenIfFull: true });
  return flags.action === "show" ? shown(db, flags) : listed(db, flags);
}

function listed(db: Connection, { suite }: Pick<BatchesFlags, "suite">): CommandResult {
  const batches = listBatches(db, suite);
  const summary = summaries(db, null);
  if (suite === undefined) {
    const rows = batches.map(summary);
    const data = { batches: rows } satisfies JsonData["batches"];
    return { data, text: batchListText(rows, knownPath(db.name)) };
  }
  const nights = batches.map((batch) => ({ ...summary(batch), ...resultOf(db, batch) }));
  const data = { batches: nights } satisfies JsonData["batches"];
  return { data, text: suiteHistoryText(nights, knownPath(db.name)) };
}

function shown(db: Connection, { batch: [reference = "latest"] }: Pick<BatchesFlags, "batch">): CommandResult {
  const batch = batchOrRecords(db, reference);
  if (Array.isArray(batch)) {
    const data = { records: batch } satisfies JsonData["batches"];
    return { data, text: batch.map(recordText).join("\n\n") };
  }
  const summary = summaries(db, batch.id)(batch);
  const targets = targetsOf(db, batch);
  const { seed, version: tandem, suiteHash, datasetHash } = batch;
  const own = { seed, tandem, suiteHash, datasetHash, targets };
  const data = { ...summary, ...own } satisfies JsonData["batches"];
  return { data, text: batchShowText(batch, summary, targets) };
}

/** A batch by its name; or, where no batch has it, the records of that id over all batches. */
function batchOrRecords(db: Connection, reference: string): Batch | FoundRecord[] {
  try {
    return findBatch(db, reference);
  } catch (error) {
    const records = error instanceof AppError && error.code === "BATCH_NOT_FOUND" ? recordsWithId(db, reference) : [];
    if (records.length === 0) throw error;
    return records;
  }
}

/** Tells of batches what a list says of each; what is counted is counted once for all of them (null), or for one. */
function summaries(db: Connection, batchId: number | null): (batch: Batch) => BatchSummary {
  const counts = jobsOfBatches(db, batchId);
  const verdicts = ownVerdicts(db);
  return (batch) => {
    const { id, name, suiteName: suite, createdAt } = batch;
    const { state, reason } = stateNow(db, batch);
    const { jobs, unfinished, spared, atService } = counts.get(id) ?? noJobs;
    return {
      name,
      suite,
      state,
      reason,
      createdAt: new Date(createdAt).toISOString(),
      jobs,
      finished: jobs - unfinished - spared,
      spared,
      atService,
      ...(verdicts.get(id) ?? { verdict: null, word: null }),
    };
  };
}

const noJobs: BatchJobs = { jobs: 0, unfinished: 0, spared: 0, atService: 0 };

/** The batch's own comparison as it is kept, or its latest; null without any. */
function savedComparison(db: Connection, { id }: Batch): StoredComparison | null {
  const all = storedComparisons(db, id);
  return all.find(({ against }) => against === "") ?? all.at(-1) ?? null;
}

function resultOf(db: Connection, batch: Batch): Omit<SuiteNight, keyof BatchSummary> {
  const kept = savedComparison(db, batch);
  if (kept === null) return { against: null, scores: [] };
  const { targets } = readComparison(kept);
  const scores = targets.map(({ target, cases, scores: own }) => ({ target, cases, scores: own }));
  return { against: kept.against === "" ? againstOf(db, batch.id) : kept.against, scores };
}

function targetsOf(db: Connection, { id, suite }: Batch): ShownTarget[] {
  const tallies = targetTallies(db, id);
  return batchTargets(db, id).map(({ name, deployment, baseUrl, endpoint, exampleId, repeats }) => {
    const tally = tallies.find(({ target }) => target === name);
    const mode = suite.targets.find((target) => target.name === name)?.mode;
    const asked = { name, deployment, baseUrl, endpoint, exampleId, repeats };
    return { ...asked, ...(mode !== undefined && { mode }), ...tally };
  });
}
