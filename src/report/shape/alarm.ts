import type { Integer } from "../../lib/integer.ts";

/** A batch among those of its suite, by its name and its start. */
export interface NightName {
  /** Name of the batch. */
  batch: string;
  /** When it began, in milliseconds since 1970. */
  at: Integer;
  /** Its day, `2026-11-19`. */
  day: string;
  /** Its time, `14:05`, where a day has several; else null. */
  time: string | null;
}

/** The four things that are watched of a target. */
export type WatchedThing = "metric" | "errors" | "latency" | "cost";

/**
 * `new`: noticed in the last run; `still`: noticed before, and it goes on; `over`: the level of before is back, which was
 * seen in the last run; `ended`: over for longer, or changed again; `acknowledged`: somebody said that it is known.
 */
export type AlarmState = "new" | "still" | "over" | "ended" | "acknowledged";

/** A change in the nights of a target that was noticed. */
export interface HistoryAlarm {
  /** Name of the target in the suite. */
  target: string;
  /** The thing that is watched of it. */
  thing: WatchedThing;
  /** Name of its primary metric; null where it is none. */
  metric: string | null;
  /** `new`: noticed in this batch; `still`: before; `over`: seen to be over in this batch; `ended`: earlier; `acknowledged`: known. */
  state: AlarmState;
  /** Direction of the change. */
  direction: "higher" | "lower";
  /** The change is for the worse. */
  isWorse: boolean;
  /** Mean of the nights before the change: of a latency in milliseconds, of errors a share, of a cost that of one run. */
  before: number;
  /** The same since then. */
  since: number;
  /** The first night at the new level. */
  changed: NightName;
  /** The first night that it may have been. */
  earliest: NightName;
  /** The last night that it may have been. */
  latest: NightName;
  /** The night in which it was noticed. */
  noticed: NightName;
  /** The first night that does not belong to it any more; null while it goes on, or while there is none. */
  until: NightName | null;
  /** The same in words, one or two sentences. */
  sentence: string;
}

/** An alarm for programs: its nights by name, with their start as ISO 8601. */
export type TimedAlarm = { [Member in keyof HistoryAlarm]: Timed<HistoryAlarm[Member]> };

type Timed<Value> = Value extends NightName ? TimedNight : Value;

/** A batch among those of its suite, for programs. */
export interface TimedNight extends Omit<NightName, "at"> {
  /**
   * ISO 8601.
   * @format date-time
   */
  startedAt: string;
}
