import { specsOf } from "../grade/scorers.ts";
import type { RunContext } from "../context.ts";
import { scoreBatch } from "../grade/score-batch.ts";
import { anchorCharts, type DriftChart, noiseLimit, ownNoise } from "../../stats/judged/anchor-charts.ts";
import { driftThreshold } from "../../stats/judged/drift.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { type Batch, batchOfId } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import {
  type AnchorSet,
  anchorNights,
  anchorSets,
  beginAnchorNight,
  endAnchorNight,
  type JudgeSign,
  type StoredAnchorNight,
} from "../../store/scores/anchors.ts";
import {
  anchoredJudge,
  isCountedNight,
  isFlips,
  nightsSince,
  type StoredAnchors,
  readAnchors,
} from "./anchored-judge.ts";
import { changedFactsOf, factsOf, settingsHash } from "./judge-facts.ts";

/**
 * Asks the judges of a suite about all of their anchors, once a night however often it is begun, through the journal and with the
 * limits of the run, and notes what shows that a judge has changed. Replies of before are not taken over: they would hide it.
 */
export async function askAnchors(run: RunContext, night: Batch): Promise<void> {
  const { db } = run;
  for (const set of anchorSets(db, night.suiteName)) {
    const spec = specsOf(run.suite, false).find(({ name }) => name === set.scorer);
    if (anchorNights(db, set.batchId).some((each) => each.night === night.name && each.lastJob !== null)) continue;
    if (spec !== undefined) await askOne(run, { night, set, spec });
    else noteNotAsked(db, set, night);
  }
}

/** The suite of this night has no such judge any more. */
function noteNotAsked(db: Connection, { batchId }: AnchorSet, { name }: Batch): void {
  const begun = beginAnchorNight(db, batchId, { night: name, at: Date.now() });
  endAnchorNight(db, batchId, begun, () => null);
}

async function askOne(
  run: RunContext,
  { night, set, spec }: { night: Batch; set: AnchorSet; spec: ScorerSpec },
): Promise<void> {
  const { db, suite } = run;
  const begun = beginAnchorNight(db, set.batchId, { night: night.name, at: Date.now() });
  const own = { ...suite, scorers: [{ ...spec, primary: true }] };
  const asking = { ...run, suite: own, cache: false };
  const { scoring, end } = await scoreBatch(asking, batchOfId(db, set.batchId), { again: true, isLater: true });
  // Somebody wanted an end: it goes on where it was with the night.
  if (end.stopped.some(({ reason }) => reason === "interrupted")) return;
  const judge = readAnchors(db, set);
  const scoringId = scoring?.id ?? null;
  const facts =
    scoringId === null
      ? null
      : factsOf(db, scoringId, { settings: settingsHash(suite, spec), isWhole: judge.gone === 0 });
  const tonight: StoredAnchorNight = { ...begun, scoringId, facts };
  endAnchorNight(db, set.batchId, tonight, () => signsOf(db, readAnchors(db, set)));
}

/** The signs in the last night that the judge is another, and up to which job its replies are those of the one before. */
function signsOf(db: Connection, judge: StoredAnchors): { alarm: JudgeSign[]; sameUntil: number } | null {
  const tonight = judge.nights.at(-1);
  if (tonight === undefined || tonight.facts === null || !isCountedNight(judge, tonight)) return null;
  const counted = judge.nights.filter((night) => isCountedNight(judge, night));
  const known = counted
    .slice(Math.max(0, counted.findLastIndex(isKnownChange)), -1)
    .flatMap(({ facts }) => facts ?? []);
  const byFact = changedFactsOf(tonight.facts, known);
  const nights = nightsSince(judge);
  const watched = anchoredJudge(db, judge, nights);
  const isNoisy = (ownNoise(watched) ?? 0) > noiseLimit;
  const charts = isNoisy ? null : anchorCharts(watched);
  const flipped =
    charts === null ? [] : (["up", "down"] as const).flatMap((kind) => flipsOf(kind, charts[kind], nights));
  if (byFact.length + flipped.length === 0) return null;
  // By flips it may have been another for some nights; by a fact it was the same as long as that was.
  const first = Math.min(...[tonight, ...flipped.map(({ since }) => since)].map((night) => counted.indexOf(night)));
  const signs = flipped.map(({ since, ...sign }): JudgeSign => ({ ...sign, since: since.night }));
  return { alarm: [...byFact, ...signs], sameUntil: counted[first - 1]?.lastJob ?? 0 };
}

const isKnownChange = ({ alarm }: StoredAnchorNight): boolean => alarm?.some((sign) => !isFlips(sign)) === true;

/** An alarm of a chart by the last night, with the night since which the judge is most likely another; none: the chart is quiet. */
function flipsOf(kind: "up" | "down", chart: DriftChart, nights: readonly StoredAnchorNight[]) {
  const [statistic, last] = [chart.statistics.at(-1) ?? 0, chart.nights.at(-1)];
  const since = nights[nights.length - chart.nights.length + chart.began];
  if (statistic < driftThreshold || last === undefined || since === undefined) return [];
  return [{ kind, flips: last.flips, anchors: last.anchors, statistic, since }];
}
