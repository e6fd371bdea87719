import { steadyNow } from "../../lib/clock.ts";
import type { Watched } from "../../runner/runner.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";

/** A short scoring is not worth a line. */
const quietMs = 1_000;

/** Progress of a scoring, for those who watch and stop runs. */
export interface ScoreWatch extends Watched {
  /** Why it is to come to an end: what takes time or money is left out from now on. Null: it goes on. */
  readonly stopped: string | null;
  /** Counts an answer that was graded. */
  graded: () => void;
  started: () => void;
  ended: () => void;
}

/** Watches the grading of so many answers. */
export function scoreWatch(total: number): ScoreWatch {
  const startedAt = steadyNow();
  let [done, inFlight] = [0, 0];
  let stopped: string | null = null;
  const stop = (reason: string): void => {
    stopped ??= reason;
  };
  return {
    get stopped() {
      return stopped;
    },
    stop,
    abort: () => stop("aborted"),
    graded: () => void (done += 1),
    started: () => void (inFlight += 1),
    ended: () => void (inFlight -= 1),
    snapshot(): QueueSnapshot[] {
      const ms = steadyNow() - startedAt;
      if (ms < quietMs) return [];
      return [
        {
          ...idle,
          total,
          done,
          inFlight,
          finishesWithinMs: inFlight === 0 ? 0 : Number.POSITIVE_INFINITY,
          perSecond: (done * 1000) / ms,
          stopped,
        },
      ];
    },
    // The reports of long answers take longer than their grades.
    lines: () => (done >= total && steadyNow() - startedAt >= quietMs ? ["comparing, and writing reports"] : []),
  };
}

const idle = {
  name: "scoring",
  deployment: "",
  failed: 0,
  waiting: 0,
  leftOut: 0,
  retries: 0,
  throttled: 0,
  errors: {},
  limit: 0,
  rate: null,
  pausedMs: 0,
  stall: null,
};
