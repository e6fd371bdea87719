import { type ComparedMetric, isMargin, isReplayed, type MetricGate } from "../../compare/comparison-plan.ts";
import { AppError } from "../../errors.ts";
import { counted } from "../../report/words/quantity.ts";
import { type Batch, batchTargets, listBatches } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { exportedName } from "../../store/pins/pins.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { comparedMetrics, whyNotCompared } from "../compare/compared-metrics.ts";
import { findReference } from "../compare/batch-reference.ts";

/** The batches whose runs are replayed, and the gates. */
export interface Calibrated {
  /** The last one says how it is compared. */
  batches: Batch[];
  last: Batch;
  target: string;
  metrics: ComparedMetric[];
  /** Batches that were left out, and the reasons. */
  notes: string[];
}

const mostBatches = 30;

/** Finds the batches of a suite, a batch or a pin that can be calibrated by. Throws USAGE with what is missing. */
export function calibratedBatches(
  db: Connection,
  { reference, target: asked }: { reference: string; target: string | null },
): Calibrated {
  const { batches: named, target: within, notes } = batchesOf(db, reference);
  const last = named.at(-1);
  if (last === undefined) throw new AppError("BATCH_NOT_FOUND", "There is no finished batch to calibrate by.");
  const target = targetOf(db, last, asked ?? within);
  const batches = scoredAlike(db, named, { last, notes });
  return { batches, last, target, metrics: gatedMetrics(db, last, { batches, target }), notes };
}

/** The finished batches of the suite, or what the reference names. Throws USAGE for a batch that is not finished. */
function batchesOf(db: Connection, reference: string): { batches: Batch[]; target: string | null; notes: string[] } {
  const all = listBatches(db, reference);
  const finished = all.filter(({ state }) => state === "finished");
  if (finished.length > 0) {
    const notes = [
      ...(all.length > finished.length
        ? [`${counted(all.length - finished.length, "batch", "batches")} not finished, left out`]
        : []),
      ...(finished.length > mostBatches ? [`the latest ${mostBatches} of ${finished.length} batches`] : []),
    ];
    return { batches: finished.slice(-mostBatches), target: null, notes };
  }
  const { batches, target } = findReference(db, reference);
  const open = batches.find(({ state }) => state !== "finished");
  if (open === undefined) return { batches, target, notes: [] };
  throw new AppError("USAGE", `${open.name} is not finished: its runs tell nothing yet.`, {
    hint: `\`tandem resume ${open.name}\` finishes it.`,
  });
}

/** The batches whose scores can be taken together with those of the last one. */
function scoredAlike(
  db: Connection,
  batches: readonly Batch[],
  { last, notes }: { last: Batch; notes: string[] },
): Batch[] {
  const scorers = (latestScoring(db, last.id)?.scorers ?? []).filter(({ metric }) => isGated(last.suite, metric.name));
  return batches.filter((batch) => {
    if (batch.id === last.id) return true;
    const about = { name: batch.name, exportedAs: exportedName(db, batch) };
    const why = scorers.flatMap((scorer) => whyNotCompared(scorer, latestScoring(db, batch.id), about) ?? []);
    const [first] = why;
    if (first !== undefined) notes.push(`left out: ${first}`);
    return first === undefined;
  });
}

/**
 * True when a metric has a gate. A suite without gates gives one to the primary metric, and then all have to be alike.
 */
function isGated({ decision: { gates } }: Suite, metric: string): boolean {
  return gates.length === 0 || gates.some((gate) => gate.metric === metric);
}

function targetOf(db: Connection, { id, name, suite }: Batch, asked: string | null): string {
  const names = batchTargets(db, id).map((target) => target.name);
  const found = asked ?? suite.compare?.baseline ?? (names.length === 1 ? names[0] : undefined);
  if (found !== undefined && names.includes(found)) return found;
  const what = found === undefined ? `${name} has several targets and no baseline` : `${name} has no target "${found}"`;
  throw new AppError("USAGE", `${what}.`, { hint: `Name one with --target: ${names.join(", ")}.` });
}

/** A score without bounds has no margin unless one is given. */
function isDecidable(gate: MetricGate): boolean {
  return !isMargin(gate) || gate.margin !== null;
}

function gatedMetrics(
  db: Connection,
  last: Batch,
  { batches, target }: { batches: readonly Batch[]; target: string },
): ComparedMetric[] {
  const parts = batches.flatMap((batch) =>
    batchTargets(db, batch.id).flatMap((each) => (each.name === target ? [{ batch, target: each }] : [])),
  );
  const scorings = new Map(batches.map(({ id }) => [id, latestScoring(db, id)]));
  const { metrics, notCompared } = comparedMetrics(last.suite.decision, { batch: last, sides: [{ parts }], scorings });
  const gated = metrics.flatMap((compared) => {
    const gates = compared.gates.filter(isReplayed);
    return compared.metric.against === null && gates.some(isDecidable) ? [{ ...compared, gates }] : [];
  });
  if (gated.length > 0) return gated;
  const isOfTries = metrics.some(({ gates }) => gates.length > 0 && !gates.some(isReplayed));
  const unscored = isOfTries ? "rows that must hold are tries of the candidate alone" : "it was not scored";
  const why = notCompared[0]?.sentence ?? unscored;
  throw new AppError("USAGE", `${last.name} has no gate to calibrate: ${why}.`, {
    hint: isOfTries
      ? "`tandem plan --power` says how often rows that did not change fail such a gate."
      : "Give the suite scorers, and run it; or grade the batch with `tandem score`.",
  });
}
