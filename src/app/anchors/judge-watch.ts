import { type ShownMeasure, measure as measureOf } from "../../report/say/figures.ts";
import { dayLabel, nightLabels } from "../../report/say/night-names.ts";
import {
  changedJudgeWords,
  goneWords,
  noisyJudgeWords,
  noisyWords,
  notAskedWords,
  referenceWords,
  sameJudgeWords,
  signWords,
  noVerdictWords,
} from "../../report/say/judges.ts";
import type { JudgeChart, JudgeState, JudgeWatch } from "../../report/shape/judge-watch.ts";
import {
  anchorChange,
  anchorCharts,
  type DriftChart,
  mostNoise,
  noiseLimit,
  ownNoise,
  referenceNights,
} from "../../stats/judged/anchor-charts.ts";
import { driftThreshold } from "../../stats/judged/drift.ts";
import { type Batch, batchOfId } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { anchorNights, anchorSets, type StoredAnchorNight, unscoredReason } from "../../store/scores/anchors.ts";
import { batchJudges, judgeTallies } from "../../store/scores/judges.ts";
import { listScorings } from "../../store/scores/scores.ts";
import { withCosts } from "../plan/judge-costs.ts";
import { anchoredJudge, isCountedNight, nightsSince, type StoredAnchors, readAnchors } from "./anchored-judge.ts";

/** The judges of a night that are watched, as they were with it; empty: none is, or it was no night. */
export function judgesOfNight(db: Connection, { name, suiteName }: Batch): JudgeWatch[] {
  return anchorSets(db, suiteName).flatMap((set) => {
    const tonight = anchorNights(db, set.batchId).find(({ night }) => night === name);
    return tonight === undefined || tonight.lastJob === null ? [] : [judgeWatch(db, readAnchors(db, set, name))];
  });
}

/** The judges of a suite (null: of all) that are watched, as they are now. */
export function judgesWatched(db: Connection, suite: string | null): JudgeWatch[] {
  return anchorSets(db, suite).map((set) => judgeWatch(db, readAnchors(db, set)));
}

/**
 * The judges of a suite that are watched, for one who looks over its nights: as they are now, and then as they were in the latest night
 * that showed a change, since their charts begin anew after it.
 */
export function judgesOverNights(db: Connection, suite: string): JudgeWatch[] {
  return anchorSets(db, suite).flatMap((set) => {
    const now = judgeWatch(db, readAnchors(db, set));
    const { alarm, state } = now;
    const isBefore = alarm !== undefined && state !== "changed";
    return isBefore ? [now, judgeWatch(db, readAnchors(db, set, alarm.batch))] : [now];
  });
}

function judgeWatch(db: Connection, judge: StoredAnchors): JudgeWatch {
  const { set, anchors, gone } = judge;
  const done = judge.nights.filter(({ lastJob }) => lastJob !== null);
  const last = done.at(-1);
  // A night that shows a change is told beside those that it differs from.
  const isChanged = last !== undefined && last.alarm !== null;
  const nights = isChanged
    ? nightsSince({ ...judge, nights: [...done.slice(0, -1), { ...last, alarm: null }] })
    : nightsSince(judge);
  const watched = anchoredJudge(db, judge, nights);
  const found = anchorCharts(watched);
  const labels = new Map(labelsByNight(judge.nights));
  const dayOf = (batch: string): string => labels.get(batch) ?? batch;
  const charts =
    found === null
      ? null
      : (["up", "down"] as const).map((direction) => chartOf(direction, found[direction], { nights, dayOf }));
  const changed = done.findLast(({ alarm }) => alarm !== null);
  const signs = signWords(changed?.alarm ?? [], dayOf);
  const noise = ownNoise(watched);
  const isNoisy = noise !== null && noise > noiseLimit;
  const state = stateOf(judge, { last, isKnown: charts !== null, isNoisy });
  const moved =
    last !== undefined && isCountedNight(judge, last)
      ? anchorChange(
          watched,
          anchors.map(({ cluster }) => cluster),
        )
      : null;
  const change = moved === null ? null : { mean: moved.mean, interval: shown(moved.interval) };
  const answered = last === undefined ? 0 : judge.verdictsOf(last).filter((value) => value !== null).length;
  const figures = {
    scorer: set.scorer,
    anchors: anchors.length,
    answered,
    gone,
    change,
    asked: last === undefined ? null : askedIn(db, judge, last),
    ...(charts !== null && { charts }),
  };
  const told = {
    suite: set.suiteName,
    ...figures,
    nights: Math.min(nights.length, referenceNights),
    needed: referenceNights,
    since: changed === undefined ? null : dayLabel(changed.at),
  };
  const measure: ShownMeasure = measureOf(set.measure);
  const sentence = {
    reference: () => referenceWords(told),
    same: () => sameJudgeWords(told, measure),
    noisy: () => noisyJudgeWords(told, noise ?? 0),
    changed: () =>
      changedJudgeWords(
        set.scorer,
        signs,
        done.slice(-2).map(({ night }) => night),
      ),
    unanswered: () => noVerdictWords(told, reasonOf(db, judge, last)),
    "not-asked": () => notAskedWords(set.scorer),
  }[state]();
  return {
    suite: set.suiteName,
    ...figures,
    state,
    sentence,
    notes: [...(gone === 0 ? [] : [goneWords(gone)]), ...noiseNotes(judge, noise, state)],
    measure: set.measure,
    takenFrom: set.takenFrom,
    referenceNights: told.nights,
    byPeople: byPeople(judge, last),
    ...(changed !== undefined && { alarm: { batch: changed.night, label: dayOf(changed.night), signs } }),
  };
}

function stateOf(
  judge: StoredAnchors,
  { last, isKnown, isNoisy }: { last: StoredAnchorNight | undefined; isKnown: boolean; isNoisy: boolean },
): JudgeState {
  if (last === undefined) return "reference";
  if (last.alarm !== null) return "changed";
  if (last.scoringId === null) return "not-asked";
  if (!isCountedNight(judge, last)) return "unanswered";
  return isKnown ? (isNoisy ? "noisy" : "same") : "reference";
}

/** Night to its label. */
function labelsByNight(nights: readonly StoredAnchorNight[]): [night: string, label: string][] {
  const labels = nightLabels(nights.map(({ at }) => at));
  return nights.map(({ night }, place) => [night, labels[place] ?? ""]);
}

function chartOf(
  direction: JudgeChart["direction"],
  chart: DriftChart,
  { nights, dayOf }: { nights: readonly StoredAnchorNight[]; dayOf: (batch: string) => string },
): JudgeChart {
  const after = nights.slice(nights.length - chart.nights.length);
  return {
    direction,
    anchors: chart.anchors,
    reference: chart.reference,
    threshold: driftThreshold,
    nights: chart.nights.map(({ flips, anchors }, place) => {
      const batch = after[place]?.night ?? "";
      return { batch, label: dayOf(batch), flips, anchors, statistic: chart.statistics[place] ?? 0 };
    }),
  };
}

const shown = (interval: { low: number; high: number } | null) =>
  interval === null ? null : { lower: interval.low, upper: interval.high };

/** The state of a noisy judge says it in its sentence. */
function noiseNotes({ set, nights }: StoredAnchors, noise: number | null, state: JudgeState): string[] {
  if (noise === null || noise <= mostNoise || state === "noisy") return [];
  const isSoFar = nights.length <= referenceNights;
  return [noisyWords(set, { noise, isSoFar })];
}

/** Fewer labels of good or of bad answers tell too little. */
const fewestLabels = 10;

function byPeople(
  { set, anchors, verdictsOf }: StoredAnchors,
  last: StoredAnchorNight | undefined,
): JudgeWatch["byPeople"] {
  if (set.measure === "value" || last === undefined) return null;
  const verdicts = verdictsOf(last);
  const shares = [1, 0].map((label) => {
    const own = anchors.flatMap((anchor, place) => {
      const verdict = verdicts[place] ?? null;
      return anchor.label === label && verdict !== null ? [verdict === label] : [];
    });
    return own.length < fewestLabels ? null : own.filter(Boolean).length / own.length;
  });
  const [sensitivity = null, specificity = null] = shares;
  return sensitivity === null || specificity === null ? null : { sensitivity, specificity };
}

/** Questions of a night to a judge about its anchors, with their cost. */
function askedIn(db: Connection, { set }: StoredAnchors, { scoringId }: StoredAnchorNight): JudgeWatch["asked"] {
  const scoring = listScorings(db, set.batchId).find(({ id }) => id === scoringId);
  if (scoring === undefined) return null;
  const [own] = withCosts(judgeTallies(db, scoring), batchOfId(db, set.batchId).suite);
  return own === undefined ? null : { questions: own.questions, cost: own.cost };
}

/** Why a night has too few verdicts, as far as that is known. */
function reasonOf(db: Connection, { set }: StoredAnchors, night: StoredAnchorNight | undefined): string | null {
  const scoringId = night?.scoringId ?? null;
  const stopped = batchJudges(db, set.batchId).find((judge) => judge.stopped !== null)?.stopped ?? null;
  return stopped ?? (scoringId === null ? null : unscoredReason(db, scoringId));
}
