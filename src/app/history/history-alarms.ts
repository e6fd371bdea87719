import type { AlarmState, HistoryAlarm, NightName, WatchedThing } from "../../report/shape/alarm.ts";
import type { Night } from "../../report/shape/history.ts";
import type { ReportMetric } from "../../report/shape/model.ts";
import { alarmSentence, watchedFigure } from "../../report/words/night-words.ts";
import type { SeriesAlarm } from "../../stats/series/watch-series.ts";
import type { KnownNight } from "./known-nights.ts";
import { watchNights } from "./watched-series.ts";

interface AlarmsGiven {
  metrics: readonly ReportMetric[];
  acknowledged: readonly { since: number; at: number }[];
  /** One false alarm in so many nights. */
  nights: number;
}

/** The alarms of nights that ask the same cases, with their dates, levels and words. */
export function historyAlarms(
  known: readonly KnownNight[],
  nights: readonly Night[],
  { metrics, acknowledged, nights: promised }: AlarmsGiven,
): { alarms: HistoryAlarm[]; watching: number } {
  const { series, watching } = watchNights(known, { nights: promised, asked: acknowledged });
  const restarts = new Set(
    acknowledged.map(({ since }) => nights.findIndex(({ at }) => at >= since)).filter((place) => place !== -1),
  );
  const alarms = series.flatMap(({ target, thing, alarms: found }) =>
    found.map((alarm): HistoryAlarm => {
      const metricName = thing === "metric" ? primaryOf(nights[alarm.noticed], target) : null;
      const metric = metrics.find(({ name }) => name === metricName) ?? null;
      const [before, since] = [alarm.before, alarm.since].map(valueOf[thing]);
      const direction = alarm.since > alarm.before ? "higher" : "lower";
      const lowerIsBetter = thing !== "metric" || (metric?.lowerIsBetter ?? false);
      const made: Omit<HistoryAlarm, "sentence"> = {
        target,
        thing,
        metric: metricName,
        state: stateOf(alarm, { last: nights.length - 1, restarts }),
        direction,
        isWorse: (direction === "higher") === lowerIsBetter,
        before: before ?? 0,
        since: since ?? 0,
        changed: nameOf(nights, alarm.place),
        earliest: nameOf(nights, alarm.earliest),
        latest: nameOf(nights, alarm.latest),
        noticed: nameOf(nights, alarm.noticed),
        until: alarm.until === null || nights[alarm.until] === undefined ? null : nameOf(nights, alarm.until),
      };
      return { ...made, sentence: alarmSentence(made, (value) => watchedFigure(thing, value, metric)) };
    }),
  );
  return { alarms, watching };
}

const asItIs = (value: number): number => value;

/** Back from the scale on which changes are looked for. */
const valueOf: Record<WatchedThing, (value: number) => number> = {
  metric: asItIs,
  errors: asItIs,
  latency: Math.exp,
  cost: Math.exp,
};

function stateOf(
  { noticed, end, until, ended }: SeriesAlarm,
  { last, restarts }: { last: number; restarts: ReadonlySet<number> },
): AlarmState {
  if (end === null) return noticed === last ? "new" : "still";
  if (end === "restarted") return until !== null && restarts.has(until) ? "acknowledged" : "ended";
  return end === "returned" && ended === last ? "over" : "ended";
}

function primaryOf(night: Night | undefined, target: string): string | null {
  return night?.targets.find((each) => each.target === target)?.metric ?? null;
}

function nameOf(nights: readonly Night[], place: number): NightName {
  const { batch, at, label } = nights[place] ?? { batch: "", at: 0, label: "" };
  return { batch, at, label };
}
