import { calibrate, type CalibrationRow, type RepeatedRuns } from "../compare/calibration.ts";
import type { ComparedMetric } from "../compare/lineup.ts";
import { sideValue } from "../compare/side-value.ts";
import { AppError } from "../errors.ts";
import { perNightAlpha } from "../stats/nights.ts";
import { type Batch, batchTargets, findBatch, listBatches } from "../store/batches.ts";
import type { Connection } from "../store/database.ts";
import { pairedResults } from "../store/paired-results.ts";
import { latestScoring } from "../store/scores.ts";
import { comparedMetrics } from "./compared-metrics.ts";

/** What the gates of a suite do when nothing has changed, and when something has. */
export interface Calibration {
  batches: string[];
  target: string;
  cases: number;
  clusters: number;
  /** Cases with fewer than two runs, or beyond those that were looked at. */
  left: number;
  /** Runs of a case on each side of the imitated comparison. */
  runs: { baseline: number; candidate: number };
  gates: { metric: string; of: string; margin: number }[];
  /** Of one comparison. */
  alpha: number;
  rows: CalibrationRow[];
  seed: string;
}

export interface CalibrateRequest {
  /** A batch or a suite: then its finished batches are taken together. */
  reference: string;
  /** null: the baseline of the suite, else its only target. */
  target: string | null;
  /** True drops to try beside 0 and the margin; empty: two and three margins. */
  drops: readonly number[];
  /** null: as many as take a few seconds. */
  repetitions: number | null;
  seed: string;
}

/** Work of all repetitions of one drop, in cases. */
const mostWork = 2e6;
const mostRepetitions = 2_000;
const leastRepetitions = 200;
const mostCases = 20_000;

/** Replays the repeated runs of the baseline through the gates as the suite has them. Throws USAGE when there are none. */
export function calibrateGates(db: Connection, request: CalibrateRequest): Calibration {
  const batches = batchesOf(db, request.reference);
  const last = batches.at(-1);
  if (last === undefined) throw new AppError("BATCH_NOT_FOUND", "There is no finished batch to calibrate by.");
  const target = targetOf(db, last, request.target);
  const metrics = gatedMetrics(db, last, { batches, target });
  const { data, left } = repeatedRuns(db, batches, { target, metrics });
  if (data.runs.length < 2) {
    throw new AppError(
      "USAGE",
      `${target} has no two runs of the same cases in ${batches.map(({ name }) => name).join(", ")}.`,
      {
        hint: "Run the suite with `compare.noise_repeats: 2` or more, or twice: then calibrate the suite by its name.",
      },
    );
  }
  const { decision, repeats, compare } = last.suite;
  const [cases, clusters] = [data.starts.at(-1) ?? 0, data.runs.length];
  const runs = runsOf(data, { candidate: repeats, baseline: Math.max(repeats, compare?.noiseRepeats ?? 1) });
  const alpha = perNightAlpha(decision.alpha, decision.nights);
  const margin = metrics[0]?.gate?.margin ?? 0.05;
  const wanted = request.drops.length > 0 ? request.drops : [2 * margin, 3 * margin];
  const drops = Array.from(new Set([0, margin, ...wanted])).toSorted((a, b) => a - b);
  const affordable = Math.floor(mostWork / cases);
  const repetitions = request.repetitions ?? Math.min(mostRepetitions, Math.max(leastRepetitions, affordable));
  const rows = calibrate(data, { metrics, runs, drops, repetitions, alpha, seed: request.seed });
  return {
    batches: batches.map(({ name }) => name),
    target,
    cases,
    clusters,
    left,
    runs,
    gates: metrics.map(({ metric, of, gate }) => ({ metric: metric.name, of, margin: gate?.margin ?? 0 })),
    alpha,
    rows,
    seed: request.seed,
  };
}

/** The batch, or every finished batch of the suite that was scored. */
function batchesOf(db: Connection, reference: string): Batch[] {
  const ofSuite = listBatches(db, reference).filter(
    ({ id, state }) => state === "finished" && latestScoring(db, id) !== null,
  );
  return ofSuite.length > 0 ? ofSuite.slice(-30) : [findBatch(db, reference)];
}

function targetOf(db: Connection, { id, name, suite }: Batch, asked: string | null): string {
  const names = batchTargets(db, id).map((target) => target.name);
  const found = asked ?? suite.compare?.baseline ?? (names.length === 1 ? names[0] : undefined);
  if (found !== undefined && names.includes(found)) return found;
  const what = found === undefined ? `${name} has several targets and no baseline` : `${name} has no target "${found}"`;
  throw new AppError("USAGE", `${what}.`, { hint: `Name one with --target: ${names.join(", ")}.` });
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
  const gated = metrics.filter(({ gate, metric }) => gate !== null && gate.margin !== null && metric.against === null);
  if (gated.length > 0) return gated;
  const why = notCompared[0] ?? "it was not scored";
  throw new AppError("USAGE", `${last.name} has no gate to calibrate: ${why}.`, {
    hint: "Give the suite scorers, and run it; or grade the batch with `tandem score`.",
  });
}

/** The values of every run of the target, cluster by cluster. */
function repeatedRuns(
  db: Connection,
  batches: readonly Batch[],
  { target, metrics }: { target: string; metrics: readonly ComparedMetric[] },
): { data: RepeatedRuns; left: number } {
  const ids = new Set(
    batches.flatMap(({ id }) => batchTargets(db, id).flatMap((each) => (each.name === target ? [each.id] : []))),
  );
  const compared = batches.map(({ id }) => ({ batchId: id, scoringId: latestScoring(db, id)?.id ?? null }));
  const clusters = new Map<string, number[][][]>();
  let [cases, left] = [0, 0];
  for (const result of pairedResults(db, compared)) {
    const jobs = result.jobs.filter(({ targetId }) => ids.has(targetId));
    if (jobs.length < 2 || cases >= mostCases) {
      left += 1;
      continue;
    }
    cases += 1;
    const values = metrics.map((metric) => jobs.map((job) => sideValue([job], metric).mean ?? Number.NaN));
    const known = clusters.get(result.cluster);
    if (known === undefined) clusters.set(result.cluster, [values]);
    else known.push(values);
  }
  return { data: arranged(Array.from(clusters.values()), metrics.length), left };
}

function arranged(clusters: readonly number[][][][], metrics: number): RepeatedRuns {
  const starts = [0];
  for (const cluster of clusters) starts.push((starts.at(-1) ?? 0) + cluster.length);
  const runs = clusters.map((cluster) => Math.min(...cluster.map(([first]) => first?.length ?? 0)));
  const values = Array.from({ length: metrics }, (_, place) =>
    clusters.flatMap((cluster) => cluster.map((ofCase) => ofCase[place] ?? [])),
  );
  return { starts, runs, values };
}

/** As the suite has them, or fewer when there are not so many runs of a case. */
function runsOf({ runs }: RepeatedRuns, wanted: Calibration["runs"]): Calibration["runs"] {
  const most = runs.reduce((sum, count) => Math.max(sum, count), 0);
  const candidate = Math.max(1, Math.min(wanted.candidate, most - 1));
  return { candidate, baseline: Math.max(1, Math.min(wanted.baseline, most - candidate)) };
}
