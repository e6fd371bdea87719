import { type CronExpression, CronExpressionParser } from "cron-parser";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";

/** When something is due: five fields of cron, read in a time zone. */
export interface Timetable {
  cron: string;
  /** A name of IANA, such as Europe/Berlin. */
  zone: string;
}

const fields = ["minute", "hour", "day of month", "month", "day of week"];

const hourMs = 3_600_000;
/** Whoever was away is told of due times no longer ago than this, of those that come often no longer ago than the next. */
const longestMs = [31 * 24 * hourMs, 24 * hourMs, 2 * hourMs];
const mostDue = 1_500;
/** The search begins so much earlier: within the hour that comes twice it would find the second, too. */
const leadMs = 3 * hourMs;

/** Throws USAGE for a timetable that is none, with the field that is wrong, and for one that is never due. */
export function checkTimetable({ cron, zone }: Timetable): void {
  if (!isZone(zone)) {
    throw new AppError("USAGE", `--tz takes the name of a time zone; there is no ${showText(zone)}.`, {
      hint: "Such as Europe/Berlin, America/New_York or UTC.",
    });
  }
  const parts = cron.trim().split(/\s+/);
  if (parts.length !== fields.length) {
    throw new AppError("USAGE", `--cron takes five fields; ${showText(cron)} has ${parts.length}.`, {
      hint: `They are ${fields.join(", ")}: "30 1 * * *" is every day at 01:30.`,
    });
  }
  for (const [place, part] of parts.entries()) {
    const alone = parts.map((_, other) => (other === place ? part : "*")).join(" ");
    const reason = faultOf({ cron: alone, zone });
    if (reason !== null) throw wrong(`field ${place + 1} (${fields[place]}) ${showText(part)}: ${reason}`);
  }
  const reason = faultOf({ cron, zone });
  if (reason !== null) throw wrong(`${showText(cron)} is never due: ${reason}`);
}

const wrong = (what: string): AppError => new AppError("USAGE", `--cron: ${what}.`, { hint: "See `man 5 crontab`." });

function faultOf(timetable: Timetable): string | null {
  try {
    after(timetable, Date.now()).next();
    return null;
  } catch (error) {
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return first.replace(/\.$/, "");
  }
}

function isZone(zone: string): boolean {
  try {
    // An offset such as +02:00 knows no summer time, and the search does not know it.
    return /^[A-Za-z]/.test(Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}

/**
 * Searches forwards only: a time that summer time skips is an hour later then, and one that comes twice is due the first time.
 * Backwards the parser finds the one not at all, and the other twice.
 */
const after = ({ cron, zone }: Timetable, at: number): CronExpression =>
  CronExpressionParser.parse(cron, { tz: zone, currentDate: new Date(at) });

/** The first due time after a moment, in milliseconds since 1970. */
export function nextDue(timetable: Timetable, at: number): number {
  const expression = after(timetable, at - leadMs);
  let due = expression.next().getTime();
  while (due <= at) due = expression.next().getTime();
  return due;
}

/** Due times after one moment up to another, in their order. */
export function dueBetween(timetable: Timetable, { from, to }: { from: number; to: number }): number[] {
  for (const ms of longestMs) {
    const first = Math.max(from, to - ms);
    const due: number[] = [];
    const expression = after(timetable, first - leadMs);
    let at = expression.next().getTime();
    for (; at <= to && due.length <= mostDue; at = expression.next().getTime()) if (at > first) due.push(at);
    if (at > to) return due;
  }
  return [];
}
