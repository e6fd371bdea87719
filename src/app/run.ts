import { hasChecks } from "../store/scores/scores.ts";
import type { FailOn } from "../errors.ts";
import type { Conclusion } from "./report/conclude.ts";
import type { AskingAgain } from "./confirm.ts";
import { checkAgainst } from "./compare/check-against.ts";
import { checkSecondLook } from "./compare/earlier-looks.ts";
import { openReference } from "./compare/pin-file.ts";
import { withLearned } from "./grade/learned.ts";
import { type PrepareOptions, type PreparedBatch, prepareBatch } from "./plan/prepare.ts";
import { checkScorers } from "./grade/scorers.ts";
import { tryOwnScorers } from "./grade/trial.ts";
import { gradeAndConclude } from "./last-stages.ts";
import { checkRace } from "./live/deciding.ts";
import { sendUnfinished } from "./live/send-unfinished.ts";
import { withWholeBatch } from "./send/send.ts";
import { mismatchLines, unreadLines } from "./plan/scorer-fit.ts";
import { removeAllLeftovers } from "../lib/leftovers.ts";
import type { Rerun } from "./report/next-step.ts";
import type { WantedReport } from "./report/report-writer.ts";
import type { CodeTrust } from "../score/contract/code-trust.ts";
import type { Batch } from "../store/batches.ts";
import { forgetBatch } from "../store/remove-batch.ts";
import { setAgainst } from "../store/compared/comparisons.ts";
import { databasePath, openDatabase } from "../store/database.ts";
import type { Connection } from "../store/connection.ts";
import { tryToWrite } from "../store/store-failure.ts";
import type { Suite } from "../suite/suite.ts";

export interface RunRequest extends PrepareOptions, AskingAgain {
  suite: Suite;
  /** The results folder. */
  out: string;
  /** Judges are not asked again what they have answered, for whatever batch. */
  cache: boolean;
  failOn: FailOn;
  /** The command that resumes the batch when the suite is corrected; left out: not known. */
  again?: string;
  /** Makes the command that runs the same once more; left out: not known. */
  rerun?: Rerun;
  /** Flags that a resume needs beside the batch's name; left out: none. */
  resumeFlags?: string;
  /** Reports beside those that the suite asks for. */
  reports?: readonly WantedReport[];
  /** Leave to run the modules and commands of the suite: the user named its file. null: it must have none. */
  trust: CodeTrust | null;
  /** Tries the scorers and one case of each target before the rest is sent. */
  preflight: boolean;
  /** Asks the judges about their anchors, as a night does; left out: no. */
  asksAnchors?: boolean;
  /** A pin, an exported pin's file or a batch that the targets are compared with; null: with each other. */
  against: string | null;
  /** Asks whether what was planned may be sent, and throws where it may not; left out: nobody is asked. */
  approve?: (prepared: PreparedBatch) => Promise<void>;
  onPrepared: (prepared: PreparedBatch) => void;
}

/** Dataset to report, in one go: every stage once, in order. */
export async function runSuite(given: RunRequest): Promise<Conclusion> {
  removeAllLeftovers(given.out);
  using db = openDatabase(databasePath(given.out));
  // Once: later, the latest batch is another.
  const request = { ...given, suite: withLearned(db, given.suite) };
  const { suite } = request;
  const scorers = await checkScorers(suite, given.trust);
  // The reference must be there before anything is sent.
  const against = request.against === null ? null : openReference(db, request.against);
  if (against !== null) for (const line of checkAgainst(db, against, { suite, scorers })) request.onNotice(line);
  const prepared = await prepareBatch(db, request.suite, request);
  if (against !== null) setAgainst(db, prepared.batch.id, against);
  await orForget(db, prepared.batch, () => checkSecondLook(db, prepared.batch));
  await orForget(db, prepared.batch, () => checkRace(db, prepared.batch, request));
  await orForget(db, prepared.batch, () => request.approve?.(prepared));
  request.onPrepared(prepared);
  const about = { expected: prepared.expected, hasChecks: hasChecks(db, prepared.batch.id) };
  // Where nothing is sent the verdict says so in a moment.
  const unread = suite.targets.every(({ stored }) => stored !== undefined) ? [] : unreadLines(suite, about);
  const lines = [...mismatchLines(suite, prepared.expected, db), ...unread, ...prepared.scorerNotes];
  for (const line of lines) request.onNotice(`warning: ${line}`);
  if (request.preflight) await orForget(db, prepared.batch, () => tryOwnScorers(db, prepared.batch, request));
  return await withWholeBatch(db, prepared.batch, async () => {
    const end = await sendUnfinished(db, prepared.batch, request);
    return gradeAndConclude(db, prepared.batch.name, { ...request, end });
  });
}

/** Does what may refuse a batch for which nothing was sent: it is forgotten again then. */
async function orForget(db: Connection, batch: Batch, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tryToWrite(() => forgetBatch(db, batch.id));
    throw error;
  }
}
