import { costOf } from "../../api/price.ts";
import { existsSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { designEffect } from "../../stats/planning/design-effect.ts";
import { targetPrice } from "../../suite/prices.ts";
import { falseAlarms, type FalseAlarm } from "../../stats/planning/tries.ts";
import { kindOfGate, triesOf } from "../../suite/gate-settings.ts";
import type { Suite } from "../../suite/suite.ts";
import { sureLevel } from "../../compare/verdict-word.ts";
import { lossOf } from "../../compare/comparison-plan.ts";
import { defaultMargin } from "../../suite/default-values.ts";
import { decisionLevels } from "./decision-levels.ts";
import { type LabelsPlan, planLabels } from "./planned-labels.ts";
import { casesFor, casesToPass, largestPassing, smallestDrop } from "./planned-drop.ts";
import { type PlannedVariance, storedVariance } from "./stored-variance.ts";

/** Drops that an experiment of this size can show, and the cost of a larger one. */
export interface PowerPlan extends PlannedVariance {
  /** Gates on rows that have to hold over repeats, and how often unchanged ones fail by chance. */
  held?: HeldRows[];
  /** The gate of the metric: the loss that it accepts, and the levels of a regression and of a pass in one comparison. */
  gate: { margin: number; alpha: number; passAlpha: number } | null;
  /** Cases with which the gate passes with 80 % power where nothing is lost; null: those of the suite do, no number does, or there is no gate. */
  casesToPass: number | null;
  rows: PowerRow[];
  /** Labels of people that decide the gates of judges. */
  labels?: LabelsPlan[];
  /** The size that finds the drop that was asked for. */
  wanted: WantedDrop | null;
}

/** A gate on rows that have to hold over repeats. */
interface HeldRows {
  metric: string;
  pass: number;
  of: number;
  cases: number;
  alarms: FalseAlarm[];
}

/** A drop that is to be found. */
interface WantedDrop {
  drop: number;
  /**
   * The size with the repeats of the suite that is called WORSE, or a regression, and its requests and cost; without a gate that
   * which shows it at all.
   */
  cases: number;
  jobs: number;
  cost: number | null;
  /** Times the repeats that would do the same with the cases there are; null: none would, or 1 is enough. */
  times: number | null;
  /** Cases with which the gate calls it a regression; null without a gate, and for a loss that the gate accepts. */
  gateCases: number | null;
}

/** One size. */
interface PowerRow {
  cases: number;
  /** Runs of each case on the baseline and on the candidate. */
  runs: { baseline: number; candidate: number };
  /**
   * Smallest true drop that is shown at all, by the two-sided p of the metric (alpha 5 %) or by the gate: 80 % power.
   * Null when there is none, or when the variation of more runs is not known.
   */
  detectable: number | null;
  /**
   * Smallest true drop that the gate calls a regression, with 80 % power; null without a gate, where no outcome is one,
   * and where it is not known.
   */
  regression: number | null;
  /** Smallest true gain that is called BETTER, with 80 % power; null as above. */
  better: number | null;
  /** Largest true loss with which it is a PASS, with 80 % power; null where it is not even without a loss, and as above. */
  pass: number | null;
  /** Smallest true loss that is called WORSE, with 80 % power; null where one as small is a regression, and as above. */
  worse: number | null;
  jobs: number;
  /** null without prices. */
  cost: number | null;
}

export interface PowerRequest {
  suite: Suite;
  /** The database with earlier batches, whether it exists or not. */
  database: string;
  cases: number;
  clusters: number;
  drop: number | null;
  /** Share of the cases that pass on one side only, to be assumed whatever is stored; null: what is stored, if anything. */
  discordant: number | null;
  /** Cost of the questions to judges for the cases and repeats of the suite; null: none, or not known. */
  judgeCost: number | null;
}

/**
 * A pass rate that is assumed if nothing is known: so many cases pass on one side only, and half of that is the
 * variation of runs.
 */
const assumed = { metric: "a pass rate", of: "pass" as const, discordant: 0.15, noise: 0.5, icc: 0.3 };
/** Greatest factor of repeats given as advice. */
const mostTimes = 20;

/** Plans by the variance that the suite's latest comparison had; without one by an assumed one. Throws USAGE. */
export function planPower(request: PowerRequest): PowerPlan {
  const { suite, database, cases, clusters, drop, discordant } = request;
  const primary = suite.scorers.find((scorer) => scorer.primary) ?? suite.scorers[0];
  const sought = { suite: suite.name, metric: primary?.name ?? null };
  const known = discordant === null && existsSync(database) ? storedVariance(database, sought) : null;
  const variance = known ?? assumedVariance(cases, clusters, discordant ?? assumed.discordant);
  checkShare("--drop", drop, variance.of === "pass" ? 1 : Number.POSITIVE_INFINITY);
  checkShare("--discordant", discordant, 1);
  const gate = gateOf(suite, variance, known === null);
  const runs = { baseline: Math.max(suite.repeats, suite.compare?.noiseRepeats ?? 1), candidate: suite.repeats };
  const sizes = [
    { cases, times: 1 },
    { cases, times: 2 },
    { cases, times: 3 },
    { cases: cases * 2, times: 1 },
    { cases: cases * 4, times: 1 },
  ];
  const rowOf = (size: number, times: number): PowerRow => {
    const own = { baseline: runs.baseline * times, candidate: runs.candidate * times };
    const row = powerRow(suite, variance, { cases: size, runs: own, times, gate });
    const { judgeCost } = request;
    // Every answer is judged.
    return judgeCost === null
      ? row
      : { ...row, cost: (row.cost ?? 0) + (judgeCost * size * times) / Math.max(1, cases) };
  };
  const rows = sizes.map((size) => rowOf(size.cases, size.times));
  const wanted = drop === null ? null : wantedDrop(drop, { variance, runs, gate, rowOf, cases });
  const held = suite.decision.gates.flatMap(({ metric, cases: asked }) => {
    const tries = asked === undefined || asked === null ? null : triesOf(asked);
    return tries === null ? [] : [{ metric, ...tries, cases, alarms: falseAlarms(tries, cases) }];
  });
  const passing =
    gate === null || (rows[0]?.pass ?? null) !== null ? null : casesToPass({ variance, runs }, gate, cases);
  const labels = planLabels({ suite, database, cases, clusters, drop });
  return {
    ...variance,
    gate,
    casesToPass: passing,
    rows,
    wanted,
    ...(labels.length > 0 && { labels }),
    ...(held.length > 0 && { held }),
  };
}

interface WantedOptions extends Pick<PowerPlan, "gate"> {
  variance: PlannedVariance;
  runs: PowerRow["runs"];
  cases: number;
  rowOf: (cases: number, times: number) => PowerRow;
}

function wantedDrop(drop: number, { variance, runs, gate, rowOf, cases }: WantedOptions): WantedDrop | null {
  const size = lossOf({ of: variance.of, metric: variance }, drop);
  const needed = casesFor(size, { variance, runs }, gate === null ? null : sureGate);
  const called = gate === null ? null : casesFor(size, { variance, runs }, gate);
  if (needed === null) return null;
  const enough = Math.min(needed, called ?? Infinity);
  const { jobs, cost } = rowOf(enough, 1);
  const times = Array.from({ length: mostTimes }, (_, i) => i + 1).find(
    (each) => (shownFrom(rowOf(cases, each)) ?? Infinity) <= size,
  );
  return {
    drop,
    cases: enough,
    jobs,
    cost,
    times: times === undefined || times === 1 ? null : times,
    gateCases: called,
  };
}

/** A loss of any size that is sure: it is called WORSE whatever the limit. */
const sureGate = { margin: 0, alpha: sureLevel };

/** The smallest loss of which something bad is said. */
function shownFrom({ worse, regression, detectable }: PowerRow): number | null {
  return worse ?? regression ?? detectable;
}

function checkShare(flag: string, value: number | null, most: number): void {
  if (value === null || (value > 0 && value <= most)) return;
  const hint = value > 1 && value <= 100 ? `${value} points are ${flag} ${value / 100}.` : undefined;
  const what = most === 1 ? "a share above 0, at most 1, such as 0.05" : "a number above 0";
  throw new AppError("USAGE", `${flag} takes ${what}; got ${value}.`, hint === undefined ? {} : { hint });
}

/** The gate of the suite by the metric; of an assumed pass rate its first gate of one. Without gates there is a default. */
function gateOf(suite: Suite, { metric, of }: PlannedVariance, isAssumed: boolean): PowerPlan["gate"] {
  const { gates } = suite.decision;
  const own = gates.find(
    (gate) => kindOfGate(gate) === "margin" && (isAssumed || gate.metric === metric) && (gate.of ?? of) === of,
  );
  if (own === undefined && gates.length > 0) return null;
  const margin = own?.margin ?? (of === "value" ? null : defaultMargin);
  return margin === null ? null : { margin, ...decisionLevels(suite.decision) };
}

interface RowSize extends Pick<PowerRow, "cases" | "runs">, Pick<PowerPlan, "gate"> {
  times: number;
}

function powerRow(suite: Suite, variance: PlannedVariance, { cases, runs, times, gate }: RowSize): PowerRow {
  // The part of the variance that more runs would take away is not known.
  const isKnown = times === 1 || variance.within !== null;
  const size = { cases, runs, variance };
  const called = gate === null || !isKnown ? null : smallestDrop(size, gate);
  const shown = isKnown ? smallestDrop(size, null) : null;
  const sure = gate === null || !isKnown ? null : smallestDrop(size, sureGate);
  const jobs = suite.targets.map((target) => {
    const isBaseline = target.name === suite.compare?.baseline;
    const price = costOf(targetPrice(suite, target), null);
    return { count: cases * (isBaseline ? runs.baseline : runs.candidate), price };
  });
  const priced = jobs.some(({ price }) => price !== null);
  return {
    cases,
    runs,
    // A drop that the gate calls is shown, also where its one-sided rule takes fewer cases than the two-sided p.
    detectable: called === null || shown === null ? (shown ?? called) : Math.min(shown, called),
    regression: called,
    // A gain is called one from the same size on as a loss is shown: both are asked by the same two-sided p.
    better: gate === null ? null : shown,
    pass: gate === null || !isKnown ? null : largestPassing(size, gate),
    worse: sure !== null && sure < (called ?? Infinity) ? sure : null,
    jobs: jobs.reduce((sum, { count }) => sum + count, 0),
    cost: priced ? jobs.reduce((sum, { count, price }) => sum + count * (price ?? 0), 0) : null,
  };
}

function assumedVariance(cases: number, clusters: number, discordant: number): PlannedVariance {
  const { metric, of, noise, icc } = assumed;
  const effect = designEffect(cases / Math.max(1, clusters), icc);
  return {
    metric,
    of,
    unit: null,
    lowerIsBetter: false,
    from: null,
    between: discordant * (1 - noise),
    within: discordant * noise,
    designEffect: Math.max(1, effect),
    gains: null,
    clusters: Math.max(1, clusters) / Math.max(1, cases),
    df: null,
  };
}
