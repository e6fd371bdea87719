import { changeDate, type ChangeDate, changeEvidence, logSumReaches, type SeriesPoint } from "./change-evidence.ts";

/** A change of the mean of a series that was noticed. Places count the values that were given, null ones included. */
export interface SeriesAlarm extends ChangeDate {
  /** The night in which it was noticed. */
  noticed: number;
  /** Means before the change and since, without what came after its end. */
  before: number;
  since: number;
  /** null: it goes on. `returned`: the level of before is back; `changed`: it has changed again, which is an alarm of its own; `restarted`: a restart was asked for. */
  end: "returned" | "changed" | "restarted" | null;
  /** The first night that does not belong to it any more; null while it goes on. */
  until: number | null;
  /** The night in which that was seen. */
  ended: number | null;
}

/** A place at which the series begins anew: a change that is known of. */
export interface SeriesRestart {
  /** The first value that belongs to the new series. */
  from: number;
  /** The first value after it was known; left out: it was known at once. */
  known?: number;
}

export interface WatchOptions {
  /** One false alarm in so many nights; a function: as it holds at a place. */
  nights: number | ((place: number) => number);
  restarts?: readonly SeriesRestart[];
}

/** The result of watching a series. */
export interface WatchedSeries {
  /** In the order in which they were noticed; only the last may go on. */
  alarms: SeriesAlarm[];
  /** Nights of the series as it is watched now: since the last restart or change. */
  length: number;
}

interface Place extends SeriesPoint {
  place: number;
}

interface OngoingAlarm {
  /** Values of the series in which it was noticed, with those since. */
  values: Place[];
  /** The first of them that may be the change. */
  from: number;
  noticed: number;
  /** Nights before this one are not joined again when the level of before is back. */
  joinsFrom: number;
}

/**
 * Watches a series for changes of its mean, night by night, as each night knew it: what comes later never changes what was
 * noticed. An alarm is the sum of Shiryaev and Roberts over the ratios of `changeEvidence` reaching `nights`; only then is
 * the change dated. While an alarm goes on its date is made more precise, and two things are watched: whether the level of
 * before is back, which ends it and joins the nights before and after, and whether the new level changes again, which is an
 * alarm of its own. Missing nights (null) are passed over; with fewer than three values there is no alarm.
 */
export function watchSeries(points: readonly (SeriesPoint | null)[], options: WatchOptions): WatchedSeries {
  const watch = new SeriesWatch();
  const { nights, restarts = [] } = options;
  const limitAt = (place: number): number => Math.log(typeof nights === "number" ? nights : nights(place));
  const applyKnown = (night: number): void => {
    for (const { from, known = from } of restarts) if (Math.max(from, known) === night) watch.restart(from, night);
  };
  for (const [place, point] of points.entries()) {
    applyKnown(place);
    if (point !== null && Number.isFinite(point.value))
      watch.add({ place, value: point.value, step: point.step }, limitAt(place));
  }
  applyKnown(points.length);
  return watch.result();
}

class SeriesWatch {
  readonly #alarms: SeriesAlarm[] = [];
  /** Values since the last restart or change. */
  #values: Place[] = [];
  /** The first of them that may be a change. */
  #from = 1;
  #ongoing: OngoingAlarm | null = null;

  /** Ends the alarm that goes on, unless its change came after the first night of what is new: that one explains nothing of it. */
  restart(from: number, night: number): void {
    const ongoing = this.#ongoing;
    if (ongoing !== null && from < (this.#alarms.at(-1)?.earliest ?? 0)) {
      const later = ongoing.values.findIndex(({ place }) => place > from);
      this.#ongoing = { ...ongoing, from: Math.max(ongoing.from, later), joinsFrom: Math.max(ongoing.joinsFrom, from) };
      return;
    }
    const values = ongoing?.values ?? this.#values;
    this.#end({ end: "restarted", until: from, ended: night });
    this.#values = values.filter(({ place }) => place >= from);
    this.#from = ongoing === null ? Math.max(1, this.#from - (values.length - this.#values.length)) : 1;
  }

  /** `limit`: logarithm of what the sum must reach for an alarm. */
  add(value: Place, limit: number): void {
    if (this.#ongoing === null) this.#look(value, limit);
    else this.#follow(this.#ongoing, value, limit);
  }

  result(): WatchedSeries {
    return { alarms: this.#alarms, length: this.#values.length };
  }

  /** Looks for a change in the values up to this one. */
  #look(value: Place, limit: number): void {
    this.#values.push(value);
    const logs = changeEvidence(this.#values);
    if (this.#values.length < fewest || !logSumReaches(logs, this.#from, limit)) return;
    this.#begin({ values: this.#values, from: this.#from, noticed: this.#values.length - 1, joinsFrom: 0 });
  }

  #begin(ongoing: OngoingAlarm): void {
    this.#ongoing = ongoing;
    this.#alarms.push({ noticed: ongoing.values[ongoing.noticed]?.place ?? 0, ...dated(ongoing), ...goesOn });
    this.#values = valuesSince(ongoing);
  }

  #follow(ongoing: OngoingAlarm, value: Place, limit: number): void {
    ongoing.values.push(value);
    const change = changeOf(ongoing);
    const back = returnPlace(ongoing.values, { change, noticed: ongoing.noticed });
    if (back !== null) {
      const before = ongoing.values.slice(0, change).filter(({ place }) => place >= ongoing.joinsFrom);
      this.#end({ end: "returned", until: ongoing.values[back]?.place ?? value.place, ended: value.place }, back);
      this.#values = [...before, ...ongoing.values.slice(back)];
      this.#from = Math.max(1, this.#values.length);
      return;
    }
    Object.assign(this.#alarms.at(-1) ?? {}, dated(ongoing));
    const from = ongoing.noticed + 1 - change;
    const own = valuesSince(ongoing);
    const logs = changeEvidence(own);
    this.#values = own;
    if (own.length < fewest || !logSumReaches(logs, from, limit)) return;
    const again = { values: own, from, noticed: own.length - 1, joinsFrom: 0 };
    const until = changeOf(again);
    this.#end({ end: "changed", until: own[until]?.place ?? value.place, ended: value.place }, change + until);
    this.#begin(again);
  }

  /** Ends the alarm that goes on; its date and means are those of the values before `upTo`. */
  #end(how: Pick<SeriesAlarm, "end" | "until" | "ended">, upTo?: number): void {
    const [alarm, ongoing] = [this.#alarms.at(-1), this.#ongoing];
    this.#ongoing = null;
    if (alarm === undefined || ongoing === null) return;
    if (upTo !== undefined) Object.assign(alarm, dated({ ...ongoing, values: ongoing.values.slice(0, upTo) }));
    Object.assign(alarm, how);
  }
}

/** Two values have no deviation beside the change that one of them may be. */
const fewest = 3;
const goesOn = { end: null, until: null, ended: null };

const valuesSince = (ongoing: OngoingAlarm): Place[] => ongoing.values.slice(changeOf(ongoing));

function changeOf(ongoing: OngoingAlarm): number {
  return dateOf(ongoing).place;
}

function dateOf({ values, from, noticed }: OngoingAlarm): ChangeDate {
  const logs = changeEvidence(values);
  return changeDate(logs, { from, to: Math.min(noticed, values.length - 1) });
}

/** The date in places of the series, and the means on both sides of it. */
function dated(ongoing: OngoingAlarm): Pick<SeriesAlarm, "place" | "earliest" | "latest" | "before" | "since"> {
  const { place, earliest, latest } = dateOf(ongoing);
  const at = (index: number): number => ongoing.values[index]?.place ?? 0;
  return {
    place: at(place),
    earliest: at(earliest),
    latest: at(latest),
    before: meanOf(ongoing.values.slice(0, place)),
    since: meanOf(ongoing.values.slice(place)),
  };
}

/** The nights since the return are so many times as likely at the level of before as at that since the change. */
const odds = 20;
/** Deviations by which two levels are at most taken to be apart, so that no single night says more than it can. */
const mostApart = 10;

/**
 * The first place from which on the level of before a change is back; null while it is not. The values from `change` to
 * `noticed` tell the new level, those before it the old one; what came later is asked which of the two it fits (the
 * cumulative sum of E. S. Page, 1954).
 */
function returnPlace(
  points: readonly SeriesPoint[],
  { change, noticed }: { change: number; noticed: number },
): number | null {
  const before = points.slice(0, change);
  const since = points.slice(change, noticed + 1);
  const [old, now] = [meanOf(before), meanOf(since)];
  const spread = [...before.map(({ value }) => value - old), ...since.map(({ value }) => value - now)];
  const steps = [...before, ...since].map(({ step }) => step);
  const apart = Math.abs(now - old);
  const deviation = Math.max(Math.hypot(...spread, ...steps) / Math.sqrt(spread.length), apart / mostApart);
  if (!Number.isFinite(deviation) || deviation === 0) return null;
  let sum = 0;
  let first = noticed + 1;
  for (let place = noticed + 1; place < points.length; place++) {
    const value = points[place]?.value ?? now;
    sum += (((value - now) / deviation) ** 2 - ((value - old) / deviation) ** 2) / 2;
    if (sum >= Math.log(odds)) return first;
    if (sum > 0) continue;
    sum = 0;
    first = place + 1;
  }
  return null;
}

/** The mean of some values: exactly theirs where all are the same. */
function meanOf(points: readonly SeriesPoint[]): number {
  const first = points[0]?.value ?? 0;
  const n = points.length;
  return points.reduce((total, { value }) => total + (value / n - first / n), first);
}
