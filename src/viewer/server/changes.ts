import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { pinAs } from "../../app/compare/pin-as.ts";
import type { Connection } from "../../store/connection.ts";
import { type LabelEntry, labelsOfJob, labelWriter, removeLabel } from "../../store/scores/labels.ts";
import type { LabelKept, PinKept } from "../api.ts";
import { answerMarks } from "../../app/labels/answer-marks.ts";
import { placeOfJob } from "../../store/compared/one-case.ts";
import { findPin, removePin } from "../../store/pins/pins.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { StoredScorer } from "../../store/scores/stored-scorer.ts";

/** A run may write many rows in one go; it is never waited for longer than this, and never made to wait. */
const patienceMs = 15_000;
const againMs = 50;

/** Writes as soon as nobody else does. Others are answered meanwhile. Throws STORE_FAILED when that takes too long. */
export async function whenFree<Result>(write: () => Result): Promise<Result> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > end) {
        throw new AppError("STORE_FAILED", "The database is being written by another process, and was not free.", {
          hint: "Nothing was kept: try again in a moment.",
          cause: error,
        });
      }
    }
    await sleep(againMs);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

const jobId = z.number().int().positive();
const author = z.string().trim().max(200);

export const newLabel = z.strictObject({
  jobId,
  scorer: z.string().max(200),
  label: z.string().trim().min(1).max(200),
  note: z
    .string()
    .trim()
    .max(10_000)
    .nullable()
    .transform((note) => (note === "" ? null : note)),
  author,
});

/** Keeps a person's label of an answer, and tells what it takes the place of; one of a score takes its place, and needs author and reason. */
export function keepLabel(db: Connection, given: z.output<typeof newLabel>): LabelKept {
  const value = valueOf(given.label);
  if (value === null) throw new AppError("USAGE", `"${given.label}" is no label.`, { hint: "good, bad, or a number." });
  const place = placeOfJob(db, given.jobId);
  if (place === null) throw new AppError("USAGE", "There is no such answer.", { hint: "Load the page again." });
  const edits = given.scorer !== "";
  const label = given.label === "good" || given.label === "bad" ? given.label : String(value);
  if (edits) checkEdit(db, place.batchId, { ...given, label, value });
  const own = labelsOfJob(db)(given.jobId).find(
    ({ scorer, author: by }) => scorer === given.scorer && by === given.author,
  );
  const before = own === undefined ? null : { label: own.label, note: own.note };
  return {
    kept: labelWriter(db)({ ...given, label, value, at: Date.now(), answer: answerMarks(db)(given.jobId), edits }),
    label,
    before,
  };
}

/** Null: it says nothing. */
export function valueOf(label: string): number | null {
  if (label === "good") return 1;
  if (label === "bad") return 0;
  const number = Number(label.replace(/^([+-]?\d+),(\d+)$/, "$1.$2"));
  return Number.isFinite(number) ? number : null;
}

/** Throws USAGE for a score that no answer can have, and one that nobody stands for. */
function checkEdit(db: Connection, batchId: number, entry: Omit<LabelEntry, "at">): void {
  const scorers = latestScoring(db, batchId)?.scorers ?? [];
  const scorer = scorers.find(({ metric }) => metric.name === entry.scorer);
  if (scorer === undefined) {
    throw new AppError("USAGE", `The batch has no score ${entry.scorer}.`, {
      hint: `It has: ${scorers.map(({ metric }) => metric.name).join(", ") || "none"}.`,
    });
  }
  if (entry.note === null || entry.author === "") {
    throw new AppError("USAGE", "A score is edited by somebody, for a reason.", { hint: "Give your name, and why." });
  }
  const fault = faultOf(scorer.metric, entry);
  if (fault !== null) throw new AppError("USAGE", `${entry.scorer} cannot be ${entry.label}: ${fault}.`);
}

function faultOf({ scale, passes }: StoredScorer["metric"], { label, value }: Pick<LabelEntry, "label" | "value">) {
  if (scale.kind === "pass") return value === 0 || value === 1 ? null : "it passes or fails: good or bad";
  if (label === "good" || label === "bad") return passes ? null : "it is a number";
  if (scale.kind === "bounded" && scale.cut === undefined && (value < scale.min || value > scale.max)) {
    return `it goes from ${scale.min} to ${scale.max}`;
  }
  return null;
}

export const oldLabel = z.strictObject({ jobId, scorer: z.string().max(200), author });

export function takeBackLabel(db: Connection, given: z.output<typeof oldLabel>): { removed: true } {
  if (removeLabel(db, given)) return { removed: true };
  throw new AppError("USAGE", "There is no such label any more.", { hint: "Load the page again." });
}

export const newPin = z.strictObject({
  name: z.string().trim().max(200),
  batch: z.string().max(500),
  replace: z.boolean().default(false),
});

/** Gives a batch a name; where others have it already, these are told and nothing is kept. */
export function keepPin(db: Connection, { name, batch, replace }: z.output<typeof newPin>): PinKept {
  const known = replace ? null : findPin(db, name);
  if (known !== null) return { taken: known.batches.map((each) => each.name) };
  pinAs(db, { name, references: [batch], replace });
  return { taken: null };
}

export const oldPin = z.strictObject({ name: z.string().max(200) });

export function takeBackPin(db: Connection, { name }: z.output<typeof oldPin>): { removed: true } {
  removePin(db, name);
  return { removed: true };
}
