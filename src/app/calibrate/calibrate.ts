import { endOf } from "../../api/outcomes.ts";
import { calibrate, type CalibrationRow } from "../../compare/summary/calibration.ts";
import type { RepeatedRuns } from "../../compare/summary/imitation.ts";
import { clusterNoun, clusterWords } from "../../compare/summary/cluster-words.ts";
import {
  type ComparedMetric,
  isMargin,
  isReplayed,
  type MeasureOf,
  type ReplayedGate,
  worstOf,
} from "../../compare/comparison-plan.ts";
import { sideValue } from "../../compare/cases/side-value.ts";
import { hasAnswer, isSpared, sideOutcome } from "../../compare/cases/side-outcome.ts";
import { AppError } from "../../errors.ts";
import { counted, number } from "../../report/words/quantity.ts";
import { enoughToFlip } from "../../stats/paired/inference.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import { gateLimits } from "../../suite/gate-settings.ts";
import type { Suite } from "../../suite/suite.ts";
import { defaultMargin } from "../../suite/default-values.ts";
import { calibratedBatches } from "./calibrated-batches.ts";
import { decisionLevels } from "../plan/decision-levels.ts";
import { clusterColumn } from "../compare/planned-comparison.ts";
import { measure, scoreFigure } from "../../report/words/figures.ts";

/** Behaviour of a suite's gates when nothing has changed, and when something has. */
export interface Calibration {
  batches: string[];
  target: string;
  cases: number;
  clusters: number;
  /** The column by which cases belong together; null: they are turns of a conversation, or each its own. */
  clusterColumn: string | null;
  /** Cases with fewer than two runs, or beyond those that were looked at. */
  left: number;
  /** Runs of a case on each side of the imitated comparison, and as the suite compares them: stored are perhaps fewer. */
  runs: Runs;
  configured: Runs;
  gates: { metric: string; of: MeasureOf; margin: number | null; losses: number | null; by: string | null }[];
  /** Share of false alarms in one comparison: the share for several nights is divided among them. */
  alpha: number;
  /** Share of wrong passes: it is not divided among nights. */
  passAlpha: number;
  nights: number;
  rows: CalibrationRow[];
  seed: string;
  /** Notes for the reader: batches that were left out, and the reasons. */
  notes: string[];
}

interface Runs {
  baseline: number;
  candidate: number;
}

export interface CalibrateRequest {
  /** A batch, a suite (its finished batches are taken together) or a pin; `:TARGET` behind it as in `target`. */
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
  const { batches, last, target, metrics, notes } = calibratedBatches(db, request);
  const { data, left, asked } = repeatedRuns(db, batches, { target, metrics });
  const [cases, clusters] = [data.starts.at(-1) ?? 0, data.runs.length];
  checkEnough(data, { cases, target, metrics, batches, column: clusterColumn(last) });
  const { decision } = last.suite;
  const configured = configuredRuns(last.suite);
  const runs = runsOf(data, configured);
  // The gates of the suite are replayed, not those of a second look at one comparison.
  const { secondLook: _, ...ofSuite } = decision;
  const { alpha, passAlpha } = decisionLevels(ofSuite);
  const first = metrics.find(({ gates }) => gates.some(isMargin)) ?? metrics[0];
  const margin = firstMargin(first) ?? defaultMargin;
  checkDrops(request.drops, first);
  const wanted = request.drops.length > 0 ? request.drops : [2 * margin, 3 * margin];
  const drops = Array.from(new Set([0, margin, ...wanted])).toSorted((a, b) => a - b);
  const affordable = Math.floor(mostWork / cases);
  const repetitions = request.repetitions ?? Math.min(mostRepetitions, Math.max(leastRepetitions, affordable));
  const rows = calibrate(data, {
    metrics,
    runs,
    drops,
    repetitions,
    alpha,
    passAlpha,
    seed: request.seed,
  });
  return {
    batches: batches.map(({ name }) => name),
    target,
    cases,
    clusters,
    clusterColumn: clusterColumn(last),
    left,
    runs,
    configured,
    gates: metrics.flatMap(({ metric, of, gates }) =>
      gates.filter(isReplayed).map((gate) => ({ metric: metric.name, of, ...shownGate(gate) })),
    ),
    alpha,
    passAlpha,
    nights: decision.nights,
    rows,
    seed: request.seed,
    notes: [
      ...notes,
      ...calibrationNotes(target, metrics, {
        values: data.values,
        runs: asked,
        maxErrorShare: last.suite.maxErrorShare,
        isStopped: decision.stopWhen === "decided",
      }),
    ],
  };
}

/** Runs of each case on each side: an A/A batch has the runs of both on one. */
function firstMargin(first: ComparedMetric | undefined): number | null {
  for (const gate of first?.gates ?? []) if (isMargin(gate) && gate.margin !== null) return gate.margin;
  return null;
}

function shownGate(gate: ReplayedGate) {
  return { margin: null, losses: null, ...gateLimits(gate), by: gate.by };
}

function configuredRuns({ repeats, compare }: Suite): Runs {
  const baseline = Math.max(repeats, compare?.noiseRepeats ?? 1);
  const isOfBoth = compare !== null && compare.candidates.length === 0;
  return { candidate: repeats, baseline: isOfBoth ? Math.max(1, baseline - repeats) : baseline };
}

/** Throws USAGE, with what is missing, for runs that cannot imitate a comparison. */
function checkEnough(
  { runs, values }: RepeatedRuns,
  given: {
    cases: number;
    target: string;
    metrics: readonly ComparedMetric[];
    batches: readonly Batch[];
    column: string | null;
  },
): void {
  const { cases, target, metrics, batches, column } = given;
  const names = batches.map(({ name }) => name).join(", ");
  if (cases === 0) {
    throw new AppError("USAGE", `${target} has no two runs of the same case in ${names}.`, {
      hint: "Run the suite with `compare.noise_repeats: 2` or more, or twice and calibrate it by its name; or let `tandem calibrate SUITE.yaml --run` send the runs.",
    });
  }
  if (runs.length < enoughToFlip) {
    const within = clusterWords(runs.length, cases, column);
    const what = within === null ? counted(cases, "case") : `${counted(cases, "case")} in ${within}`;
    throw new AppError("USAGE", `${target} has two runs of ${what} only in ${names}: no gate decides by so few.`, {
      hint: `It takes ${enoughToFlip} ${within === null ? "cases" : clusterNoun(column)} or more.`,
    });
  }
  for (const [place, { metric }] of metrics.entries()) {
    if (values[place]?.some((own) => own.some((value) => !Number.isNaN(value))) === true) continue;
    throw new AppError("USAGE", `No run of ${target} in ${names} has a score of ${metric.name}.`, {
      hint: "`tandem score` says why answers were not scored.",
    });
  }
}

/** A drop of a share is a share. */
function checkDrops(drops: readonly number[], first: ComparedMetric | undefined): void {
  const large = drops.find((drop) => first?.of === "pass" && drop > 1);
  if (large === undefined) return;
  throw new AppError("USAGE", `--drop ${large}: a drop of ${first?.metric.name ?? "it"} is a share from 0 to 1.`, {
    hint: `${large} points are --drop ${large / 100}.`,
  });
}

/** The values of every run of the target, cluster by cluster. */
function repeatedRuns(
  db: Connection,
  batches: readonly Batch[],
  { target, metrics }: { target: string; metrics: readonly ComparedMetric[] },
): { data: RepeatedRuns; left: number; asked: AskedRuns } {
  const ids = new Set(
    batches.flatMap(({ id }) => batchTargets(db, id).flatMap((each) => (each.name === target ? [each.id] : []))),
  );
  const compared = batches.map(({ id }) => ({ batchId: id, scoringId: latestScoring(db, id)?.id ?? null }));
  const clusters = new Map<string, ReadCase[]>();
  const asked: AskedRuns = { asked: 0, unanswered: 0 };
  let [cases, left] = [0, 0];
  for (const result of pairedResults(db, compared)) {
    const jobs = result.jobs.filter(
      ({ targetId, outcome }) => ids.has(targetId) && outcome !== null && !isSpared(outcome),
    );
    if (jobs.length < 2 || cases >= mostCases) {
      left += 1;
      continue;
    }
    cases += 1;
    for (const job of jobs) {
      const { due, follows } = endOf(sideOutcome(job));
      if (!due || follows) continue;
      asked.asked += 1;
      if (!hasAnswer(job)) asked.unanswered += 1;
    }
    const values = metrics.map((metric) => jobs.map((job) => sideValue([job], metric).mean ?? Number.NaN));
    const known = clusters.get(result.cluster);
    const read = { tags: result.tags, values };
    if (known === undefined) clusters.set(result.cluster, [read]);
    else known.push(read);
  }
  return { data: arranged(Array.from(clusters.values()), metrics.length), left, asked };
}

/** A case with the values of its runs, by metric. */
interface ReadCase {
  tags: Readonly<Record<string, string>>;
  values: readonly (readonly number[])[];
}

function arranged(clusters: readonly (readonly ReadCase[])[], metrics: number): RepeatedRuns {
  const starts = [0];
  for (const cluster of clusters) starts.push((starts.at(-1) ?? 0) + cluster.length);
  const runs = clusters.map((cluster) => Math.min(...cluster.map(({ values: [first] }) => first?.length ?? 0)));
  const values = Array.from({ length: metrics }, (_, place) =>
    clusters.flatMap((cluster) => cluster.map((ofCase) => ofCase.values[place] ?? [])),
  );
  return { starts, runs, tags: clusters.flatMap((cluster) => cluster.map(({ tags }) => tags)), values };
}

/** Runs as the suite has them, or fewer when there are not so many runs of a case. */
function runsOf({ runs }: RepeatedRuns, wanted: Runs): Runs {
  const most = runs.reduce((sum, count) => Math.max(sum, count), 0);
  const candidate = Math.max(1, Math.min(wanted.candidate, most - 1));
  return { candidate, baseline: Math.max(1, Math.min(wanted.baseline, most - candidate)) };
}

/** Runs of a target that were asked, and those of them without an answer. */
interface AskedRuns {
  asked: number;
  unanswered: number;
}

/** Says beside the shares that a real comparison would be invalid, or that a gate decides nothing. */
export function calibrationNotes(
  target: string,
  metrics: readonly ComparedMetric[],
  given: { values: RepeatedRuns["values"]; runs: AskedRuns; maxErrorShare: number; isStopped: boolean },
): string[] {
  const floors = metrics.flatMap((compared, place) => floorNote(target, compared, given.values[place] ?? []));
  return [...errorNote(target, given), ...floors, ...(given.isStopped ? [stoppedNote] : [])];
}

const stoppedNote =
  "the suite stops when it is decided (stop_when: decided): the shares here are those of a run to its end, of which every case is in";

function errorNote(target: string, { runs, maxErrorShare }: { runs: AskedRuns; maxErrorShare: number }): string[] {
  const { asked, unanswered } = runs;
  if (unanswered <= maxErrorShare * asked) return [];
  const have = `${number(unanswered)} of ${number(asked)} runs of ${target} have no answer`;
  return [
    `${have} (${percent(unanswered / asked)}, at most ${percent(maxErrorShare)} are allowed): a real comparison would be invalid`,
  ];
}

/** A metric cannot fall by more than it has. */
function floorNote(target: string, compared: ComparedMetric, values: readonly (readonly number[])[]): string[] {
  const { metric, of, gates } = compared;
  const worst = worstOf(compared);
  const known = values.flat().filter((value) => !Number.isNaN(value));
  if (worst === null || known.length === 0) return [];
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const isBeyond = gates.some(
    (gate) => isMargin(gate) && gate.by === null && (gate.margin ?? 0) > Math.abs(mean - worst),
  );
  if (!isBeyond) return [];
  const shown = scoreFigure(mean, measure(of));
  return [
    `${metric.name} of ${target} (${shown}) is so near the end of its scale that it cannot fall by the margin: its gate cannot tell`,
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
