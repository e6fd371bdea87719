import type { FailOn } from "../errors.ts";
import { folderFlag } from "../lib/paths/results-folder.ts";
import type { Conclusion } from "./report/conclude.ts";
import type { AskingAgain } from "./confirm.ts";
import { type Accepted, acceptBatch } from "./plan/accept-changes.ts";
import { giveUpLost, refuseAtWorkers } from "./send/at-workers.ts";
import { checkHistory, sendsTurnsAlone } from "./plan/history-check.ts";
import { checkFiles } from "./send/changed-files.ts";
import { sendBatch, withWholeBatch } from "./send/send.ts";
import type { Transport } from "./send/transport.ts";
import { codeOfGates } from "./compare/code-of-gates.ts";
import { gradeAndConclude } from "./last-stages.ts";
import { sendRest, sendUnfinished } from "./live/send-unfinished.ts";
import type { PrepareOptions } from "./plan/prepare.ts";
import type { Rerun } from "./report/next-step.ts";
import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";
import { removeAllLeftovers } from "../lib/leftovers.ts";
import { withTargets } from "./plan/selection.ts";
import { latestUnfinished, unfinishedOf } from "./batches/unfinished-batch.ts";
import type { WantedReport } from "./report/report-writer.ts";
import type { CodeTrust } from "../score/contract/code-trust.ts";
import { defaultDoubtPolicy } from "../store/at-workers.ts";
import { checkRead } from "../store/batch-state.ts";
import { type Batch, findBatch, listBatches, reopenTargets } from "../store/batches.ts";
import { databasePath, openDatabase } from "../store/database.ts";
import type { Connection } from "../store/connection.ts";
import { failedJobs, reopenFailed } from "../store/plan/failed.ts";
import { sparedJobs, unspareJobs } from "../store/plan/spared.ts";
import { unfinishedJobs } from "../store/journal/unfinished.ts";
import { type InDoubtPolicy, type ResumedRequests, settleInDoubt } from "../store/journal/in-doubt.ts";
import { lockBatch } from "../store/lock.ts";
import type { Suite } from "../suite/suite.ts";
import { mayEndEarly } from "../suite/early-end.ts";
import { usedDeployments } from "../suite/used.ts";
import { typedSuite } from "../suite/suite-path.ts";

export interface ContinueRequest extends PrepareOptions, Going {
  suite: Suite;
  /** Leave to run the modules and commands of the suite: the user named its file. null: it must have none. */
  trust: CodeTrust | null;
  /** The command that resumes the batch when the suite is corrected; left out: not known. */
  again?: string;
  /** Makes the command that runs the same once more; left out: not known. */
  rerun?: Rerun;
  /** Asks the judges about their anchors, as a night does; left out: no. */
  asksAnchors?: boolean;
  /** Name of the batch that goes on, or SUITE~N; null: the suite's latest that is not finished. */
  batch: string | null;
  /** Runs what is still the same when dataset or suite have changed, instead of refusing. */
  acceptChanges: boolean;
  onAccepted: (accepted: Accepted) => void;
}

/**
 * The rest of the suite's latest unfinished batch, if dataset and suite are still what it was made of, within the limits
 * that the suite sets now. Throws BATCH_NOT_FOUND and BATCH_CHANGED.
 */
export async function continueSuite(request: ContinueRequest): Promise<Conclusion> {
  removeAllLeftovers(request.out);
  using db = openDatabase(databasePath(request.out), { mustExist: true });
  const batch = batchToResume(db, request);
  noteStopping(batch, request);
  const suite = withStoredTargets(request.suite, batch);
  if (sendsTurnsAlone(db, batch.id, { ...suite, mapping: batch.suite.mapping })) checkHistory(suite, request.errorOf);
  {
    using _lock = lockBatch(db, batch.id);
    request.onAccepted(await acceptBatch(db, batch, suite, request));
  }
  // Targets that are asked anew are stored as they are now.
  const stored = findBatch(db, batch.name);
  const { deployments, onInDoubt, onInDoubtOverWorkers, onAmbiguous, interleave, scorers, pass } = suite;
  const { judges, folder, files } = suite;
  const asked = { deployments, onInDoubt, onInDoubtOverWorkers, onAmbiguous, interleave };
  const now = { ...asked, scorers, pass, judges, folder, ...(files !== undefined && { files }) };
  return await goOn(db, { ...stored, suite: { ...stored.suite, ...now } }, request);
}

/** Says that a batch ends by the rule that it was begun with, where the suite has another by now. */
function noteStopping(batch: Batch, { suite, onNotice, rest }: ContinueRequest): void {
  if (rest !== true) noteRacing(batch, { suite, onNotice });
  const [then, now] = [batch, { suite }].map((each) => each.suite.decision.stopWhen ?? "never");
  if (then === now || rest === true) return;
  const message = `${batch.name} was begun with stop_when: ${then}, and resumes with that, not with ${now}`;
  const hint =
    then === "decided"
      ? "--rest sends everything, also what it could be decided without."
      : "All its cases are sent; only a new batch can stop before.";
  onNotice(`${message}. ${hint}`);
}

/** Says that a batch races, or does not, as it was begun, where the suite says something else by now. */
function noteRacing(batch: Batch, { suite, onNotice }: Pick<ContinueRequest, "suite" | "onNotice">): void {
  const [then, now] = [batch, { suite }].map((each) => each.suite.decision.race);
  if (then === now) return;
  const hint =
    then === undefined
      ? "All its cases are sent; only a new batch can race."
      : "--rest sends everything, also what the race left out.";
  onNotice(
    `${batch.name} was begun ${then === undefined ? "without a race" : `as a race (race: ${then})`}, and resumes so. ${hint}`,
  );
}

/** The one that is named, else the latest that is not finished; with `rest` also one that was decided without the rest of its cases, with `failed` one with rows without an answer. */
function batchToResume(db: Connection, { suite, batch: named, out, rest, failed }: ContinueRequest): Batch {
  if (named !== null) return ofSuite(findBatch(db, named), suite);
  const batches = listBatches(db, suite.name);
  const unfinished = unfinishedOf(db, batches, out);
  const stopped = rest === true ? batches.findLast(({ id }) => sparedJobs(db, id) > 0) : undefined;
  const lacking = failed === true ? batches.findLast(({ id }) => failedJobs(db, id) > 0) : undefined;
  const found = batches.findLast(({ id }) => [unfinished, stopped, lacking].some((each) => each?.id === id));
  if (found !== undefined) return found;
  throw new AppError("BATCH_NOT_FOUND", `${suite.name} has no unfinished batch in ${out}.`, {
    hint: `\`tandem run ${typedSuite(suite)}\` starts a new one.`,
  });
}

function ofSuite(batch: Batch, { name }: Suite): Batch {
  if (batch.suiteName === name) return batch;
  throw new AppError("USAGE", `${batch.name} is a batch of ${batch.suiteName}, and the file is the suite ${name}.`, {
    hint: "Name the batch or the suite file that belongs to the other.",
  });
}

/** The suite with the batch's own targets, as far as the suite still has them. */
function withStoredTargets(suite: Suite, batch: Batch): Suite {
  const then = batch.selection?.targets ?? [];
  const left = then.filter((name) => suite.targets.some((target) => target.name === name));
  return withTargets(suite, left);
}

interface Going extends AskingAgain {
  out: string;
  /** Sends one case to each target that has answered nothing yet, before the rest. */
  preflight: boolean;
  cache: boolean;
  failOn: FailOn;
  reports?: readonly WantedReport[];
  /** Flags that a resume needs beside the batch's name; left out: none. */
  resumeFlags?: string;
  /** null: what the suite says. */
  onInDoubt: InDoubtPolicy | null;
  /** Also what was left out, because it was decided without; left out: no. */
  rest?: boolean;
  /** Asks again what ended without an answer; left out: no. */
  failed?: boolean;
  onResumed: (batch: Batch, requests: ResumedRequests) => void;
  /** Stops it at the workers before it goes on here; left out: it is not there, or goes on there. */
  takeBack?: Transport;
  /** The database of its workers is gone for good: what has no answer here is in doubt. Left out: it is there. */
  workersLost?: boolean;
}

async function goOn(db: Connection, batch: Batch, request: Going & { trust: CodeTrust | null }): Promise<Conclusion> {
  checkRead(db, batch);
  return withWholeBatch(db, batch, () => restOf(db, batch, request));
}

async function restOf(db: Connection, batch: Batch, request: Going & { trust: CodeTrust | null }): Promise<Conclusion> {
  if (request.takeBack !== undefined) await sendBatch(db, batch, { ...request, way: request.takeBack });
  await checkFiles(db, batch);
  checkCode(db, batch, request);
  request.onResumed(batch, reopened(db, batch, request));
  const { suite } = batch;
  const end =
    request.rest === true
      ? await sendRest(db, batch, { ...request, suite })
      : await sendUnfinished(db, batch, { ...request, suite });
  return gradeAndConclude(db, batch.name, { ...request, suite, end });
}

/** Decides what is in doubt, and lets go of what was stopped or left out. Returns what was in flight when it ended. */
function reopened(db: Connection, batch: Batch, request: Going): ResumedRequests {
  using _lock = lockBatch(db, batch.id);
  // Where all that was sent and not brought is in doubt, no suite has thought of it.
  const usual = request.workersLost === true ? "hold" : defaultDoubtPolicy(db, batch.id, batch.suite);
  const policy = request.onInDoubt ?? usual;
  if (request.workersLost === true) request.onNotice(giveUpLost(db, batch, policy));
  const requests = settleInDoubt(db, batch.id, policy);
  reopenTargets(db, batch.id);
  if (request.rest === true) unspareJobs(db, batch.id);
  if (request.failed === true && reopenFailed(db, batch.id, Date.now()) === 0)
    request.onNotice(`${batch.name}: every run has an answer, so none is asked again`);
  return requests;
}

/**
 * Throws CODE_REFUSED where a batch that stops when it is decided could not be, whatever is sent: its gates take code of the
 * suite file, and this command names none.
 */
function checkCode(db: Connection, batch: Batch, { trust, rest, out }: Going & { trust: CodeTrust | null }): void {
  if (trust !== null || !mayEndEarly(batch.suite.decision)) return;
  const [name] = codeOfGates(batch.suite);
  const isLeft = unfinishedJobs(db, batch.id).size > 0 || (rest === true && sparedJobs(db, batch.id) > 0);
  if (name === undefined || !isLeft) return;
  const flags = `${rest === true ? " --rest" : ""}${folderFlag(out)}`;
  throw new AppError(
    "CODE_REFUSED",
    `${batch.name} is decided by the scorer ${showText(name)}, which runs code of its suite file: nothing is sent without it.`,
    { hint: `Name the file: tandem resume --suite ${typedSuite(batch.suite)}${flags}` },
  );
}

export interface ResumeRequest extends Going {
  /** Name or `SUITE~N`; null: the latest that is not finished. */
  batch: string | null;
  /** Longest wait for a service that cannot be reached; null: what the suite says. */
  waitForServiceMs: number | null;
}

/** The rest of a batch that was stopped, interrupted or killed, from the database alone. */
export async function resumeBatch(request: ResumeRequest): Promise<Conclusion> {
  removeAllLeftovers(request.out);
  using db = openDatabase(databasePath(request.out), { mustExist: true });
  const batch = request.batch === null ? latestUnfinished(request.out) : findBatch(db, request.batch);
  const suite = waitingFor(batch.suite, request.waitForServiceMs);
  return await goOn(db, { ...batch, suite }, { ...request, trust: null });
}

function waitingFor(suite: Suite, waitForServiceMs: number | null): Suite {
  if (waitForServiceMs === null) return suite;
  return { ...suite, deployments: suite.deployments.map((deployment) => ({ ...deployment, waitForServiceMs })) };
}

/** The deployments that a stored batch needs, for a resume; `isHere`: it is to be sent from here. */
export function batchDeployments(
  out: string,
  reference: string | null,
  { isHere }: { isHere: boolean },
): { batch: Batch; deployments: Suite["deployments"] } {
  using db = openDatabase(databasePath(out), { mustExist: true });
  const batch = reference === null ? latestUnfinished(out) : findBatch(db, reference);
  checkRead(db, batch);
  if (isHere) refuseAtWorkers(db, batch);
  return { batch, deployments: usedDeployments(batch.suite) };
}
