import { exitCodes } from "../../errors.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import { openDatabase, databasePath } from "../../store/database.ts";
import type { ExpectedTexts } from "../../store/scores/graded-by.ts";
import type { Suite } from "../../suite/suite.ts";
import { expectedNow } from "./expected-now.ts";
import { withLearned } from "./learned.ts";
import { scoreBatch, type ScoreBatchOptions } from "./score-batch.ts";
import { scoreReport, type ScoreReport } from "./score-report.ts";

export interface ScoreRequest extends Omit<ScoreBatchOptions, "suite"> {
  out: string;
  batch: string;
  /** One that the user names; null: the one that is stored with the batch. */
  suite: Suite | null;
  /** The expected texts of the suite's datasets count, as they are now. */
  readsExpected: boolean;
}

/** The result of a scoring, and its exit code. */
export interface ScoreConclusion {
  batch: Batch;
  report: ScoreReport;
  exitCode: number;
}

/** Grades the stored records of a batch again, with its own suite or another. */
export async function scoreStored(request: ScoreRequest): Promise<ScoreConclusion> {
  const db = openDatabase(databasePath(request.out), { mustExist: true });
  try {
    const batch = findBatch(db, request.batch);
    checkRead(db, batch);
    const suite = request.suite === null ? batch.suite : withLearned(db, request.suite);
    const expected: ExpectedTexts = request.readsExpected
      ? await expectedNow(db, batch, suite, request.onNotice)
      : new Map();
    if (expected.size > 0) {
      const [cases, are] = expected.size === 1 ? ["1 case has", "it is"] : [`${expected.size} cases have`, "they are"];
      request.onNotice(`${cases} another expected answer than in ${batch.name}: ${are} graded by the one of now.`);
    }
    const scored = await scoreBatch(db, batch, { ...request, suite, expected, isLater: true });
    const stopped = scored.end.stopped.length > 0;
    return {
      batch: findBatch(db, batch.name),
      report: scoreReport(db, batch, { scored, suite }),
      exitCode: stopped ? exitCodes.couldNotRun.code : exitCodes.ok.code,
    };
  } finally {
    db.close();
  }
}

/** The batch of a reference, and the suite that its scoring goes by: its own, unless another is given. */
export function storedSuite(out: string, reference: string, given: Suite | null): { batch: string; suite: Suite } {
  const db = openDatabase(databasePath(out), { reading: true });
  try {
    const batch = findBatch(db, reference);
    // Before keys are looked up, and told of.
    checkRead(db, batch);
    const { name, suite } = batch;
    return { batch: name, suite: given ?? suite };
  } finally {
    db.close();
  }
}
