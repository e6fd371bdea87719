import { isDeepStrictEqual } from "node:util";
import type { Case } from "../../dataset/case.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { caseFilter, everything, isInShard, type Selection, selectionText } from "../../plan/select.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import { openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import {
  type CaseTable,
  changedSince,
  failedIn,
  keepChosen,
  type KeptCases,
  missingKeys,
  noteWanted,
  someKeys,
} from "../../store/plan/select.ts";
import type { Suite } from "../../suite/suite.ts";

/** A selection that is applied to a dataset while and after it is read into a table. */
export interface OpenSelection {
  /** The selection with the full names of the batches that it is about; null: every case takes part. */
  selection: Selection | null;
  /** Hands the cases on, noting what `keep` needs. */
  watch: (pages: AsyncIterable<Case[]>) => AsyncIterable<Case[]>;
  /** Forgets the cases of the table that do not take part, and returns how many do. */
  keep: (table: CaseTable) => KeptCases;
  close: () => void;
}

/** Makes a selection ready. `earlier` is the database of the batches that it names; null: that of `db`. */
export function openSelection(
  db: Connection,
  given: Selection | null,
  { suite, earlier }: { suite: Suite; earlier: string | null },
): OpenSelection {
  if (given === null) {
    return { selection: null, watch: (pages) => pages, keep: (table) => keepChosen(db, table, all), close: () => {} };
  }
  const lookup = named(db, given, suite.name, earlier);
  const { selection } = lookup;
  const isWanted = caseFilter(selection, lookup);
  const { sample, limit, shard, keys } = selection;
  const choice = {
    filtered: isWanted !== null,
    extent: keys.length === 0 ? "cluster" : suite.mapping.turn === null ? "case" : "earlier-turns",
    sample,
    limit,
    keepCluster: shard === null ? null : isInShard(shard),
  } as const;
  return {
    selection: isSame(selection, everything) ? null : selection,
    watch: (pages) => (isWanted === null ? pages : noteWanted(db, pages, isWanted)),
    keep: (table) => keepChosen(db, table, choice),
    close: lookup.close,
  };
}

const all = { filtered: false, extent: "cluster", sample: null, limit: null, keepCluster: null } as const;

/** A selection with the full names of its batches, and what tells of a case what was in them. */
function named(db: Connection, given: Selection, suite: string, earlier: string | null) {
  const needed = given.failed !== null || given.changed !== null;
  const own = needed && earlier !== null ? openDatabase(earlier, { reading: true }) : null;
  const close = (): void => own?.close();
  try {
    const from = own ?? db;
    const batchOf = (name: string | null): Batch | null => {
      if (name === null) return null;
      const batch = findBatch(from, name === "" ? suite : name);
      checkRead(from, batch);
      return batch;
    };
    const [failed, changed] = [batchOf(given.failed), batchOf(given.changed)];
    return {
      selection: { ...given, failed: failed?.name ?? null, changed: changed?.name ?? null },
      isFailed: failed === null ? () => true : failedIn(from, failed.id),
      isChanged: changed === null ? () => true : changedSince(from, changed.id),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Throws USAGE when a table of the whole dataset lacks a key that is selected. */
export function checkKeys(db: Connection, table: CaseTable, selection: Selection | null): void {
  const [missing] = missingKeys(db, table, selection?.keys ?? []);
  if (missing === undefined) return;
  throw new AppError("USAGE", `--key ${showText(missing)}: the dataset has no case of this key.`, {
    hint:
      didYouMean(missing, someKeys(db, table)) ??
      "The keys are in the column that `case.key` names; without one, in `case_key` of runs.csv.",
  });
}

/** The error that explains why nothing is left to run. */
export function noJobs({ datasets, mapping }: Suite, selection: Selection | null): AppError {
  const unknown = Object.keys(selection?.tags ?? {}).find((name) => !mapping.tags.includes(name));
  const why = selection === null ? "" : `: no case is left by ${selectionText(selection)}`;
  return new AppError("NO_JOBS", `Nothing is left to run in ${datasets.join(", ")}${why}.`, {
    hint:
      unknown === undefined
        ? "Choose other cases, or allow an empty run with --pass-with-no-jobs."
        : `\`case.tags\` of the suite names no column ${showText(unknown)}; it has: ${mapping.tags.join(", ") || "none"}.`,
  });
}

/** Tells whether two selections are the same; one without the name of a batch is that of the other. */
function isSame(one: Selection, other: Selection): boolean {
  const { failed, changed } = other;
  const filled = {
    ...one,
    failed: one.failed === "" ? (failed ?? "") : one.failed,
    changed: one.changed === "" ? (changed ?? "") : one.changed,
  };
  return isDeepStrictEqual(filled, other);
}

/** A suite with these of its targets only; what was compared with what stays as far as it can. Throws USAGE. */
export function withTargets(suite: Suite, names: readonly string[]): Suite {
  if (names.length === 0) return suite;
  const known = suite.targets.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new AppError("USAGE", `There is no target "${unknown}" in the suite ${suite.name}.`, {
      hint: didYouMean(unknown, known) ?? `Its targets are ${known.join(", ")}.`,
    });
  }
  const targets = suite.targets.filter(({ name }) => names.includes(name));
  const candidates = suite.compare?.candidates.filter((name) => names.includes(name)) ?? [];
  const isCompared = suite.compare !== null && names.includes(suite.compare.baseline) && candidates.length > 0;
  return { ...suite, targets, compare: isCompared && suite.compare !== null ? { ...suite.compare, candidates } : null };
}
