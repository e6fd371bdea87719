import { rangeOf } from "../../compare/comparison-plan.ts";
import type { AnchoredJudge } from "../../stats/judged/anchor-charts.ts";
import type { Connection } from "../../store/connection.ts";
import {
  type Anchor,
  anchorNights,
  type AnchorSet,
  anchorsOf,
  anchorVerdicts,
  type JudgeSign,
  type StoredAnchorNight,
} from "../../store/scores/anchors.ts";
import { latestScoring, scoredResults } from "../../store/scores/scores.ts";
import { anchorMark } from "./anchor-mark.ts";

/** The anchors of a judge as they are now, and the nights in which it was asked about them. */
export interface StoredAnchors {
  set: AnchorSet;
  /** Those that are still what was frozen. */
  anchors: readonly (Anchor & { cluster: string })[];
  /** Number of those that are gone, or are another text by now. */
  gone: number;
  nights: readonly StoredAnchorNight[];
  verdictsOf: (night: StoredAnchorNight) => (number | null)[];
}

/** Reads the anchors of a set and all that was said of them, up to a night (its name; null: all). */
export function readAnchors(db: Connection, set: AnchorSet, upTo: string | null = null): StoredAnchors {
  const frozen = new Map(anchorsOf(db, set.batchId).map((anchor) => [anchor.jobId, anchor]));
  const anchors: (Anchor & { cluster: string })[] = [];
  for (const result of scoredResults(db, set.batchId, null, { reasons: false })) {
    for (const job of result.jobs) {
      const anchor = frozen.get(job.jobId);
      if (anchor !== undefined && anchor.mark === anchorMark(result, job))
        anchors.push({ ...anchor, cluster: result.cluster });
    }
  }
  const said = anchorVerdicts(db, set.batchId);
  const all = anchorNights(db, set.batchId);
  const last = upTo === null ? all.length : all.findIndex(({ night }) => night === upTo) + 1;
  return {
    set,
    anchors,
    gone: frozen.size - anchors.length,
    nights: all.slice(0, last),
    verdictsOf({ scoringId }) {
      const own = new Map((said.get(scoringId ?? -1) ?? []).map((verdict) => [verdict.jobId, verdict]));
      return anchors.map(({ jobId }) => {
        const { value = null, pass = null } = own.get(jobId) ?? {};
        return set.measure === "value" ? value : pass === null ? null : Number(pass);
      });
    },
  };
}

/** A night counts when at least half of the anchors got a verdict: with fewer the service had trouble, which tells nothing of its grades. */
export function isCountedNight(judge: StoredAnchors, night: StoredAnchorNight): boolean {
  const answered = judge.verdictsOf(night).filter((value) => value !== null).length;
  return night.facts !== null && answered > 0 && answered * 2 >= judge.anchors.length;
}

/** The flips of anchors showed it, and it may have changed in a night before. */
export const isFlips = (sign: JudgeSign): sign is Extract<JudgeSign, { kind: "up" | "down" }> =>
  sign.kind === "up" || sign.kind === "down";

/**
 * The nights since the judge was last found to be another that count: those by which it is known and watched. A night that knew it by a
 * fact is the first of the new judge; one that found it by flips, which are more than usual for that reason, is left out.
 */
export function nightsSince(judge: StoredAnchors): StoredAnchorNight[] {
  const changed = judge.nights.findLastIndex(({ alarm }) => alarm !== null);
  const byFact = judge.nights[changed]?.alarm?.some((sign) => !isFlips(sign)) === true;
  return judge.nights.slice(byFact ? changed : changed + 1).filter((night) => isCountedNight(judge, night));
}

/** The verdicts of these nights as the charts take them. */
export function anchoredJudge(
  db: Connection,
  judge: StoredAnchors,
  nights: readonly StoredAnchorNight[],
): AnchoredJudge {
  const { set, anchors } = judge;
  return {
    nights: nights.map(judge.verdictsOf),
    frozen: anchors.map(({ value, pass }) => (set.measure === "value" ? value : Number(pass ?? value >= 0.5))),
    range: set.measure === "value" ? rangeIn(db, judge) : null,
  };
}

/** The range of the judge's values, as the scorings say that hold its replies; 1 where none does. */
function rangeIn(db: Connection, { set }: StoredAnchors): number {
  const scoring = latestScoring(db, set.batchId);
  const metric = scoring?.scorers[0]?.metric;
  return metric === undefined ? 1 : (rangeOf({ metric, of: "value" }) ?? 1);
}
