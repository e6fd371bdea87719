import { AppError } from "../../errors.ts";
import type { Connection } from "../../store/connection.ts";
import { addAcknowledgement } from "../../store/nights/acknowledgements.ts";

/**
 * The first moment of a day (`2026-11-19`) or of a minute (`2026-11-19 14:05`) where this machine is. Throws USAGE for a text
 * that is no date.
 */
export function momentOf(text: string, flag: string): number {
  const [, year, month, day, hour = "0", minute = "0"] =
    /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/.exec(text.trim()) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  // The 31st of a month that has none would be the first of the next.
  if (date.getDate() === Number(day) && date.getHours() === Number(hour)) return date.getTime();
  throw new AppError("USAGE", `${flag} takes a day such as 2026-11-19, or 2026-11-19 14:05; got "${text}".`);
}

/** Says that the nights from a moment on are known to be other than those before. */
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
  addAcknowledgement(db, suite, { since, note: note.trim(), author, at });
}
