import type { HistoryAlarm } from "../../report/shape/alarm.ts";
import type { Night, NightMark } from "../../report/shape/history.ts";
import type { ReportMetric } from "../../report/shape/model.ts";
import { changedWords, knownMark, watchedFigure } from "../../report/words/night-words.ts";

interface MarksGiven {
  nights: readonly Night[];
  alarms: readonly HistoryAlarm[];
  acknowledged: readonly { since: number; note: string; author: string }[];
  metrics: readonly ReportMetric[];
}

/** Marks the nights that stand out: changes, the nights in which they were noticed, and those that are acknowledged or known. */
export function nightMarks({ nights, alarms, acknowledged, metrics }: MarksGiven): NightMark[] {
  const marks = [
    ...alarms.flatMap((alarm): NightMark[] => {
      const metric = metrics.find(({ name }) => name === alarm.metric) ?? null;
      const sentence = changedWords(alarm, (value) => watchedFigure(alarm.thing, value, metric));
      return [
        { kind: "changed", batch: alarm.changed.batch, metric: alarm.metric, sentence },
        { kind: "noticed", batch: alarm.noticed.batch, metric: alarm.metric, sentence },
      ];
    }),
    ...acknowledged.flatMap(({ since, note, author }): NightMark[] => {
      const first = nights.find(({ at }) => at >= since);
      return first === undefined
        ? []
        : [{ kind: "acknowledged", batch: first.batch, metric: null, sentence: `Acknowledged: ${note} (${author})` }];
    }),
    ...nights.flatMap(({ batch, changes }) => (changes.length === 0 ? [] : [knownMark(batch, changes)])),
  ];
  const places = new Map(nights.map(({ batch }, place) => [batch, place]));
  return marks.toSorted((one, other) => (places.get(one.batch) ?? 0) - (places.get(other.batch) ?? 0));
}
