import type { WatchedThing } from "../../report/shape/alarm.ts";
import type { SeriesPoint } from "../../stats/change-evidence.ts";
import { type SeriesAlarm, type SeriesRestart, watchSeries } from "../../stats/watch-series.ts";
import type { KeptNight } from "./saved-night.ts";
import { differ, isOtherJudge, type NightFacts } from "./night-changes.ts";

/** A night as it is watched: its facts, and its comparison if it finished and was compared. */
export interface WatchedNight {
  facts: NightFacts;
  kept: KeptNight | null;
}

/** The alarms of one thing of one target. */
export interface SeriesOfNights {
  target: string;
  thing: WatchedThing;
  alarms: SeriesAlarm[];
}

/** A restart that was asked for: from a moment on, known since another. */
interface AskedRestart {
  since: number;
  at: number;
}

const things: readonly WatchedThing[] = ["metric", "errors", "latency", "cost"];

/**
 * Watches the primary metric, the share of errors, the latency and the cost of each target over nights that ask the same
 * cases. The promise of one false alarm in `nights` is kept for all of them together: each of so many series is given so
 * many times the nights, by the largest number of series that there was until then.
 */
export function watchNights(
  watched: readonly WatchedNight[],
  { nights, asked }: { nights: number; asked: readonly AskedRestart[] },
): { series: SeriesOfNights[]; watching: number } {
  const names = Array.from(new Set(watched.flatMap(({ facts }) => [...facts.targets.keys()])));
  const all = names.flatMap((target) =>
    things.map((thing) => ({ target, thing, points: watched.map((night) => pointOf(night, target, thing)) })),
  );
  let most = 1;
  const watching = watched.map((_, place) => {
    const present = all.filter(({ points }) => (points[place] ?? null) !== null).length;
    return (most = Math.max(most, present));
  });
  const known = askedRestarts(watched, asked);
  const series = all.map(({ target, thing, points }) => {
    const restarts = [...known, ...knownChanges(watched, target, thing)];
    const { alarms } = watchSeries(points, { nights: (place) => nights * (watching[place] ?? 1), restarts });
    return { target, thing, alarms };
  });
  return { series, watching: most };
}

/** The value of a night, on the scale on which changes are looked for: latency and cost as logarithms. */
function pointOf({ facts, kept }: WatchedNight, target: string, thing: WatchedThing): SeriesPoint | null {
  const found = facts.targets.has(target) ? kept?.targets.find((each) => each.target === target) : undefined;
  if (found === undefined || kept === null || found.runsTried === 0) return null;
  const errors = found.runsWithoutAnswer / found.runsTried;
  switch (thing) {
    case "errors":
      return { value: errors, step: 1 / found.runsTried };
    case "latency":
      return logarithm(found.latency?.median ?? null);
    case "cost":
      // By the runs that were paid: a night that ends when it is decided costs less, and is not cheaper.
      return logarithm(found.cost === null ? null : found.cost / Math.max(1, found.runsPaid));
    case "metric": {
      const [score] = found.scores;
      // Missing answers count as the worst: a night that lacks too many tells of the service, not of the answers.
      if (score === undefined || score.mean === null || errors > kept.decision.maxErrorShare) return null;
      const isRate = score.of === "pass";
      return { value: score.mean, step: isRate ? 1 / Math.max(1, score.cases) : Math.abs(score.mean) / 1000 };
    }
  }
}

/** Less than one percent more or less is no difference. */
function logarithm(value: number | null): SeriesPoint | null {
  return value === null || value <= 0 ? null : { value: Math.log(value), step: 0.01 };
}

/** The nights in which something changed that is known, so that their values are not those of before. */
function knownChanges(watched: readonly WatchedNight[], target: string, thing: WatchedThing): SeriesRestart[] {
  let before: WatchedNight | null = null;
  return watched.flatMap((now, place) => {
    if (pointOf(now, target, thing) === null) return [];
    const earlier = before;
    before = now;
    return earlier !== null && isOther({ now, before: earlier }, target, thing) ? [{ from: place }] : [];
  });
}

function isOther(
  { now, before }: { now: WatchedNight; before: WatchedNight },
  target: string,
  thing: WatchedThing,
): boolean {
  if (now.facts.datasetHash !== before.facts.datasetHash) return true;
  if (now.facts.targets.get(target) !== before.facts.targets.get(target)) return true;
  if (thing === "cost") return now.facts.prices !== before.facts.prices;
  if (thing !== "metric") return false;
  const scoreOf = ({ kept }: WatchedNight) => kept?.targets.find((each) => each.target === target)?.scores[0];
  const metricOf = (night: WatchedNight): string => {
    const score = scoreOf(night);
    return `${score?.metric ?? ""} ${score?.of ?? ""}`;
  };
  return (
    // A fall that the judge made is none of the bot's.
    isOtherJudge(now.facts, before.facts, scoreOf(now)?.metric ?? "") ||
    metricOf(now) !== metricOf(before) ||
    differ(now.facts.scorers, before.facts.scorers) ||
    differ(now.facts.expectedHash, before.facts.expectedHash)
  );
}

/** The places from which on nights belong to what was acknowledged, known to the first night after it was said. */
function askedRestarts(watched: readonly WatchedNight[], asked: readonly AskedRestart[]): SeriesRestart[] {
  return asked.flatMap(({ since, at }) => {
    const from = watched.findIndex(({ facts }) => facts.createdAt >= since);
    const known = watched.findIndex(({ facts }) => facts.createdAt >= at);
    return from === -1 ? [] : [{ from, known: known === -1 ? watched.length : known }];
  });
}
