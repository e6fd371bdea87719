import { AppError } from "../../errors.ts";
import { dayLabel } from "../../report/say/night-names.ts";
import type { Connection } from "../../store/connection.ts";
import { addAcknowledgement, removeAcknowledgement } from "../../store/nights/acknowledgements.ts";

/**
 * The first moment of a day (`2026-11-19`) or of a minute (`2026-11-19 14:05`) where this machine is. Throws USAGE for a text
 * that is no date.
 */
export function momentOf(text: string, flag: string): number {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/.exec(text.trim()) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0));
  // The 31st of a month that has none would be the first of the next; a day may begin at 1:00 where the clock is put forward.
  const isDay = dayLabel(date.getTime()) === `${year ?? ""}-${month ?? ""}-${day ?? ""}`;
  if (isDay && (hour === undefined || date.getHours() === Number(hour))) return date.getTime();
  throw new AppError("USAGE", `${flag} takes a day such as 2026-11-19, or 2026-11-19 14:05; got "${text}".`);
}

/** Says that the nights from a moment on are known to be other than those before; the same moment again has the new note. */
export function acknowledgeChange(
  db: Connection,
  suite: string,
  { since, note, author, at }: { since: number; note: string; author: string; at: number },
): void {
  if (note.trim() === "") {
    throw new AppError("USAGE", "--acknowledge needs --note: what changed, for those who look at the history later.", {
      hint: 'For example: --note "new prompt of the test bot".',
    });
  }
  if (since > at && dayLabel(since) !== dayLabel(at)) {
    throw new AppError("USAGE", `--acknowledge takes a day up to today; ${dayLabel(since)} is still to come.`, {
      hint: "Acknowledge a change when it is there: the nights that it concerns are not known before.",
    });
  }
  addAcknowledgement(db, suite, { since, note: note.trim(), author, at });
}

/** Takes back what was said of a moment. Throws USAGE where nothing was. */
export function takeBack(db: Connection, suite: string, since: number): void {
  if (removeAcknowledgement(db, suite, since)) return;
  throw new AppError("USAGE", `Nothing is acknowledged as of ${dayLabel(since)}.`, {
    hint: "`tandem history` lists what is, below the nights.",
  });
}
