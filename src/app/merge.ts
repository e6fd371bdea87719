import { steadyNow } from "../lib/clock.ts";
import { existsSync, realpathSync } from "node:fs";
import { basename, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../errors.ts";
import { version } from "../lib/version.ts";
import { everything, type Selection, selectionText } from "../plan/select.ts";
import { checkRead } from "../store/batch-state.ts";
import { type Batch, findBatch } from "../store/batches.ts";
import { Budget } from "../runner/budget.ts";
import { againstOf, setAgainst } from "../store/compared/comparisons.ts";
import { openDatabase, databasePath } from "../store/database.ts";
import type { Connection } from "../store/connection.ts";
import { knownPath } from "../store/read-only-folder.ts";
import { holderOf } from "../store/lock.ts";
import { mergeBatches } from "../store/merge/merge.ts";
import type { BatchPart } from "../store/merge/batch-part.ts";
import { latestScoring } from "../store/scores/scores.ts";
import type { Suite } from "../suite/suite.ts";
import { concludeBatch, type Conclusion } from "./report/conclude.ts";
import { broughtReference } from "./compare/brought-reference.ts";
import { scoreBatch } from "./grade/score-batch.ts";
import { fromHere } from "./send/from-here.ts";
import type { WantedReport } from "./report/report-writer.ts";

export interface MergeRequest {
  /** Results folders, each with the batch behind a colon where it is not the latest. */
  parts: readonly string[];
  /** The results folder of the merged batch. */
  out: string;
  allowUnfinished: boolean;
  failOnInconclusive: boolean;
  /** Reports beside those that the suite asks for. */
  reports: readonly WantedReport[];
  onNotice: (message: string) => void;
}

/**
 * Puts the parts of one batch, which were run apart with `--shard`, together into one batch of `out`, and writes its reports.
 * Throws MERGE_REFUSED for parts that are not of one suite, dataset and selection, that overlap, or that are not finished.
 */
export async function mergeParts(request: MergeRequest): Promise<Conclusion> {
  const { parts: named, out, allowUnfinished, failOnInconclusive, reports, onNotice } = request;
  const parts: BatchPart[] = [];
  try {
    for (const name of named) parts.push(openPart(name));
    const [first, ...others] = parts;
    if (first === undefined) throw new AppError("USAGE", "Name the results folders of the parts.");
    checkStates(parts, allowUnfinished);
    for (const other of others) checkSame(first, other);
    const { selection, missing } = mergedSelection(parts);
    if (missing.length > 0) onNotice(`Not among the parts: ${missing.join(", ")}.`);
    const db = openDatabase(databasePath(out));
    try {
      const against = await broughtReference(db, first, onNotice);
      const batch = mergeBatches(db, parts, { suite: first.batch.suite, selection, version });
      if (against !== null) setAgainst(db, batch.id, against);
      await gradeMerged(db, batch, onNotice);
      return await concludeBatch(db, batch.name, {
        end: { stopped: [], stops: [] },
        out,
        failOnInconclusive,
        reports,
      });
    } finally {
      db.close();
    }
  } finally {
    for (const { db } of parts) db.close();
  }
}

/**
 * Grades the merged batch if its parts bring no scores: by scorers that grade at once; questions to judges are left for
 * a resume.
 */
async function gradeMerged(db: Connection, batch: Batch, onNotice: (message: string) => void): Promise<void> {
  if (latestScoring(db, batch.id) !== null) return;
  const { state } = await scoreBatch(db, batch, {
    suite: batch.suite,
    trust: null,
    cache: true,
    again: false,
    way: fromHere(new Map()),
    budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
    onRunner: () => undefined,
    onEvent: () => undefined,
    onNotice,
  });
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
  const [here, there] = [one, other].map(({ db, batch }) => againstOf(db, batch.id) ?? "each other");
  return here === there ? [] : [`what they are compared with (${here} and ${there})`];
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

/** The selection that the parts make up together, and the shards that are missing. */
function mergedSelection(parts: readonly BatchPart[]): { selection: Selection | null; missing: string[] } {
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
  if (shard === null) return { selection: batchSelection(first), missing: [] };
  const have = new Set(selections.flatMap((selection) => selection.shard?.parts ?? []));
  const all = Array.from({ length: shard.of }, (_, index) => index + 1);
  const missing = all.filter((part) => !have.has(part));
  const merged = {
    ...first,
    shard: missing.length === 0 ? null : { parts: [...have].toSorted((a, b) => a - b), of: shard.of },
  };
  return { selection: batchSelection(merged), missing: missing.map((part) => `--shard ${part}/${shard.of}`) };
}

const batchSelection = (selection: Selection): Batch["selection"] =>
  isDeepStrictEqual(selection, everything) ? null : selection;

const refused = (message: string, hint: string): AppError => new AppError("MERGE_REFUSED", message, { hint });
