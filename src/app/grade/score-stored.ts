import { exitCodes, AppError } from "../../errors.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import { openDatabase, databasePath } from "../../store/database.ts";
import type { ExpectedTexts } from "../../store/scores/graded-by.ts";
import type { Suite } from "../../suite/suite.ts";
import { applyLearnedExpectations } from "./learned.ts";
import type { RunContext } from "../context.ts";
import { scoreBatch } from "./score-batch.ts";
import { scoreReport, type ScoreReport } from "./score-report.ts";
import { Sheets } from "../../dataset/sheets.ts";
import type { Case } from "../../dataset/case.ts";
import type { Connection } from "../../store/connection.ts";
import { plannedExpectation } from "../../store/plan/expectation.ts";
import { readCases } from "../plan/prepare.ts";

interface StoredScoreOptions {
  /** The expected texts of the suite's datasets count, as they are now. */
  readsExpected: boolean;
  /** Grades although neither scorers nor answers are new. */
  again: boolean;
}

/** The result of a scoring, and its exit code. */
export interface ScoreConclusion {
  batch: Batch;
  report: ScoreReport;
  exitCode: number;
}

/** Grades the stored records of a batch again, with its own suite or another. */
export async function scoreStored(
  run: RunContext,
  reference: string,
  { readsExpected, again }: StoredScoreOptions,
): Promise<ScoreConclusion> {
  const { db, onNotice } = run;
  const batch = findBatch(db, reference);
  checkRead(db, batch);
  const suite = applyLearnedExpectations(db, run.suite);
  const expected: ExpectedTexts = readsExpected ? await expectedNow(db, batch, suite, onNotice) : new Map();
  if (expected.size > 0) {
    const [cases, are] = expected.size === 1 ? ["1 row has", "it is"] : [`${expected.size} rows have`, "they are"];
    onNotice(`${cases} another expected answer than in ${batch.name}: ${are} graded by the one of now.`);
  }
  const scored = await scoreBatch({ ...run, suite }, batch, { again, expected, isLater: true });
  const stopped = scored.end.stopped.length > 0;
  return {
    batch: findBatch(db, batch.name),
    report: scoreReport(db, batch, { scored, suite }),
    exitCode: stopped ? exitCodes.couldNotRun.code : exitCodes.ok.code,
  };
}

/** The batch of a reference, and the suite that its scoring goes by: its own, unless another is given. */
export function storedSuite(out: string, reference: string, given: Suite | null): { batch: string; suite: Suite } {
  using db = openDatabase(databasePath(out), { reading: true });
  const batch = findBatch(db, reference);
  // Before keys are looked up, and told of.
  checkRead(db, batch);
  const { name, suite } = batch;
  return { batch: name, suite: given ?? suite };
}

/**
 * Reads from the datasets of a suite what is expected now of the cases of a batch, as far as it is another text than when
 * the batch was planned. A dataset that cannot be read, or expects nothing at all, changes nothing.
 */
async function expectedNow(
  db: Connection,
  batch: Batch,
  suite: Suite,
  onNotice: (message: string) => void,
): Promise<ExpectedTexts> {
  const texts = new Map<number, string | null>();
  // Standard input was read when the batch was planned.
  if (suite.datasets.includes("-")) return texts;
  const planned = plannedExpectation(db, batch.id);
  let expects = false;
  using sheets = new Sheets({ folder: process.cwd() });
  const note = ({ key, inputHash, expected }: Case): void => {
    expects ||= expected !== null;
    const then = planned(key, inputHash);
    if (then !== null && then.expected !== expected) texts.set(then.caseId, expected);
  };
  try {
    for await (const page of readCases(suite, { ...options, sheets })) page.forEach(note);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onNotice(`The expected answers stay those of ${batch.name}: ${error.message.split("\n")[0] ?? ""}`);
    return new Map();
  }
  return expects ? texts : new Map();
}

const options = {
  skipInvalid: true,
  onNotice: () => undefined,
};
