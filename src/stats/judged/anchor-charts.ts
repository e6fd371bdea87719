import { clusterCodes, clusterTotals } from "../clusters.ts";
import type { Interval } from "../interval.ts";
import { clusterEstimate } from "../paired/cluster-t.ts";
import { tInterval } from "../paired/t-estimate.ts";
import { quantile } from "../quantile.ts";
import { type DriftNight, type DriftReference, driftBegan, driftRatio, driftStatistics } from "./drift.ts";

/** Nights by whose verdicts a judge is known. With five, one chart in ten has a false alarm in a year. */
export const referenceNights = 10;

/** Share of its verdicts that a judge may contradict itself in without hiding a small change. */
export const mostNoise = 0.03;

/**
 * Above it flips are no alarm: false ones in a year on a chart of 30 or 60 anchors are 1.6 to 4.5 % up to a noise of 6 % that is all on a fifth of
 * them, and 6 to 8 % at 8 %, where an anchor has no usual verdict any more.
 */
export const noiseLimit = 0.05;

/** Nights from which on it is told how far a judge contradicts itself. */
const fewestNoisyNights = 3;

/** Share of the verdicts of the nights of reference, or of those that there are yet, that are other than usual; null: too few. */
export function ownNoise(judge: AnchoredJudge): number | null {
  const nights = judge.nights.slice(0, referenceNights);
  if (nights.length < fewestNoisyNights) return null;
  const usual = usualVerdicts(judge);
  const least = judge.range === null ? 0 : flipShare * judge.range;
  const said = nights.flatMap((night) =>
    night.flatMap((value, place) =>
      value === null ? [] : [Math.abs(value - (usual[place] ?? value)) > least + rounding],
    ),
  );
  return said.length === 0 ? null : said.filter(Boolean).length / said.length;
}

/** Share of a score's range by which a grade has to differ from what is usual to count as a flip. */
const flipShare = 0.15;

/** Verdicts of a judge on each anchor, night after night: 1 and 0 for pass and fail, or values; null: no verdict. */
export interface AnchoredJudge {
  /** The oldest night first; the anchors of each in the same order. */
  nights: readonly (readonly (number | null)[])[];
  /** Its verdicts when they were frozen, which break a tie of the reference nights. */
  frozen: readonly number[];
  /** Range of the values; null: it passes and fails. */
  range: number | null;
}

/** The flips of a judge in one direction. */
export interface DriftChart {
  /** Anchors that can flip this way. */
  anchors: number;
  reference: DriftReference;
  /** The nights after those of reference. */
  nights: DriftNight[];
  /** After each of them. */
  statistics: number[];
  /** Place among them of the night since which the judge is another, if it is one. */
  began: number;
}

/** The two charts of a judge; null before the first night after those of reference. */
export function anchorCharts(judge: AnchoredJudge): Record<"up" | "down", DriftChart> | null {
  const { nights, range } = judge;
  if (nights.length <= referenceNights) return null;
  const usual = usualVerdicts(judge);
  const chart = (sign: 1 | -1): DriftChart => {
    const places = usual.flatMap((value, place) =>
      value === null || (range === null && value === (sign === 1 ? 1 : 0)) ? [] : [place],
    );
    const counts = nights.map((night) => {
      const said = places.flatMap((place) => {
        const value = night[place] ?? null;
        return value === null ? [] : [sign * (value - (usual[place] ?? 0))];
      });
      const least = range === null ? 0 : flipShare * range;
      return { flips: said.filter((by) => by > least + rounding).length, anchors: said.length };
    });
    const [before, after] = [counts.slice(0, referenceNights), counts.slice(referenceNights)];
    const reference = {
      flips: before.reduce((sum, { flips }) => sum + flips, 0),
      verdicts: before.reduce((sum, { anchors }) => sum + anchors, 0),
    };
    const ratios = driftRatios(after, reference);
    const [statistics, began] = [driftStatistics(ratios), driftBegan(ratios)];
    return { anchors: places.length, reference, nights: after, statistics, began };
  };
  return { up: chart(1), down: chart(-1) };
}

/** Most nights have the same few flips. */
function driftRatios(nights: readonly DriftNight[], reference: DriftReference): number[] {
  const known = new Map<string, number>();
  return nights.map((night) => {
    const key = `${night.flips}/${night.anchors}`;
    const ratio = known.get(key) ?? driftRatio(night, reference);
    known.set(key, ratio);
    return ratio;
  });
}

/** 0.65 - 0.5 is a little more than 0.15 for a computer. */
const rounding = 1e-9;

/** The verdict of most nights of reference, or the middle of their values; null: there was none. */
function usualVerdicts({ nights, frozen, range }: AnchoredJudge): (number | null)[] {
  return frozen.map((then, place) => {
    const values = nights.slice(0, referenceNights).flatMap((night) => night[place] ?? []);
    const middle = quantile(Float64Array.from(values).toSorted(), 0.5);
    if (middle === null || range !== null) return middle;
    return middle === 0.5 ? then : Math.round(middle);
  });
}

/** Mean distance of the grades of the last night from those of the nights of reference; `clusters`: of each anchor. Null: nothing can be compared. */
export function anchorChange(
  { nights }: AnchoredJudge,
  clusters: readonly string[],
): { mean: number; interval: Interval | null; anchors: number } | null {
  const [last, before] = [nights.at(-1) ?? [], nights.slice(0, Math.min(referenceNights, nights.length - 1))];
  const changes: number[] = [];
  const of: string[] = [];
  for (const [place, now] of last.entries()) {
    const then = before.flatMap((night) => night[place] ?? []);
    if (now === null || then.length === 0) continue;
    changes.push(now - then.reduce((sum, value) => sum + value, 0) / then.length);
    of.push(clusters[place] ?? "");
  }
  const estimate = clusterEstimate(clusterTotals(Float64Array.from(changes), clusterCodes(of)));
  if (estimate.mean === null) return null;
  return { mean: estimate.mean, interval: tInterval(estimate, 0.95), anchors: changes.length };
}
