import type { NightName } from "../shape/alarm.ts";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const twoDigits = (part: number): string => String(part).padStart(2, "0");

/** `2026-11-19`: the day of an instant where this machine is. */
export function dayLabel(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** `14:05` */
export function timeLabel(at: number): string {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** `14:05:30` */
export function clockLabel(at: number): string {
  return `${timeLabel(at)}:${twoDigits(new Date(at).getSeconds())}`;
}

/** `2026-11-19 14:05`: an instant in a table or beside a name, the same in the page and in every command. */
export function momentLabel(at: number): string {
  return `${dayLabel(at)} ${timeLabel(at)}`;
}

/** `2026-11-19 14:05:30` */
export function secondLabel(at: number): string {
  return `${dayLabel(at)} ${clockLabel(at)}`;
}

/** The day of a night, and its time where the day has several. */
type NightMoment = Pick<NightName, "day" | "time">;

/** `2026-11-19`, or `2026-11-19 14:05` where the day has several. */
export const nightLabel = ({ day, time }: NightMoment): string => (time === null ? day : `${day} ${time}`);

/** The moment of a batch that is told beside no others of its day. */
export const nightMoment = (at: number): NightMoment => ({ day: dayLabel(at), time: null });

/**
 * Days, with times where a day has several batches, seconds where a minute has, and a number behind all but the first of a
 * second: no two batches have one label. `times` are in the order in which the batches were made.
 */
export function nightMoments(times: readonly number[]): NightMoment[] {
  const days = timesOften(times.map(dayLabel));
  const minutes = timesOften(times.map(momentLabel));
  const seconds = new Map<string, number>();
  return times.map((at) => {
    const day = dayLabel(at);
    if ((days.get(day) ?? 0) < 2) return { day, time: null };
    if ((minutes.get(momentLabel(at)) ?? 0) < 2) return { day, time: timeLabel(at) };
    const second = secondLabel(at);
    const place = (seconds.get(second) ?? 0) + 1;
    seconds.set(second, place);
    return { day, time: place === 1 ? clockLabel(at) : `${clockLabel(at)} (${place})` };
  });
}

function timesOften(labels: readonly string[]): Map<string, number> {
  const often = new Map<string, number>();
  for (const label of labels) often.set(label, (often.get(label) ?? 0) + 1);
  return often;
}

/** `19 Nov`: a day where there is room for no more. */
export function shortDay(at: number): string {
  const date = new Date(at);
  return `${date.getDate()} ${months[date.getMonth()]?.slice(0, 3) ?? ""}`;
}

/** `19 November`; with the year where the other night is of another, and the time where a day has several. */
export function nightDay(night: Pick<NightName, "at" | "time">, other: Pick<NightName, "at">): string {
  const { day, month, rest } = dayParts(night, other);
  return `${day} ${month}${rest}`;
}

/** `19`, `November`, and with what else is told of it: its year, and its time. */
export function dayParts({ at, time }: Pick<NightName, "at" | "time">, other: Pick<NightName, "at">) {
  const date = new Date(at);
  const year = date.getFullYear() === new Date(other.at).getFullYear() ? "" : ` ${date.getFullYear()}`;
  return {
    day: date.getDate(),
    month: months[date.getMonth()] ?? "",
    rest: `${year}${time === null ? "" : `, ${time}`}`,
  };
}

/** `23 Nov 18:57`, with the year where it is not that of `now`. */
export function runMoment(at: number, now: number): string {
  const year = new Date(at).getFullYear();
  return `${shortDay(at)}${year === new Date(now).getFullYear() ? "" : ` ${year}`} ${timeLabel(at)}`;
}

/** `run of 23 Nov 18:57`: a batch as people name it, by hand or at night. */
export const runName = (at: number, now: number): string => `run of ${runMoment(at, now)}`;

/** `prod of 19 November`, of another suite `prod of help-desk, 19 November`: a target in a night that another one is compared with. */
export function nightTarget(
  target: string,
  suite: string | null,
  night: Pick<NightName, "at" | "time">,
  other: Pick<NightName, "at">,
): string {
  return `${target} of ${suite === null ? "" : `${suite}, `}${nightDay(night, other)}`;
}
