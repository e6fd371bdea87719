import { hasChecks } from "../store/scores/scores.ts";
import type { Conclusion } from "./report/conclude.ts";
import type { RunContext } from "./context.ts";
import { findReference, type Reference } from "./compare/batch-reference.ts";
import { checkAgainst } from "./compare/check-against.ts";
import { checkSecondLook } from "./compare/earlier-looks.ts";
import { applyLearnedExpectations } from "./grade/learned.ts";
import { type PrepareOptions, type PreparedBatch, prepareBatch } from "./plan/prepare.ts";
import { checkScorers } from "./grade/scorers.ts";
import { tryOwnScorers } from "./grade/trial.ts";
import { gradeAndConclude } from "./last-stages.ts";
import { checkRace } from "./live/deciding.ts";
import { sendUnfinished } from "./live/send-unfinished.ts";
import { withWholeBatch } from "./send/send.ts";
import { mismatchLines, unreadLines } from "./plan/scorer-fit.ts";
import type { Batch } from "../store/batches.ts";
import { forgetBatch } from "../store/remove-batch.ts";
import { setAgainst } from "../store/compared/comparisons.ts";
import type { Connection } from "../store/connection.ts";
import { tryToWrite } from "../store/store-failure.ts";

/** Options for planning the batch of a run. */
export interface RunPlan extends PrepareOptions {
  /** Asks whether what was planned may be sent, and throws where it may not. */
  approve?: (prepared: PreparedBatch) => Promise<void>;
}

/** Dataset to report, in one go: every stage once, in order. */
export async function runSuite(given: RunContext, plan: RunPlan): Promise<Conclusion> {
  const { db, trust, onNotice } = given;
  const { against: reference = null } = plan;
  // Once: later, the latest batch is another.
  const suite = applyLearnedExpectations(db, given.suite);
  const run = { ...given, suite };
  const scorers = await checkScorers(suite, trust);
  // The reference must be there before anything is sent.
  const against = reference === null ? null : await openedReference(db, reference);
  if (against !== null) for (const line of checkAgainst(db, against, { suite, scorers })) onNotice(line);
  const prepared = await prepareBatch(db, suite, plan);
  const { batch, expected, scorerNotes } = prepared;
  if (against !== null) setAgainst(db, batch.id, against);
  await forgetOnError(db, batch, async () => {
    checkSecondLook(db, batch);
    await checkRace(run, batch);
    await plan.approve?.(prepared);
    run.tell({ type: "planned", prepared });
    const about = { expected, hasChecks: hasChecks(db, batch.id) };
    // Where nothing is sent the verdict says so in a moment.
    const unread = suite.targets.every(({ stored }) => stored !== undefined) ? [] : unreadLines(suite, about);
    for (const line of [...mismatchLines(suite, expected, db), ...unread, ...scorerNotes]) onNotice(`warning: ${line}`);
    if (run.preflight) await tryOwnScorers(run, batch);
  });
  return await withWholeBatch(db, batch, async () => {
    const sent = await sendUnfinished(run, batch);
    return gradeAndConclude(run, batch.name, sent);
  });
}

/** Files of pins are read only where one is named. */
async function openedReference(db: Connection, text: string): Promise<Reference> {
  const { openReference } = await import("./compare/pin-file.ts");
  return findReference(db, openReference(db, text));
}

/** Does what may refuse a batch for which nothing was sent: it is forgotten again then. */
async function forgetOnError(db: Connection, batch: Batch, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tryToWrite(() => forgetBatch(db, batch.id));
    throw error;
  }
}
