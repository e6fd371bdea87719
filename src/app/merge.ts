import { AppError } from "../errors.ts";
import { steadyNow } from "../lib/clock.ts";
import type { RunContext } from "./context.ts";
import { Budget } from "../runner/budget.ts";
import { existsSync, realpathSync } from "node:fs";
import { basename, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { version } from "../lib/version.ts";
import { everything, type Selection, selectionText } from "../plan/select.ts";
import { checkRead } from "../store/batch-state.ts";
import { type Batch, findBatch, renameBatch } from "../store/batches.ts";
import { setAgainst } from "../store/compared/comparisons.ts";
import { openDatabase, databasePath } from "../store/database.ts";
import type { Connection } from "../store/connection.ts";
import { knownPath } from "../store/read-only-folder.ts";
import { holderOf } from "../store/lock.ts";
import { mergeBatches } from "../store/merge/merge.ts";
import type { LeftDraw } from "../store/merge/merge-draws.ts";
import { checkedScores } from "../store/scores/judge-checks.ts";
import { shellWord } from "../lib/shell-word.ts";
import {
  type MergedBatch,
  mergedBatches,
  type MergedPart,
  noteParts,
  partsIn,
  setPartial,
} from "../store/merge/merged-parts.ts";
import { removeStoredBatches } from "../store/remove-batch.ts";
import type { BatchPart } from "../store/merge/batch-part.ts";
import { latestScoring } from "../store/scores/scores.ts";
import type { Suite } from "../suite/suite.ts";
import { removalOf } from "./batches/remove-batches.ts";
import { concludeBatch, type Conclusion } from "./report/conclude.ts";
import { lastingName, ownReference } from "./compare/batch-reference.ts";
import { importedReference } from "./compare/imported-reference.ts";
import { scoreBatch } from "./grade/score-batch.ts";
import { noteTold } from "./provider/note-told.ts";
import { localSender } from "./send/local-sender.ts";

/** Parts to put together into a batch of `out`. */
export interface MergeRequest extends Pick<RunContext, "out" | "failOn" | "reports" | "onNotice"> {
  /** Results folders, each with the batch behind a colon where it is not the latest. */
  parts: readonly string[];
  allowUnfinished: boolean;
  /** Parts that are missing are missing on purpose: what there is is compared. */
  partial: boolean;
}

/**
 * Puts the parts of one batch, which were run apart with `--shard`, together into one batch of `out`, and writes its reports.
 * The same parts again are the same batch; with more of them, or as they are by now, it takes the place of the one before.
 * Throws MERGE_REFUSED for parts that are not of one suite, dataset and selection, that overlap, or that are not finished.
 */
export async function mergeParts(request: MergeRequest): Promise<Conclusion> {
  const { parts: named, out, allowUnfinished, partial, onNotice } = request;
  const parts: BatchPart[] = [];
  try {
    for (const name of named) parts.push(openPart(name));
    const [first, ...others] = parts;
    if (first === undefined) throw new AppError("USAGE", "Name the results folders of the parts.");
    checkStates(parts, allowUnfinished);
    for (const other of others) checkSame(first, other);
    const selection = mergedSelection(parts);
    using db = openDatabase(databasePath(out));
    const merging = { parts, selection, partial, onNotice };
    const before = mergedBefore(db, first.batch.suiteName, parts.flatMap(partsIn));
    const batch = before?.is === "same" ? mergedAgain(db, before, merging) : await mergeNow(db, before, merging);
    noteTold(db, batch, onNotice);
    return await concludeBatch({ ...request, db }, batch.name);
  } finally {
    for (const { db } of parts) db.close();
  }
}

/** Parts that are put together, and by what rules. */
interface Merging extends Pick<MergeRequest, "partial" | "onNotice"> {
  parts: readonly BatchPart[];
  selection: Batch["selection"];
}

/**
 * A batch that was put together before of parts that are named now. `same`: it has all of them as they are; `less`: these are
 * all of its parts, with more or changed by now; `other`: it has parts beside these.
 */
interface MergedBefore {
  earlier: MergedBatch;
  is: "same" | "less" | "other";
}

/** The latest batch that holds what is to be merged, or else one that shares parts with it. */
function mergedBefore(db: Connection, suite: string, parts: readonly MergedPart[]): MergedBefore | null {
  const found = mergedBatches(db, suite).flatMap((earlier): MergedBefore[] => {
    const common = parts.filter((part) => earlier.parts.some((each) => isSamePart(each, part)));
    if (common.length === 0) return [];
    const isHeld = parts.every((part) => earlier.parts.some((each) => isSamePart(each, part) && isAsThen(each, part)));
    return [{ earlier, is: isHeld ? "same" : common.length === earlier.parts.length ? "less" : "other" }];
  });
  return found.find(({ is }) => is === "same") ?? found.find(({ is }) => is === "less") ?? found[0] ?? null;
}

function isSamePart(one: MergedPart, other: MergedPart): boolean {
  return one.name === other.name && one.createdAt === other.createdAt && isDeepStrictEqual(one.shards, other.shards);
}

const isAsThen = (one: MergedPart, other: MergedPart): boolean => one.contents === other.contents;

/** The same night: nothing is copied, and it is told as it stands. */
function mergedAgain(db: Connection, { earlier }: MergedBefore, { partial, onNotice }: Merging): Batch {
  setPartial(db, earlier.batch.id, partial);
  onNotice(`These parts were merged before: ${earlier.batch.name} is reported again, and no night is added.`);
  return earlier.batch;
}

async function mergeNow(db: Connection, before: MergedBefore | null, merging: Merging): Promise<Batch> {
  const { parts, selection, partial, onNotice } = merging;
  const [first] = parts;
  if (first === undefined) throw new AppError("USAGE", "Name the results folders of the parts.");
  const against = await importedReference(db, first, onNotice);
  const onLeft = (draws: readonly LeftDraw[]): void => draws.map(leftDrawWords).forEach(onNotice);
  const batch = mergeBatches(db, parts, { suite: first.batch.suite, selection, version, onLeft });
  leftChecks(db, parts).forEach(onNotice);
  if (against !== null) setAgainst(db, batch.id, against);
  await gradeMerged(db, batch, onNotice);
  noteParts(db, batch.id, { parts: parts.flatMap(partsIn), partial });
  return before === null ? findBatch(db, batch.name) : inPlaceOf(db, before, { batch, merging });
}

function leftDrawWords({ baseline, candidate, lacking }: LeftDraw): string {
  const which = `The cases that were drawn for people to label (${candidate} against ${baseline}) are no draw of the whole`;
  const again = "Labels are kept, but they correct no judge here";
  if (lacking.length === 0) return `${which}, because the parts share cases. ${again}: draw of the merged run.`;
  const names = lacking.join(", ");
  return `${which}, because ${names} drew none. ${again}: draw there too (\`tandem label draw\`), label, and merge again.`;
}

/** Checks of judges stay where their questions were asked: they are of the answers of a part. */
function leftChecks(db: Connection, parts: readonly BatchPart[]): string[] {
  const others = parts.filter((part) => !isSameFile(part.db, db));
  const names = new Set(others.flatMap((part) => checkedScores(part.db, part.batch.id)));
  return Array.from(
    names,
    (name) =>
      `The check of the judge ${name} stays in its part: it is one of that part's answers. Here: \`tandem judge check ${shellWord(name)}\`.`,
  );
}

/** The merged batch in the place of one that it has all of: the night stays one. */
function inPlaceOf(
  db: Connection,
  { earlier, is }: MergedBefore,
  { batch, merging: { parts, onNotice } }: { batch: Batch; merging: Merging },
): Batch {
  const { name, id } = earlier.batch;
  const isPart = parts.some((part) => part.batch.id === id && isSameFile(part.db, db));
  const [staying] = removalOf(db, [earlier.batch], { losesRuns: false }).staying;
  const why =
    is === "other"
      ? "it has parts beside these"
      : isPart || earlier.isAsMerged()
        ? (staying?.reason ?? null)
        : "answers, grades or labels were added to it since";
  if (why !== null) {
    onNotice(
      `${name} was merged of some of these parts before and stays as a night of its own, because ${why}. Without it: tandem batches remove ${name}.`,
    );
    return findBatch(db, batch.name);
  }
  removeStoredBatches(db, [id]);
  onNotice(`${name} was merged of some of these parts before: this takes its place.`);
  return renameBatch(db, batch.id, name);
}

function isSameFile(one: Connection, other: Connection): boolean {
  return realpathSync(knownPath(one.name)) === realpathSync(knownPath(other.name));
}

/**
 * Grades the merged batch if its parts bring no scores: by scorers that grade at once; questions to judges are left for
 * a resume.
 */
async function gradeMerged(db: Connection, batch: Batch, onNotice: (message: string) => void): Promise<void> {
  if (latestScoring(db, batch.id) !== null) return;
  const run: RunContext = {
    db,
    out: "",
    suite: batch.suite,
    trust: null,
    sender: localSender(new Map()),
    budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
    cache: true,
    preflight: false,
    failOn: [],
    reports: [],
    onNotice,
    onEvent: () => {},
    onRunner: () => {},
    isInterrupted: () => false,
    tell: () => {},
  };
  const { state } = await scoreBatch(run, batch);
  if (state !== "none")
    onNotice("The parts were not all graded in the same way: what grades at once was graded again.");
}

/** `FOLDER` or `FOLDER:BATCH`, or the database in the folder itself; what exists is one, whatever its name. */
function openPart(name: string): BatchPart {
  const colon = existsSync(name) ? -1 : name.lastIndexOf(":");
  const [folder, reference] = colon < 0 ? [name, "latest"] : [name.slice(0, colon), name.slice(colon + 1)];
  const path = basename(folder) === "tandem.db" ? folder : databasePath(folder);
  const db = openDatabase(path, { reading: true });
  try {
    const batch = findBatch(db, reference);
    checkRead(db, batch);
    return { db, batch, name };
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkStates(parts: readonly BatchPart[], allowUnfinished: boolean): void {
  const seen = new Map<string, string>();
  for (const { db, batch, name } of parts) {
    const id = `${realpathSync(knownPath(db.name))} ${batch.name}`;
    const twice = seen.get(id);
    if (twice !== undefined)
      throw refused(`${twice} and ${name} are the same batch, ${batch.name}.`, "Name each once.");
    seen.set(id, name);
    const holder = holderOf(db, batch.id);
    if (holder !== null) {
      throw new AppError(
        "BATCH_LOCKED",
        `Process ${holder.pid} on ${holder.host} is running ${batch.name} of ${name}.`,
        {
          hint: "Wait for it, or stop it (Ctrl-C in its terminal) and try again.",
        },
      );
    }
    if (batch.state !== "finished" && !allowUnfinished) {
      throw refused(
        `${batch.name} of ${name} is not finished.`,
        `Finish it with \`tandem resume ${batch.name} --results ${name}\`, or merge what there is with --allow-unfinished.`,
      );
    }
  }
}

function checkSame(one: BatchPart, other: BatchPart): void {
  const differences = [
    ...suiteDifferences(one.batch.suite, other.batch.suite),
    ...(one.batch.datasetHash === other.batch.datasetHash ? [] : ["the dataset"]),
    ...referenceDifferences(one, other),
    ...(one.batch.seed === other.batch.seed ? [] : [`the seed (${one.batch.seed} and ${other.batch.seed})`]),
  ];
  if (differences.length === 0) return;
  throw refused(
    `${one.batch.name} of ${one.name} and ${other.batch.name} of ${other.name} differ in ${differences.join(", ")}.`,
    "Only parts of one run can be merged: the same suite and dataset with different --shard i/n.",
  );
}

/** One part would be judged by what the other was not. */
function referenceDifferences(one: BatchPart, other: BatchPart): string[] {
  const [here, there] = [one, other].map(({ db, batch }) => ownReference(db, batch));
  const names = [here, there].map((reference) => (reference ? lastingName(reference) : "each other"));
  const batches = [here, there].map((reference) => reference?.batches.map(({ name }) => name).join(", "));
  if (names[0] !== names[1]) return [`what they are compared with (${names.join(" and ")})`];
  return batches[0] === batches[1] ? [] : [`what ${names[0]} was (${batches.join(" and ")})`];
}

/**
 * Finds the differences that make the answers of two suites different things. Limits, and the places of files, do not.
 */
function suiteDifferences(one: Suite, other: Suite): string[] {
  const parts: [string, (suite: Suite) => unknown][] = [
    [`the suite (${one.name} and ${other.name})`, ({ name }) => name],
    ["the mapping of the case", ({ mapping }) => mapping],
    ["the targets", ({ targets }) => targets],
    [
      "the base_url of deployments",
      (suite) => suite.deployments.map(({ name, baseUrl }) => [name, fromSuite(baseUrl, suite)]),
    ],
    ["the repeats", ({ repeats }) => repeats],
    ["what is compared", ({ compare, maxErrorShare }) => [compare, maxErrorShare]],
  ];
  return parts.flatMap(([what, of]) => (isDeepStrictEqual(of(one), of(other)) ? [] : [what]));
}

/** An embedded deployment is the same wherever the suite was checked out. */
function fromSuite(baseUrl: string, { folder }: Suite): string {
  if (!baseUrl.startsWith("local:") || folder === null) return baseUrl;
  return `local:${relative(folder, baseUrl.slice("local:".length))}`;
}

/** The selection that the parts make up together; with the shards that there are, where some are missing. */
function mergedSelection(parts: readonly BatchPart[]): Batch["selection"] {
  const selections = parts.map(({ batch }) => batch.selection ?? everything);
  const [first = everything] = selections;
  for (const [index, other] of selections.entries()) {
    const [here, there] = [first, other].map((selection) => selectionText({ ...selection, shard: null }));
    if (here === there && first.shard?.of === other.shard?.of) continue;
    throw refused(
      `${parts[0]?.name} has ${selectionText(first)}, and ${parts[index]?.name} has ${selectionText(other)}.`,
      "Only parts of one run can be merged: the same flags that select, but for i of --shard i/n.",
    );
  }
  const { shard } = first;
  if (shard === null) return batchSelection(first);
  const have = new Set(selections.flatMap((selection) => selection.shard?.parts ?? []));
  const isWhole = have.size === shard.of;
  return batchSelection({
    ...first,
    shard: isWhole ? null : { parts: [...have].toSorted((a, b) => a - b), of: shard.of },
  });
}

const batchSelection = (selection: Selection): Batch["selection"] =>
  isDeepStrictEqual(selection, everything) ? null : selection;

const refused = (message: string, hint: string): AppError => new AppError("MERGE_REFUSED", message, { hint });
