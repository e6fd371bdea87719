import { newJudges } from "./checked-judges.ts";
import { mayEndEarly } from "../../suite/early-end.ts";
import { asksAgain } from "../../suite/confirmation.ts";
import { AppError } from "../../errors.ts";
import { LeftOutRows } from "../../dataset/left-out.ts";
import type { Case } from "../../dataset/case.ts";
import type { ExpectedProfile } from "../../dataset/lint/expected-profile.ts";
import type { FileFacts } from "../../dataset/file-facts.ts";
import { csvWords, writtenLike } from "../../dataset/written-like.ts";
import { readDataset } from "../../dataset/read.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import type { ReadDatasetOptions } from "../../dataset/read-options.ts";
import { version } from "../../lib/version.ts";
import { planJobs } from "../../plan/jobs.ts";
import { clusterRank } from "../../plan/rank.ts";
import type { Selection } from "../../plan/select.ts";
import { forgetBatch } from "../../store/remove-batch.ts";
import {
  type Batch,
  batchesInReading,
  batchOfId,
  batchTargets,
  createHeldBatch,
  findBatch,
  noteWholeCases,
  workClock,
} from "../../store/batches.ts";
import { claimUnread } from "../../store/batch-state.ts";
import type { Connection } from "../../store/connection.ts";
import { casesInOrder, storeCases, storeJobs } from "../../store/plan/plan.ts";
import { casesOf } from "../../store/plan/select.ts";
import { storeFailure, tryToWrite } from "../../store/store-failure.ts";
import type { Environment } from "../../suite/environment.ts";
import type { CsvSettings } from "../../suite/schema/csv-schema.ts";
import type { Suite } from "../../suite/suite.ts";
import { type MappedFile, watchFiles } from "./mapping-summary.ts";
import { watchSheet } from "./watch-sheet.ts";
import { datasetOf, readOptionsOf } from "./suite-dataset.ts";
import { botMarks, sameBotFaults, sameCandidateNotes } from "../../suite/same-bot.ts";
import { noteBots } from "../../store/compared/looks.ts";
import { type ErrorOf, refuseFaults } from "./refuse-faults.ts";
import { checkKeys, noJobs, openSelection } from "./selection.ts";
import { checkHistory, savedNotes, sendsTurnsAlone } from "./history-check.ts";
import { checkGates, noteUndecided, isClustered } from "./gate-fit.ts";
import { typedSuite } from "../../suite/suite-path.ts";
import { whatRowsShow } from "./what-rows-show.ts";
import { casesOfValues, clusterSizes, countClusters, countQuestions } from "../../store/plan/expectation.ts";
import { openStoredSide } from "./stored-answers.ts";

const defaultSeed = "1";

export interface PrepareOptions {
  /** Orders the clusters of cases. Default: 1. */
  seed?: string;
  /** Leaves out blank cases instead of refusing the dataset. */
  skipInvalid?: boolean;
  /** Called with the cases that were left out, by reason, when all are read; `isWhole`: each of them is named. */
  onSkipped?: (messages: readonly string[], isWhole: boolean) => void;
  /** Called with decisions for a file that may not be the ones that were meant. */
  onNotice: (message: string) => void;
  /** Called with the columns of a file that are used. */
  onColumns?: ReadDatasetOptions["onColumns"];
  /** They are closed when all is read. */
  sheets: Sheets;
  /** A person runs it: later runs of the same bots are counted as further looks. Left out: a night or a plan. */
  isLook?: boolean;
  /** Default: every case takes part. */
  selection?: Selection | null;
  /** Database with the batches that the selection names; default: the one that the batch goes into. */
  earlier?: string;
  /** A reference that the targets will be compared with. */
  against?: string | null;
  /** True when having nothing to run is not an error. */
  passWithNoJobs?: boolean;
  /** The error that tells where in the suite a fault is that only the dataset has shown. */
  errorOf?: ErrorOf;
  /** Keys and headers, by which targets are told apart; default: `process.env`. */
  env?: Environment;
  /** Looks for columns by which rows may belong together, to propose them. */
  proposesGroups?: boolean;
}

export interface PreparedBatch {
  batch: Batch;
  cases: number;
  jobs: number;
  /** Number of jobs with stored answers: nothing is sent for them. */
  stored: number;
  /** The expected answers of the whole dataset. */
  expected: ExpectedProfile;
  /** Sentences about scorers that pass the expected answers of other rows, those without ends on few cases, and lists that they take for one text. */
  scorerNotes: string[];
  /** The files of the dataset, as they were understood. */
  files: MappedFile[];
  /** Sentences on a cluster column that puts no rows together, or all of them. */
  groupFaults: string[];
  /** Sentences on what so few cases can and cannot show; empty where they are enough. */
  rowsShow: string[];
  /** Sentences on columns by which rows may belong together although the suite does not say so; empty unless they are asked for. */
  groupsShow: string[];
  /** Names of scores whose judge is asked for the first time, and was never checked. */
  newJudges: string[];
}

/**
 * Reads, checks and stores the whole dataset as cases, then the plan as jobs. Nothing was sent when this returns.
 * When the dataset is faulty the batch is forgotten again.
 */
export async function prepareBatch(db: Connection, suite: Suite, options: PrepareOptions): Promise<PreparedBatch> {
  try {
    return await prepare(db, suite, options);
  } catch (error) {
    throw storeFailure(db.name, error, { kept: "Nothing was sent.", next: "run it again" });
  }
}

async function prepare(db: Connection, suite: Suite, options: PrepareOptions): Promise<PreparedBatch> {
  const { seed = defaultSeed } = options;
  checkStopping(suite, options);
  // With a reference they are not compared with each other.
  if ((options.against ?? null) === null) checkSameBot(suite, options);
  removeUnread(db, options.onNotice);
  // Before the batch exists: `--failed` means the one before it.
  const chosen = openSelection(db, options.selection ?? null, { suite, earlier: options.earlier ?? null });
  const { batch, lock } = createHeldBatch(db, {
    suite,
    seed,
    selection: chosen.selection,
    version,
    at: Date.now(),
    repeatsOf: (target) => repeatsOf(suite, target),
  });
  const noteWork = workClock(db, batch.id);
  try {
    const rankOf = (cluster: string): number => clusterRank(seed, cluster);
    const stored = openStoredSide(db, batch.id, suite, options.onNotice);
    const files = watchFiles();
    const watch = await watchSheet(suite, {
      errorOf: options.errorOf,
      proposesGroups: options.proposesGroups === true,
    });
    const sheets: FileFacts[] = [];
    const cells = readCases(suite, {
      ...options,
      onColumns: files.onColumns,
      onFile: (facts) => void sheets.push(facts),
    });
    const read = watched(cells, (found) => {
      files.onCase(found);
      watch.onCase(found);
    });
    const pages = chosen.watch(read);
    await storeCases(db, batch.id, {
      pages,
      rankOf,
      ...(stored && { onStored: stored.note }),
      csvOf: () => csvLike(suite, sheets, options.onNotice),
    });
    watch.costNotes().forEach(options.onNotice);
    for (const check of watch.checks) check();
    checkKeys(db, casesOf(batch.id), chosen.selection);
    if (options.isLook === true && (options.against ?? null) === null) {
      noteBots(db, batch.id, botMarks(suite, options.env ?? process.env));
    }
    const { cases, whole: ofShards } = chosen.keep(casesOf(batch.id));
    if (ofShards !== null) noteWholeCases(db, batch.id, ofShards);
    if (sendsTurnsAlone(db, batch.id, suite)) {
      checkHistory(suite, options.errorOf);
      for (const line of savedNotes(suite, (target) => repeatsOf(suite, target))) options.onNotice(line);
    }
    const gated = gatedCases(db, { suite, batch, cases });
    // A part is compared when all are merged.
    const hasGates = isCompared(suite, options) && (chosen.selection?.shard ?? null) === null;
    if (!isCompared(suite, options)) noteUndecided(suite, options.onNotice);
    else if (hasGates) checkGates(suite, gated, { isSelection: chosen.selection !== null, onNotice: options.onNotice });
    const jobs = await storeJobs(db, batch.id, jobsOf(db, { suite, batch, seed }), stored?.settle);
    if (jobs === 0 && options.passWithNoJobs !== true) throw noJobs(suite, chosen.selection);
    noteWork();
    const made = findBatch(db, batch.name);
    return {
      batch: made,
      cases,
      jobs,
      stored: storedJobs(suite, cases),
      expected: watch.expected(),
      groupFaults: watch.groupFaults(),
      rowsShow: hasGates ? whatRowsShow(suite, gated, typedSuite(suite)) : [],
      groupsShow: watch.groupsShow(),
      newJudges: newJudges(db, suite),
      scorerNotes: [...watch.scorerNotes(), ...watch.listNotes()],
      files: files.files,
    };
  } catch (error) {
    // A batch that cannot be deleted now is deleted by the next process.
    tryToWrite(() => forgetBatch(db, batch.id));
    throw error;
  } finally {
    tryToWrite(lock.release);
    chosen.close();
  }
}

/** The cases as gates ask about them. */
function gatedCases(db: Connection, { suite, batch, cases }: { suite: Suite; batch: Batch; cases: number }) {
  let questions: number | null = null;
  return {
    cases,
    clusters: isClustered(suite) ? countClusters(db, batch.id) : null,
    questions: () => (questions ??= countQuestions(db, batch.id)),
    sizes: isClustered(suite) ? clusterSizes(db, batch.id) : [],
    values: valuesIn(db, batch),
  };
}

function jobsOf(db: Connection, { suite, batch, seed }: { suite: Suite; batch: Batch; seed: string }) {
  return planJobs({
    cases: () => casesInOrder(db, batch.id),
    targets: batchTargets(db, batch.id),
    turns: suite.mapping.turn !== null,
    seed,
    block: mayEndEarly(suite.decision) ? clustersOfBlock : null,
  });
}

/** So few that they are soon complete, and so many that the runs of a case are not sent right after each other. */
const clustersOfBlock = 16;

const valuesIn =
  (db: Connection, batch: Batch) =>
  (tag: string): number[] =>
    Array.from(casesOfValues(db, batch.id, tag).values());

/**
 * Refuses a suite that would compare a bot with itself without saying so (`compare: { same: true }`), or that says so of
 * two bots. Candidates that are the same bot are a warning. Throws SUITE_INVALID, or USAGE for flags.
 */
export function checkSameBot(
  suite: Suite,
  { env = process.env, errorOf, onNotice }: Pick<PrepareOptions, "env" | "errorOf" | "onNotice">,
): void {
  refuseFaults(sameBotFaults(suite, env), errorOf);
  for (const line of sameCandidateNotes(suite, env)) onNotice(`warning: ${line}`);
}

/** Gates decide nothing where nothing is compared. */
function isCompared({ compare }: Suite, { against = null }: PrepareOptions): boolean {
  return against !== null || (compare?.candidates.length ?? 0) > 0;
}

function refuse(message: string, hint: string): never {
  throw new AppError("USAGE", message, { hint });
}

/** A run that is to stop when it is decided, or to race, must have something to decide, and all of it in one run. Throws USAGE. */
function checkStopping(suite: Suite, { against = null, selection = null }: PrepareOptions): void {
  const { stopWhen, race } = suite.decision;
  const candidates = suite.compare?.candidates.length ?? 0;
  const isPart = (selection?.shard ?? null) !== null;
  const ofPart = "cannot be used with --shard: no part knows what the others have found.";
  if (race !== undefined) {
    const [asked, advice] = ["race (--race)", "`--no-race` asks all of them every case."];
    if (against !== null)
      refuse(`${asked} is among the targets of a suite, and --against compares them with an earlier run.`, advice);
    if (candidates === 0) refuse(`${asked} needs two targets or more.`, advice);
    if (suite.compare?.same === true)
      refuse(`${asked} cannot be used with same: true: nothing is chosen between a bot and itself.`, advice);
    if (isPart) refuse(`${asked} ${ofPart}`, advice);
    if (asksAgain(suite)) {
      const why = "its cases are not all asked of both sides.";
      refuse(`${asked} cannot be used together with confirm: rerun: ${why}`, "Leave confirm out.");
    }
  }
  if (stopWhen === undefined) return;
  const asked = "stop_when: decided (--stop-when decided)";
  if (against === null && candidates === 0)
    refuse(
      `${asked} needs two sides, and nothing is compared here.`,
      "Add a second target, or compare with a pin: --against REF. `--stop-when never` runs it to its end.",
    );
  if (isPart) refuse(`${asked} ${ofPart}`, "Run it without --shard, or to its end with `--stop-when never`.");
}

const storedJobs = ({ targets }: Suite, cases: number): number =>
  targets.filter(({ stored }) => stored !== undefined).length * cases;

/**
 * Number of runs of each case on a target: the baseline's are enough to know its own variation. A stored answer is
 * there once.
 */
export function repeatsOf({ repeats, compare, targets }: Suite, target: string): number {
  if (targets.some(({ name, stored }) => name === target && stored !== undefined)) return 1;
  return target === compare?.baseline ? Math.max(repeats, compare.noiseRepeats) : repeats;
}

/** The cases of a suite's datasets, streamed. Nothing is asked of these any more: they are closed then. */
export async function* readCases(
  suite: Suite,
  options: Pick<PrepareOptions, "skipInvalid" | "onSkipped" | "onNotice" | "onColumns" | "sheets"> &
    Pick<ReadDatasetOptions, "onFile">,
): AsyncGenerator<Case[]> {
  const { skipInvalid = false, onSkipped, onNotice, onColumns, onFile, sheets } = options;
  const left = new LeftOutRows();
  try {
    yield* readDataset({
      ...readOptionsOf(datasetOf(suite)),
      skipInvalid,
      onSkipped: (row) => left.add(row),
      onNotice,
      ...(onColumns !== undefined && { onColumns }),
      ...(onFile !== undefined && { onFile }),
      sheets,
    });
  } finally {
    sheets[Symbol.dispose]();
    if (left.lines().length > 0) onSkipped?.(left.lines(), left.areAllNamed);
  }
}

/** The form of the CSV files of a batch where its dataset tells one and the suite does not, which is said. */
function csvLike(
  { csv }: Suite,
  sheets: readonly FileFacts[],
  onNotice: PrepareOptions["onNotice"],
): CsvSettings | null {
  const like = csv === undefined ? writtenLike(sheets) : null;
  if (like === null) return null;
  onNotice(
    `CSV files of this run are written like the dataset, with ${csvWords(like)}; for others: csv: { separator: ",", decimal: ".", bom: false } in the suite`,
  );
  return like;
}

/** Removes what processes left that were killed while they read a dataset, and says so: such a batch can never run. */
function removeUnread(db: Connection, onNotice: PrepareOptions["onNotice"]): void {
  for (const id of batchesInReading(db)) {
    const claim = claimUnread(db, id);
    if (claim === null) continue;
    const { name } = batchOfId(db, id);
    forgetBatch(db, id);
    claim.release();
    onNotice(`${name} was killed while it read its dataset, and nothing of it was sent: it is removed.`);
  }
}

/** Passes cases on, each looked at on the way. */
export async function* watched(
  pages: AsyncIterable<Case[]>,
  onCase: (found: Case) => void,
): AsyncGenerator<Case[], void, undefined> {
  for await (const page of pages) {
    page.forEach(onCase);
    yield page;
  }
}
