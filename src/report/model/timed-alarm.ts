import type { HistoryAlarm, NightName, TimedAlarm } from "../shape/alarm.ts";
import type { Night, SuiteHistory } from "../shape/history.ts";

/** An alarm as files and commands tell it to programs. */
export function timedAlarm({ changed, earliest, latest, noticed, until, ...alarm }: HistoryAlarm): TimedAlarm {
  return {
    ...alarm,
    changed: timedNight(changed),
    earliest: timedNight(earliest),
    latest: timedNight(latest),
    noticed: timedNight(noticed),
    until: until === null ? null : timedNight(until),
  };
}

export function timedNight({ at, ...night }: NightName): TimedAlarm["changed"] {
  return { ...night, startedAt: new Date(at).toISOString() };
}

/** The history of a suite for programs: times are ISO 8601, as everywhere in JSON. */
export function timedHistory({
  nights,
  alarms,
  acknowledged,
  olderMetrics: _older,
  ...rest
}: SuiteHistory): TimedHistory {
  return {
    ...rest,
    nights: nights.map(({ at, ...night }) => ({ ...night, startedAt: new Date(at).toISOString() })),
    alarms: alarms.map(timedAlarm),
    acknowledged: acknowledged.map(({ at, ...each }) => ({ ...each, at: new Date(at).toISOString() })),
  };
}

type Acknowledged = SuiteHistory["acknowledged"][number];

export interface TimedHistory extends Omit<SuiteHistory, "nights" | "alarms" | "acknowledged" | "olderMetrics"> {
  nights: (Omit<Night, "at"> & { startedAt: string })[];
  alarms: TimedAlarm[];
  acknowledged: (Omit<Acknowledged, "at"> & { at: string })[];
}
