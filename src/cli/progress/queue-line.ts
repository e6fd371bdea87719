import { isOutcomeKind, outcomes } from "../../api/outcomes.ts";
import { number } from "../../report/say/quantity.ts";
import { visible } from "../../report/text/visible.ts";
import type { QueueSnapshot, Stall } from "../../runner/tally.ts";

/** An endpoint queue in one line: done of total, pace, requests in flight, failures, expected end. */
export function queueLine(queue: QueueSnapshot): string {
  const percent = queue.total === 0 ? 100 : Math.floor((100 * queue.done) / queue.total);
  const parts = [
    `${visible(queue.name)}  ${number(queue.done)}/${number(queue.total)} (${percent} %)`,
    throughput(queue.perSecond),
    // Before what may be many: a narrow terminal cuts the end.
    ...endParts(queue),
    `${queue.inFlight} in flight`,
    ...waitingParts(queue),
    ...issueParts(queue),
  ];
  return parts.join("  ");
}

/** The reasons that hold jobs back: a back-off, the rate, or the service. */
function waitingParts({ waiting, pausedMs, stopped, stall, rate, throttled }: QueueSnapshot): string[] {
  const parts = waiting > 0 ? [`${number(waiting)} to retry`] : [];
  // A service that is away tells by itself when it is tried again.
  if (pausedMs <= 1_000 || stopped !== null || typeof stall?.nextMs === "number") return parts;
  const isLimit = stall === null && (rate !== null || throttled > 0);
  const what = isLimit ? "waiting for the limit, next in" : "next in";
  parts.push(`${what} ${shortDuration(pausedMs)}`);
  return parts;
}

function issueParts({ retries, throttled, errors }: QueueSnapshot): string[] {
  const parts = [];
  if (retries > 0) parts.push(retries === 1 ? "1 retry" : `${number(retries)} retries`);
  if (throttled > 0) parts.push(`${number(throttled)} throttled`);
  for (const kind of Object.keys(errors).filter(isOutcomeKind)) {
    const count = errors[kind] ?? 0;
    // Throttling is not a failure, and is told apart.
    if (!outcomes[kind].slowsDown && count > 0) parts.push(`${number(count)} ${kind}`);
  }
  return parts;
}

function endParts(queue: QueueSnapshot): string[] {
  if (queue.done >= queue.total) return [];
  if (queue.stopped === null && queue.leftOut > 0 && queue.done + queue.leftOut >= queue.total) {
    return [`${number(queue.leftOut)} stopped`];
  }
  if (queue.stopped !== null) return [stoppedWords(visible(queue.stopped.split("\n")[0] ?? ""))];
  if (queue.stall !== null) return [stallWords(queue.stall)];
  const ms = remainingMs(queue);
  return ms === null ? [] : [`${shortDuration(ms)} left`];
}

/** `prod answers 502 (bad gateway) for 40s: tried again in 8s, given up in 4m 20s` */
function stallWords({ why, forMs, nextMs, leftMs }: Stall): string {
  const rest = [
    nextMs === null ? "" : `tried again in ${shortDuration(nextMs)}`,
    leftMs === null ? "" : `given up in ${shortDuration(leftMs)}`,
  ].filter((part) => part !== "");
  const reported = rest.length === 0 ? "" : `: ${rest.join(", ")}`;
  return `${visible(why)} for ${shortDuration(forMs)}${reported}`;
}

/** A longer reason stood on a line of its own, when it came. */
const longestReason = 60;

const stoppedWords = (reason: string): string =>
  reason.length <= longestReason ? `stopped: ${reason}` : "stopped, for the reason told above";

/**
 * Time that the rest will take: by the pace of the last minute, and never sooner than the rate allows.
 * null while neither is known.
 */
export function remainingMs({
  total,
  done,
  leftOut,
  inFlight,
  perSecond,
  rate,
  pausedMs,
}: QueueSnapshot): number | null {
  const left = total - done - leftOut;
  const byPace = perSecond > 0 ? (left * 1000) / perSecond : null;
  const toStart = Math.max(0, left - inFlight);
  const byRate = rate === null ? null : pausedMs + (Math.max(0, toStart - 1) / rate.count) * rate.windowMs;
  if (byPace === null) return byRate;
  // A window that opened at once makes the first pace look better than it can stay.
  return byRate === null ? byPace : Math.max(byPace, byRate);
}

const throughput = (perSecond: number): string => {
  if (perSecond > 0 && perSecond < 1) return `${(perSecond * 60).toFixed(1)}/m`;
  return `${perSecond < 10 ? perSecond.toFixed(1) : number(Math.round(perSecond))}/s`;
};

/** A length of time in the two largest units: `3h 12m`, `45s`. */
export function shortDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
