/** A batch among those of its suite, by its name and its start (milliseconds since 1970). */
export interface NightName {
  batch: string;
  at: number;
  /** Its day, `2026-11-19`, with the time where a day has several. */
  label: string;
}

/** The four things that are watched of a target. */
export type WatchedThing = "metric" | "errors" | "latency" | "cost";

/**
 * `new`: noticed in the last night; `still`: noticed before, and it goes on; `over`: the level of before is back, which was
 * seen in the last night; `ended`: over for longer, or changed again; `acknowledged`: somebody said that it is known.
 */
export type AlarmState = "new" | "still" | "over" | "ended" | "acknowledged";

/** A change in the nights of a target that was noticed. */
export interface HistoryAlarm {
  target: string;
  thing: WatchedThing;
  /** Name of the metric; null where it is none. */
  metric: string | null;
  state: AlarmState;
  direction: "higher" | "lower";
  isWorse: boolean;
  /** Mean of the nights before the change, and since: of a latency in milliseconds, of errors a share, of a cost that of one run. */
  before: number;
  since: number;
  /** The first night at the new level, and the first and last that it may have been. */
  changed: NightName;
  earliest: NightName;
  latest: NightName;
  noticed: NightName;
  /** The first night that does not belong to it any more; null while it goes on, or while there is none. */
  until: NightName | null;
  /** The same in words, one or two sentences. */
  sentence: string;
}

/** An alarm for programs: its nights by name, with their start as ISO 8601. */
export type TimedAlarm = Omit<HistoryAlarm, NightOfAlarm> &
  Record<Exclude<NightOfAlarm, "until">, TimedNight> & { until: TimedNight | null };

type NightOfAlarm = "changed" | "earliest" | "latest" | "noticed" | "until";

interface TimedNight extends Omit<NightName, "at"> {
  startedAt: string;
}
