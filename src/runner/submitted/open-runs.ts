import PQueue from "p-queue";
import type { Client } from "../../client/client.ts";
import type { Outcome } from "../../client/outcome.ts";
import { blankVerdict } from "../../client/verdict.ts";
import { steadyNow } from "../../lib/clock.ts";
import type { Deployment } from "../../suite/suite.ts";
import type { Waits } from "../backoff.ts";
import { JobsInFlight } from "../jobs-in-flight.ts";
import { type OpenRun, type RunState, stateOf, statusRequest } from "./run-state.ts";

interface OpenRunsOptions {
  client: Client;
  deployment: Deployment;
  waits: Waits;
  /** Called with the end of a run; `final`: nothing may be sent again, whatever the outcome. */
  onEnded: (run: OpenRun, outcome: Outcome, final: boolean) => void;
  /** Called with every answer, and when it was asked for, on the steady clock. */
  onOutcome: (run: OpenRun, outcome: Outcome, askedAt: number) => void;
  /** Called when the service does not let us ask any more. */
  onRefused: (outcome: Outcome) => void;
  /** Called when a run is left to a later process. */
  onLeft: (run: OpenRun) => void;
  /** Called when there is one less. */
  onChange: () => void;
}

/** A run with the state of asking for it. */
interface Asked {
  run: OpenRun;
  /** Until when it is asked for, on the steady clock. */
  until: number;
  /** Answers in a row that do not tell its state. */
  untold: number;
  /** Answers in a row that it is not known. */
  unknown: number;
  timer: NodeJS.Timeout | null;
}

/** A service that was just started may not know a run at once: so many answers, each later than the one before. */
const mostUnknown = 4;

/** Once the service has told of runs, so many questions that it refuses in a row are no fault of one of them. */
const mostRefused = 5;

/**
 * Asks for the runs that a service has taken, each every few seconds and only a few at a time, until they have ended. It
 * holds no slot for sending. A run that takes too long is left as it is: another process goes on asking for it.
 */
export class OpenRuns {
  /** Runs that have not ended within their time. */
  left = 0;
  /** The latest answer that told nothing, in words; null: all did. */
  lastUntold: string | null = null;
  /** Their jobs, as long as they are asked for. */
  readonly inFlight = new JobsInFlight();
  readonly #options: OpenRunsOptions;
  readonly #runs = new Map<number, Asked>();
  readonly #asking: PQueue;
  /** Questions that are on their way. */
  #questions = 0;
  #hasTold = false;
  /** Questions in a row that were refused. */
  #refused = 0;
  #closed = false;

  constructor(options: OpenRunsOptions) {
    this.#options = options;
    this.#asking = new PQueue({ concurrency: options.deployment.concurrency });
  }

  /** Runs that have not ended, and questions whose answer may tell an end that is told but once. */
  get size(): number {
    return Math.max(this.#runs.size, this.#questions);
  }

  /** The reason why some are left to a later process. */
  get leftReason(): string | null {
    const { left, lastUntold } = this;
    if (left <= 0) return null;
    const which = left === 1 ? "1 run is" : `${left} runs are`;
    const longest = `longer than the timeout of ${this.#options.deployment.timeoutMs / 1_000} s`;
    const last = lastUntold === null ? "" : ` (an answer that told nothing: ${lastUntold})`;
    return `${which} still going on at the service, ${longest}${last}; a resume asks again and sends nothing twice`;
  }

  add(run: OpenRun): void {
    if (this.#closed) {
      this.left += 1;
      this.#options.onLeft(run);
      this.#options.onChange();
      return;
    }
    const now = steadyNow();
    const { timeoutMs } = this.#options.deployment;
    const asked: Asked = { run, until: now + timeoutMs, untold: 0, unknown: 0, timer: null };
    this.#runs.set(run.job.id, asked);
    this.inFlight.start(run.job.id, now, timeoutMs);
    this.#askIn(asked, run.reattached ? 0 : this.#options.waits.ask.baseMs);
  }

  /** Asks no more: what has not ended stays open. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#runs.values()) if (timer !== null) clearTimeout(timer);
    this.left += this.#runs.size;
    for (const id of this.#runs.keys()) this.inFlight.end(id);
    this.#runs.clear();
    this.#asking.clear();
    this.#options.onChange();
  }

  #askIn(asked: Asked, ms: number): void {
    if (this.#closed) return;
    asked.timer = setTimeout(() => void this.#asking.add(() => this.#ask(asked)), ms);
  }

  async #ask(asked: Asked): Promise<void> {
    if (this.#closed) return;
    this.#questions += 1;
    const askedAt = steadyNow();
    const outcome = await this.#options.client.attempt(statusRequest(asked.run));
    this.#questions -= 1;
    this.#options.onOutcome(asked.run, outcome, askedAt);
    const state = stateOf(asked.run, outcome);
    if (state.kind === "going" || state.kind === "ended") {
      this.#hasTold = true;
      this.#refused = 0;
    }
    // An end that has arrived counts, also when nothing more is asked: it may be told once.
    if (state.kind === "ended") this.#end(asked, state);
    else if (this.#closed) this.#options.onChange();
    else if (state.kind !== "refused") this.#goOn(asked, state, outcome);
    else if (this.#isStop()) this.#options.onRefused(outcome);
    else this.#goOn(asked, { kind: "untold", why: outcome.error }, outcome);
  }

  /** True where a refused question means that no run may be asked for. */
  #isStop(): boolean {
    this.#refused += 1;
    return !this.#hasTold || this.#refused >= mostRefused;
  }

  #goOn(asked: Asked, state: RunState, outcome: Outcome): void {
    const { kind } = state;
    const { baseMs, capMs } = this.#options.waits.ask;
    const now = steadyNow();
    asked.unknown = kind === "unknown" ? asked.unknown + 1 : 0;
    asked.untold = kind === "untold" ? asked.untold + 1 : 0;
    if (state.kind === "untold") this.lastUntold = state.why;
    if (asked.unknown >= mostUnknown) {
      this.#end(asked, { outcome: lost(asked.run, outcome), final: false });
    } else if (now >= asked.until) {
      this.#giveUp(asked, outcome);
    } else {
      const later = Math.min(capMs, baseMs * 2 ** (asked.untold + Math.max(0, asked.unknown - 1)));
      this.#askIn(asked, Math.min(Math.max(outcome.retryAfterMs ?? 0, later), asked.until - now));
    }
  }

  /** Leaves a run to a later process, or for good when the time of its job is over. */
  #giveUp(asked: Asked, outcome: Outcome): void {
    const { taken, dateOffset } = asked.run;
    if (steadyNow() + dateOffset - taken.queuedAt >= this.#options.deployment.jobTimeoutMs) {
      this.#end(asked, { outcome: endless(asked.run, outcome), final: true });
      return;
    }
    this.left += 1;
    this.#options.onLeft(asked.run);
    this.#remove(asked);
  }

  #end(asked: Asked, { outcome, final }: { outcome: Outcome; final: boolean }): void {
    if (this.#closed) this.left -= 1;
    this.#options.onEnded(asked.run, outcome, final);
    this.#remove(asked);
  }

  #remove({ run }: Asked): void {
    this.#runs.delete(run.job.id);
    this.inFlight.end(run.job.id);
    this.#options.onChange();
  }
}

/** A run of which nothing more can be learned: it may have been made and paid. */
function withoutEnd({ taken }: OpenRun, { timing }: Outcome, error: string): Outcome {
  return {
    ...blankVerdict("ambiguous"),
    record: { ...taken.run, body: null },
    error,
    timing: { sentAt: taken.sentAt, firstByteAt: null, doneAt: timing.doneAt },
  };
}

const lost = (run: OpenRun, outcome: Outcome): Outcome =>
  withoutEnd(run, outcome, `the service took the run ${run.taken.run.id} and does not know it any more`);

const endless = (run: OpenRun, outcome: Outcome): Outcome =>
  withoutEnd(run, outcome, `the run ${run.taken.run.id} has not ended within the time of its job (job_timeout)`);
