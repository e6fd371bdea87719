import type { CutOffNight } from "../../../app/night/cut-off.ts";
import type { Removal } from "../../../app/batches/remove-batches.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import { counted } from "../../../report/say/quantity.ts";
import { visible } from "../../../report/text/visible.ts";

/** Says who is at work already, and whether it is waited for. */
export function runningText(
  suite: string,
  { pid, host, since }: { pid: number; host: string; since: number },
  waits: boolean,
): string {
  const who = `process ${pid} on ${visible(host)}`;
  return `${visible(suite)} is already running since ${momentLabel(since)} (${who}): ${waits ? "it is waited for, then this one runs too" : "nothing to do"}.`;
}

/** Says what becomes of a night that was cut off; `limit`: it is older than this, and left; `goOn`: the command for it. */
export function cutOffText(
  { batch, startedAt, notice }: CutOffNight,
  { limit, goOn }: { limit: string | null; goOn: string },
): string {
  const night = `${visible(batch)} of ${momentLabel(startedAt)}`;
  if (notice === null) {
    if (limit === null) return `${night} was cut off: it is resumed.`;
    return `${night} was cut off, and is older than ${limit}: it is left, and a new one begins. \`${visible(goOn)}\` resumes it.`;
  }
  const left = limit === null ? "" : ` It is left, as it is older than ${limit}, and a new one begins.`;
  const what = {
    owed: "and nobody was told.",
    unsure:
      "and its process ended while people were told: the notice may have arrived, and is not sent again. The next notice says so.",
    told: "and people were told before its process was killed: they are not told again.",
  };
  return `${night} was answered, ${what[notice]}${left}`;
}

/** Says why a night that was cut off does not go on, with the first difference: the log of a job is read in passing. */
export function changedText({ batch }: CutOffNight, { reason, goOn }: { reason: string; goOn: string }): string {
  const [what = "", first, ...others] = reason.split("\n").map((line) => visible(line.trim()));
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const why = first === undefined ? what : `${what} ${first}${more}.`;
  return `${visible(batch)} cannot be resumed: ${why} A new one begins; \`${visible(goOn)}\` resumes what is still the same.`;
}

/** Says what was removed, and what stays although it is old. */
export function prunedText(going: Removal["going"], staying: Removal["staying"]): string[] {
  const names = going.slice(0, mostNames).map(({ name }) => visible(name));
  const more = going.length > mostNames ? [`${going.length - mostNames} more`] : [];
  const removed =
    going.length === 0
      ? []
      : [`Removed ${counted(going.length, "old batch", "old batches")}: ${[...names, ...more].join(", ")}.`];
  return [...removed, ...staying.map(({ batch, reason }) => `Stays: ${visible(batch.name)} (${visible(reason)})`)];
}

/** Names of removed batches in one line: a usual night removes one. */
const mostNames = 10;
