import type { HistoryAlarm, NightName, TimedAlarm } from "../shape/alarm.ts";

/** An alarm as files and commands tell it to programs. */
export function timedAlarm({ changed, earliest, latest, noticed, until, ...alarm }: HistoryAlarm): TimedAlarm {
  return {
    ...alarm,
    changed: timed(changed),
    earliest: timed(earliest),
    latest: timed(latest),
    noticed: timed(noticed),
    until: until === null ? null : timed(until),
  };
}

function timed({ batch, at, label }: NightName): TimedAlarm["changed"] {
  return { batch, startedAt: new Date(at).toISOString(), label };
}
