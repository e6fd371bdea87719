import { folderFlag } from "../lib/paths/results-folder.ts";
import type { Conclusion } from "./report/conclude.ts";
import type { RunContext } from "./context.ts";
import { acceptBatch } from "./plan/accept-changes.ts";
import { giveUpLost, refuseAtWorkers } from "./send/at-workers.ts";
import { checkHistory, sendsTurnsAlone } from "./plan/history-check.ts";
import { checkFiles } from "./send/changed-files.ts";
import { withWholeBatch } from "./send/send.ts";
import { codeOfGates } from "./compare/code-of-gates.ts";
import { gradeAndConclude } from "./last-stages.ts";
import { sendRest, sendUnfinished } from "./live/send-unfinished.ts";
import type { PrepareOptions } from "./plan/prepare.ts";
import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";
import { withTargets } from "./plan/selection.ts";
import { latestUnfinished, unfinishedOf } from "./batches/unfinished-batch.ts";
import { defaultDoubtPolicy } from "../store/at-workers.ts";
import { checkRead } from "../store/batch-state.ts";
import { type Batch, findBatch, listBatches, reopenTargets } from "../store/batches.ts";
import { databasePath, openDatabase } from "../store/database.ts";
import { failedJobs, reopenFailed } from "../store/plan/failed.ts";
import { sparedJobs, unspareJobs } from "../store/plan/spared.ts";
import { unfinishedJobs } from "../store/journal/unfinished.ts";
import { type InDoubtPolicy, type ResumedRequests, settleInDoubt } from "../store/journal/in-doubt.ts";
import { lockBatch } from "../store/lock.ts";
import type { Suite } from "../suite/suite.ts";
import { mayEndEarly } from "../suite/early-end.ts";
import { usedDeployments } from "../suite/used.ts";
import { typedSuite } from "../suite/suite-path.ts";

/** Decisions on the rest of a batch. */
interface ResumeOptions {
  /** null: what the suite says. */
  onInDoubt: InDoubtPolicy | null;
  /** Also what was left out, because it was decided without. */
  rest?: boolean;
  /** Asks again what ended without an answer. */
  failed?: boolean;
  /** The database of its workers is gone for good: what has no answer here is in doubt. */
  workersLost?: boolean;
}

interface ContinueOptions extends ResumeOptions {
  /** Name of the batch that goes on, or SUITE~N; null: the suite's latest that is not finished. */
  batch: string | null;
  /** Runs what is still the same when dataset or suite have changed, instead of refusing. */
  acceptChanges: boolean;
}

/**
 * The rest of the suite's latest unfinished batch, if dataset and suite are still what it was made of, within the limits
 * that the suite sets now. Throws BATCH_NOT_FOUND and BATCH_CHANGED.
 */
export async function continueSuite(
  run: RunContext,
  plan: PrepareOptions,
  options: ContinueOptions,
): Promise<Conclusion> {
  const { db } = run;
  const batch = batchToResume(run, options);
  if (options.rest !== true) noteStopping(batch, run);
  const suite = withStoredTargets(run.suite, batch);
  if (sendsTurnsAlone(db, batch.id, { ...suite, mapping: batch.suite.mapping })) checkHistory(suite, plan.errorOf);
  {
    using _lock = lockBatch(db, batch.id);
    const { acceptChanges } = options;
    run.tell({ type: "accepted", accepted: await acceptBatch(db, batch, suite, { ...plan, acceptChanges }) });
  }
  // Targets that are asked anew are stored as they are now.
  const stored = findBatch(db, batch.name);
  const { deployments, onInDoubt, onInDoubtOverWorkers, onAmbiguous, interleave, scorers, pass } = suite;
  const { judges, folder, files } = suite;
  const asked = { deployments, onInDoubt, onInDoubtOverWorkers, onAmbiguous, interleave };
  const now = { ...asked, scorers, pass, judges, folder, ...(files !== undefined && { files }) };
  return await resumeStored({ ...run, suite: { ...stored.suite, ...now } }, stored, options);
}

/** Says that a batch stops, or races, by the rule that it was begun with, where the suite has another by now. */
function noteStopping(
  { name, suite: { decision: then } }: Batch,
  { suite: { decision: now }, onNotice }: RunContext,
): void {
  if (then.race !== now.race) {
    const begun = then.race === undefined ? "without a race" : `as a race (race: ${then.race})`;
    const hint =
      then.race === undefined ? "only a new batch can race" : "--rest sends everything, also what the race left out";
    onNotice(`${name} was begun ${begun}, and resumes so: ${hint}.`);
  }
  const [before, today] = [then, now].map(({ stopWhen }) => stopWhen ?? "never");
  if (before === today) return;
  const hint =
    before === "decided"
      ? "--rest sends everything, also what it could be decided without."
      : "All its cases are sent; only a new batch can stop before.";
  onNotice(`${name} was begun with stop_when: ${before}, and resumes with that, not with ${today}. ${hint}`);
}

/** The one that is named, else the latest that is not finished; with `rest` also one that was decided without the rest of its cases, with `failed` one with rows without an answer. */
function batchToResume({ db, suite, out }: RunContext, { batch: named, rest, failed }: ContinueOptions): Batch {
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

/** The rest of a batch that was stopped, interrupted or killed, from the database alone. */
export async function resumeBatch(run: RunContext, name: string, options: ResumeOptions): Promise<Conclusion> {
  return resumeStored(run, findBatch(run.db, name), options);
}

/** The rest of a stored batch by the suite of the run. */
async function resumeStored(run: RunContext, stored: Batch, options: ResumeOptions): Promise<Conclusion> {
  const { db, suite } = run;
  const batch = { ...stored, suite };
  checkRead(db, batch);
  return withWholeBatch(db, batch, async () => {
    await checkFiles(db, batch);
    checkCode(run, batch, options);
    run.tell({ type: "resumed", batch, requests: reopened(run, batch, options) });
    const sent = options.rest === true ? await sendRest(run, batch) : await sendUnfinished(run, batch);
    return gradeAndConclude(run, batch.name, sent);
  });
}

/** Decides what is in doubt, and lets go of what was stopped or left out. Returns what was in flight when it ended. */
function reopened({ db, onNotice }: RunContext, batch: Batch, options: ResumeOptions): ResumedRequests {
  using _lock = lockBatch(db, batch.id);
  // Where all that was sent and not brought is in doubt, no suite has thought of it.
  const usual = options.workersLost === true ? "hold" : defaultDoubtPolicy(db, batch.id, batch.suite);
  const policy = options.onInDoubt ?? usual;
  if (options.workersLost === true) onNotice(giveUpLost(db, batch, policy));
  const requests = settleInDoubt(db, batch.id, policy);
  reopenTargets(db, batch.id);
  if (options.rest === true) unspareJobs(db, batch.id);
  if (options.failed === true && reopenFailed(db, batch.id, Date.now()) === 0)
    onNotice(`${batch.name}: every run has an answer, so none is asked again`);
  return requests;
}

/**
 * Throws CODE_REFUSED where a batch that stops when it is decided could not be, whatever is sent: its gates take code of the
 * suite file, and this command names none.
 */
function checkCode({ db, trust, out }: RunContext, batch: Batch, { rest }: ResumeOptions): void {
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

/** A stored batch that is to be resumed, and its suite as it is sent then. */
export function storedToResume(
  out: string,
  reference: string | null,
  /** `isHere`: it is to be sent from here. `waitForServiceMs`: longest wait for a service; null: what the suite says. */
  { isHere, waitForServiceMs }: { isHere: boolean; waitForServiceMs: number | null },
): { name: string; suite: Suite } {
  using db = openDatabase(databasePath(out), { mustExist: true });
  const batch = reference === null ? latestUnfinished(out) : findBatch(db, reference);
  checkRead(db, batch);
  if (isHere) refuseAtWorkers(db, batch);
  const waiting = waitForServiceMs === null ? {} : { waitForServiceMs };
  const deployments = usedDeployments(batch.suite).map((deployment) => ({ ...deployment, ...waiting }));
  return { name: batch.name, suite: { ...batch.suite, deployments } };
}
