import { z } from "zod";
import { hashText } from "../../lib/hash.ts";
import { storedJson } from "../../lib/stored-json.ts";
import type { Selection } from "../../plan/select.ts";
import { ofBatch, ofPlan } from "../batch-jobs.ts";
import { type Batch, listBatches } from "../batches.ts";
import type { Connection } from "../connection.ts";
import { execute, selectRow, selectValue, sqlite } from "../sqlite.ts";
import type { BatchPart } from "./batch-part.ts";

const partList = z.array(
  z.strictObject({
    /** Its name, where it was run, and when it was planned: no other batch has both with this selection. */
    name: z.string(),
    createdAt: z.number(),
    /** Numbers of the parts of the whole that it is, from 1; empty: it is no part of one. */
    shards: z.array(z.int()),
    /** A hash of what it held. */
    contents: z.string(),
  }),
);

/** A batch that another was put together of, as it was then. */
export type MergedPart = z.infer<typeof partList>[number];

const isPartList = (value: unknown): value is MergedPart[] => partList.safeParse(value).success;

/** A batch that was put together of others. */
export interface MergedBatch {
  batch: Batch;
  parts: MergedPart[];
  /** Tells whether it holds what it held when it was put together: nobody added to it since. */
  isAsMerged: () => boolean;
}

/** The batches that a part is: those that it was put together of, or itself. */
export function partsIn({ db, batch }: BatchPart): MergedPart[] {
  const contents = contentsOf(db, batch.id);
  const merged = storedParts(db, batch.id);
  if (merged !== null) return merged.map((each) => ({ ...each, contents: hashText(each.contents + contents, 16) }));
  const { name, createdAt, selection } = batch;
  return [{ name, createdAt, shards: selection?.shard?.parts ?? [], contents }];
}

/** Notes that a batch was put together of these, when it has all that they bring. */
export function noteParts(
  db: Connection,
  batchId: number,
  { parts, partial }: { parts: readonly MergedPart[]; partial: boolean },
): void {
  execute(db, "INSERT INTO merged (batch_id, parts, contents, partial) VALUES (?, ?, ?, ?)", [
    batchId,
    JSON.stringify(parts),
    contentsOf(db, batchId),
    Number(partial),
  ]);
}

/** Says whether a part that a merged batch lacks is missing on purpose. */
export function setPartial(db: Connection, batchId: number, partial: boolean): void {
  execute(db, "UPDATE merged SET partial = ? WHERE batch_id = ?", [Number(partial), batchId]);
}

/** The batches of a suite that were put together of parts, the latest first. */
export function mergedBatches(db: Connection, suiteName: string): MergedBatch[] {
  const then = sqlite(db).prepare<[number], string>("SELECT contents FROM merged WHERE batch_id = ?").pluck();
  return listBatches(db, suiteName)
    .toReversed()
    .flatMap((batch): MergedBatch[] => {
      const parts = storedParts(db, batch.id);
      if (parts === null) return [];
      return [{ batch, parts, isAsMerged: () => then.get(batch.id) === contentsOf(db, batch.id) }];
    });
}

/** Parts of the whole that a merged batch lacks. */
export interface MissingParts {
  /** Their numbers, from 1, and how many parts there are. */
  parts: number[];
  of: number;
  /** Their cases, and those of the whole; null: not known. */
  cases: { missing: number; of: number } | null;
  /** They are missing on purpose. */
  isAllowed: boolean;
}

/** The parts that a batch lacks; null: none, or it was not put together of parts: a part by itself lacks nothing. */
export function missingParts(
  db: Connection,
  { id, selection }: Pick<Batch, "id"> & { selection: Pick<Selection, "shard"> | null },
): MissingParts | null {
  const shard = selection?.shard ?? null;
  if (shard === null) return null;
  const merged = selectRow<{ partial: number; whole: number | null; cases: number }>(
    db,
    `SELECT partial, whole_cases AS whole, (SELECT count(*) FROM "case" WHERE batch_id = batch.id) AS cases
     FROM merged JOIN batch ON batch.id = merged.batch_id WHERE batch_id = ?`,
    [id],
  );
  if (merged === undefined) return null;
  const { partial, whole, cases } = merged;
  const all = Array.from({ length: shard.of }, (_, place) => place + 1);
  return {
    parts: all.filter((part) => !shard.parts.includes(part)),
    of: shard.of,
    cases: whole === null ? null : { missing: whole - cases, of: whole },
    isAllowed: partial === 1,
  };
}

/** Null: it was not put together of parts. */
function storedParts(db: Connection, batchId: number): MergedPart[] | null {
  const text = selectValue<string>(db, "SELECT parts FROM merged WHERE batch_id = ?", [batchId]);
  return text === undefined ? null : storedJson(text, "the parts of a batch", isPartList);
}

/** A time as a number of which millions can be added up. */
const short = (column: string): string => `sum(CAST(${column} AS INTEGER) % 1000000)`;

/** Counts and times by which any answer, grade or label more is found; ids are of one database alone, and not among them. */
const contents = [
  `SELECT count(*), count(outcome), sum(attempt) FROM job WHERE ${ofBatch()}`,
  `SELECT count(*), ${short("done_at")} FROM job CROSS JOIN attempt ON attempt.job_id = job.id WHERE ${ofBatch()}`,
  `SELECT count(*), ${short("at")}, sum(edits) FROM job CROSS JOIN label ON label.job_id = job.id WHERE ${ofPlan()}`,
  `SELECT count(*), ${short("finished_at")}, sum(answers) FROM scoring WHERE batch_id = @batch AND finished_at IS NOT NULL`,
];

function contentsOf(db: Connection, batchId: number): string {
  const found = contents.map((text) => sqlite(db).prepare<{ batch: number }>(text).raw().get({ batch: batchId }));
  return hashText(JSON.stringify(found), 16);
}
