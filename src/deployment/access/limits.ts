import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { now } from "../../lib/clock.ts";
import type { LimitSettings } from "../configuration/deployment-settings.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import type { Caller } from "./keys.ts";
import { Refusal, tooManyRequests } from "../answers/refusal.ts";
import type { HttpAnswer } from "../answers/http-answer.ts";

/** Requests that one key has going on one endpoint. */
interface Usage {
  /** Times of the requests let through that are still inside the window, oldest first. */
  times: number[];
  running: number;
}

/** Requests in a sliding window and runs at once, per key and endpoint. Refuses with 429 of either kind. */
export class Limits {
  private readonly usages = new Map<string, Usage>();

  /** Lets a run begin, or refuses it. Call the returned function once when the run has ended. */
  begin(caller: Caller, endpoint: ServiceEndpoint, limits: LimitSettings): () => void {
    const usage = this.usage(`${endpoint} ${caller.name}`);
    const at = now();
    if (limits.requests !== null) this.checkWindow(usage, endpoint, at, limits.requests, limits.window_ms);
    if (limits.concurrent !== null && usage.running >= limits.concurrent) {
      throw new Refusal(concurrencyReached(endpoint, limits.concurrent, usage.running));
    }
    if (limits.requests !== null) usage.times.push(at);
    usage.running++;
    return () => {
      usage.running--;
    };
  }

  private checkWindow(usage: Usage, endpoint: ServiceEndpoint, at: number, count: number, windowMs: number): void {
    const first = usage.times.findIndex((time) => time > at - windowMs);
    usage.times.splice(0, first === -1 ? usage.times.length : first);
    const [oldest] = usage.times.slice(-count);
    if (usage.times.length < count || oldest === undefined) return;
    throw new Refusal(requestsReached(endpoint, count, windowMs, usage.times.length, oldest + windowMs - at));
  }

  private usage(name: string): Usage {
    const known = this.usages.get(name);
    if (known !== undefined) return known;
    if (this.usages.size >= 10_000) this.forgetIdle();
    const usage: Usage = { times: [], running: 0 };
    this.usages.set(name, usage);
    return usage;
  }

  /** Keys are free to invent where none are configured: what they leave behind is bounded. */
  private forgetIdle(): void {
    for (const [name, usage] of this.usages) if (usage.running === 0) this.usages.delete(name);
  }
}

/** 429 of the first kind: too many requests in the window. `waitMs` until the oldest of them leaves it. */
export function requestsReached(
  endpoint: ServiceEndpoint,
  count: number,
  windowMs: number,
  used: number,
  waitMs: number,
): HttpAnswer {
  const seconds = Math.max(waitMs, 0.1) / 1000;
  const error =
    `Rate limit reached for ${servedEndpoints[endpoint].title} requests.\n\n Limit: ${count} requests in ${span(windowMs)}.\n` +
    ` Used: ${used} requests.\n Retry after: ${seconds.toFixed(1)}s.`;
  return tooManyRequests(error, seconds.toFixed(7));
}

/** The guess of the service when to come back, for each run at once. */
const guessMs = 120_000;

/** 429 of the second kind: too many runs at once. When to come back is only a guess. */
export function concurrencyReached(
  endpoint: ServiceEndpoint,
  count: number,
  running: number,
  retryMs = guessMs,
): HttpAnswer {
  const seconds = retryMs / 1000;
  const error =
    `Rate limit reached for ${servedEndpoints[endpoint].title} concurrency.\n\n` +
    ` Limit: ${count} concurrent runs in 30m.\n Used: ${running} runs.\n` +
    ` Retry after (approx) ${seconds}s, or wait for running jobs to finish.`;
  return tooManyRequests(error, String(seconds));
}

/** `30m`, `1.5s`: a window as the service writes it. */
function span(milliseconds: number): string {
  return milliseconds >= 60_000 && milliseconds % 60_000 === 0
    ? `${milliseconds / 60_000}m`
    : `${milliseconds / 1000}s`;
}
