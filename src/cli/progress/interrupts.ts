import { CountedSignals, type CountedSignalsOptions } from "../signals/counted-signals.ts";
import { codeOfSignal, type EndingSignal, signalWords } from "../signals/ending-signals.ts";
import { steadyNow } from "../../lib/clock.ts";
import type { Watched } from "../../runner/runner.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import { shortDuration } from "./queue-line.ts";
import type { Terminal } from "../terminal.ts";

/** Time between two messages on requests that are still in flight. */
const countdownEveryMs = 10_000;
/** Reports, which are written when nothing is in flight any more, have so long: with its end it is less than a minute. */
const reportsMs = 45_000;
const reportsLookMs = 1_000;
/** One timer waits for so long at the most. */
const longestTimerMs = 2 ** 31 - 1;

/** Something that sends, as far as it is stopped. */
export interface Interruptible extends Pick<Watched, "stop" | "abort" | "leaving" | "settled"> {
  snapshot: () => Pick<QueueSnapshot, "inFlight" | "finishesWithinMs">[];
  /** Words on what becomes of the rest when it is stopped. */
  rest?: string;
}

export interface InterruptOptions extends Pick<CountedSignalsOptions, "mayBePassedOn"> {
  terminal: Terminal;
  /** Time that the first signal leaves to what is in flight. */
  graceMs: number;
  /** Its `lines` are shown on a live screen; else it says from time to time what is still in flight. */
  isShown: boolean;
  /** It writes reports at its end, for which nobody who sends a signal waits longer than a minute. Default: it does not. */
  writesReports?: boolean;
}

/**
 * First signal, Ctrl-C as well as SIGTERM: nothing more is started, and what is in flight is finished, however long it may
 * take, but for no longer than the grace. Second signal, or the end of the grace: what is in flight is given up and stays
 * in doubt. A third one, or a second one when nothing is in flight any more, ends the process, once everything that has
 * arrived is entered. `CountedSignals` knows a second one from the first that came again.
 */
export class Interrupts {
  #runner: Interruptible | null = null;
  #signal: EndingSignal | null = null;
  #givenUp = false;
  #isEnding = false;
  /** When what is then in flight is given up. */
  #givesUpAt = Number.POSITIVE_INFINITY;
  #patience: NodeJS.Timeout | null = null;
  #countdown: NodeJS.Timeout | null = null;
  #reports: NodeJS.Timeout | null = null;
  readonly #options: InterruptOptions;
  readonly #signals: CountedSignals;

  constructor(options: InterruptOptions) {
    this.#options = options;
    this.#signals = new CountedSignals({
      onSignal: (signal) => this.#received(signal),
      onRepeat: (signal) => this.#repeated(signal),
      ...(options.mayBePassedOn !== undefined && { mayBePassedOn: options.mayBePassedOn }),
    });
  }

  watch(runner: Interruptible): void {
    this.#runner = runner;
    if (this.#signal !== null) runner.stop("interrupted");
  }

  /** 130 or 143 after a signal, else null. */
  get exitCode(): number | null {
    return this.#signal === null ? null : codeOfSignal(this.#signal);
  }

  /** A line to be shown with the progress while something in flight is waited for. */
  lines(): string[] {
    if (this.#signal === null || this.#givenUp) return [];
    const { count, withinMs } = this.#inFlight();
    return count === 0 ? [] : [`stopping  ${count} in flight, ${shortDuration(withinMs)} at most  ${this.#again()}`];
  }

  close(): void {
    this.#signals.close();
    if (this.#patience !== null) clearTimeout(this.#patience);
    if (this.#countdown !== null) clearInterval(this.#countdown);
    if (this.#reports !== null) clearInterval(this.#reports);
  }

  #received(signal: EndingSignal): void {
    // Before there is anything to finish, or after the second one has not helped, a signal ends the process.
    const isOver = this.#givenUp || (this.#signal !== null && this.#inFlight().count === 0);
    if (this.#runner === null || isOver) {
      void this.#end(this.#signal ?? signal);
      return;
    }
    if (this.#signal !== null) {
      this.#giveUp();
      return;
    }
    this.#signal = signal;
    this.#runner.stop("interrupted");
    const { graceMs, isShown } = this.#options;
    this.#givesUpAt = steadyNow() + graceMs;
    this.#patience = setTimeout(() => this.#giveUp(), Math.min(graceMs, longestTimerMs));
    this.#announce();
    if (this.#options.writesReports === true) this.#limitReports(signal);
    if (!isShown) this.#countdown = setInterval(() => this.#countDown(), countdownEveryMs);
  }

  /** Ends the process once what has arrived, and is paid for, is entered; at once when the disk keeps us and somebody insists. */
  async #end(signal: EndingSignal): Promise<void> {
    const code = codeOfSignal(signal);
    if (this.#isEnding) process.exit(code);
    this.#isEnding = true;
    await this.#runner?.settled?.();
    process.exit(code);
  }

  #repeated(signal: EndingSignal): void {
    const { count } = this.#inFlight();
    if (this.#givenUp || count === 0) return;
    this.#options.terminal.note(
      `${signalWords(signal)} came again. It may be the first one, passed on by what started tandem; one more gives up on the ${count} in flight.`,
    );
  }

  #giveUp(): void {
    this.#givenUp = true;
    const { count } = this.#inFlight();
    const usual = `Giving up on the ${count} in flight; they stay in doubt, or with the service where it has taken them.`;
    if (count > 0) this.#options.terminal.note(this.#runner?.leaving?.(count) ?? usual);
    this.#runner?.abort();
  }

  /** Ends the process where its reports take longer than whoever sent the signal waits for. */
  #limitReports(signal: EndingSignal): void {
    let since = steadyNow();
    this.#reports = setInterval(() => {
      if (this.#inFlight().count > 0) since = steadyNow();
      if (steadyNow() - since < reportsMs) return;
      clearInterval(this.#reports ?? undefined);
      this.#options.terminal.note("The reports are not written to their end: `tandem report` writes them later.");
      void this.#end(signal);
    }, reportsLookMs).unref();
  }

  #announce(): void {
    const { terminal } = this.#options;
    const { count, withinMs } = this.#inFlight();
    const rest = this.#runner?.rest ?? "nothing more is sent";
    if (count === 0) {
      terminal.note(`Interrupted: ${rest}, and nothing is in flight.`);
      return;
    }
    terminal.note(
      `Interrupted: ${rest}; finishing ${count} in flight, for at most ${shortDuration(withinMs)}. ${this.#again()}`,
    );
  }

  /** The last of them ends at the latest by its time-out, or is given up. */
  #countDown(): void {
    const { count, withinMs } = this.#inFlight();
    if (count > 0 && !this.#givenUp)
      this.#options.terminal.note(
        `Finishing ${count} in flight, for at most ${shortDuration(withinMs)}. ${this.#again()}`,
      );
  }

  /** Says to whoever sent the first signal what a second one does; nobody closes a terminal twice. */
  #again(): string {
    if (this.#signal === "SIGINT") return "Press Ctrl-C again to give up on them.";
    return `Another ${this.#signal === "SIGHUP" ? "SIGTERM" : this.#signal} gives up on them.`;
  }

  #inFlight(): { count: number; withinMs: number } {
    const queues = this.#runner?.snapshot() ?? [];
    const leftMs = Math.max(0, this.#givesUpAt - steadyNow());
    return {
      count: queues.reduce((sum, { inFlight }) => sum + inFlight, 0),
      withinMs: Math.min(leftMs, Math.max(0, ...queues.map((queue) => queue.finishesWithinMs))),
    };
  }
}
