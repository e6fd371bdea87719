import { exitCodes } from "../../errors.ts";
import { steadyNow } from "../../lib/clock.ts";
import type { Watched } from "../../runner/runner.ts";
import { shortDuration } from "./queue-line.ts";
import { echoMs, type EndingSignal, endingSignals } from "../signals.ts";
import type { Terminal } from "../terminal.ts";

/** Time that SIGTERM waits for requests in flight before it gives up on them. */
const termPatienceMs = 20_000;

/** Time between two messages on requests that are still in flight. */
const countdownEveryMs = 10_000;

/**
 * First Ctrl-C: nothing more is started, what is in flight is finished. Second: what is in flight is given up and stays in doubt.
 * A third one, or a second one when nothing is in flight any more, ends the process.
 * SIGTERM and a closed terminal are like the first, with less patience.
 */
export class Interrupts {
  #runner: Watched | null = null;
  #signal: EndingSignal | null = null;
  #lastAt = Number.NEGATIVE_INFINITY;
  #givenUp = false;
  /** When what is then in flight is given up; infinite: not by itself. */
  #givesUpAt = Number.POSITIVE_INFINITY;
  #patience: NodeJS.Timeout | null = null;
  #countdown: NodeJS.Timeout | null = null;
  readonly #terminal: Terminal;
  readonly #handlers = new Map<string, () => void>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    for (const signal of endingSignals) {
      const handler = (): void => {
        if (!this.#isEcho(signal)) this.#received(signal);
      };
      this.#handlers.set(signal, handler);
      process.on(signal, handler);
    }
  }

  watch(runner: Watched): void {
    this.#runner = runner;
    if (this.#signal !== null) runner.stop("interrupted");
  }

  /** 130 or 143 after a signal, else null. */
  get exitCode(): number | null {
    if (this.#signal === null) return null;
    return this.#signal === "SIGTERM" ? exitCodes.terminated.code : exitCodes.interrupted.code;
  }

  close(): void {
    for (const [signal, handler] of this.#handlers) process.off(signal, handler);
    if (this.#patience !== null) clearTimeout(this.#patience);
    if (this.#countdown !== null) clearInterval(this.#countdown);
  }

  /** Tells the same signal, passed on by somebody else as well, from a second one. */
  #isEcho(signal: EndingSignal): boolean {
    const now = performance.now();
    const isEcho = signal === this.#signal && now - this.#lastAt < echoMs;
    this.#lastAt = now;
    return isEcho;
  }

  #received(signal: EndingSignal): void {
    // Before there is anything to finish, or after the second one has not helped, a signal ends the process.
    const isOver = this.#givenUp || (this.#signal !== null && this.#inFlight().count === 0);
    if (this.#runner === null || isOver) {
      process.exit(signal === "SIGTERM" ? exitCodes.terminated.code : exitCodes.interrupted.code);
    }
    if (this.#signal !== null) {
      this.#giveUp();
      return;
    }
    this.#signal = signal;
    this.#runner.stop("interrupted");
    if (signal !== "SIGINT") {
      this.#givesUpAt = steadyNow() + termPatienceMs;
      this.#patience = setTimeout(() => this.#giveUp(), termPatienceMs);
    }
    this.#announce(signal);
    this.#countdown = setInterval(() => this.#countDown(), countdownEveryMs);
  }

  #giveUp(): void {
    this.#givenUp = true;
    const { count } = this.#inFlight();
    const usual = `Giving up on the ${count} in flight; they stay in doubt, or with the service where it has taken them.`;
    if (count > 0) this.#terminal.note(this.#runner?.leaving?.(count) ?? usual);
    this.#runner?.abort();
  }

  #announce(signal: EndingSignal): void {
    const { count, withinMs } = this.#inFlight();
    if (count === 0) {
      this.#terminal.note("Interrupted: nothing more is sent, and nothing is in flight.");
      return;
    }
    const again = signal === "SIGINT" ? " Press Ctrl-C again to give up on them." : "";
    this.#terminal.note(
      `Interrupted: nothing more is sent; finishing ${count} in flight, for at most ${shortDuration(withinMs)}.${again}`,
    );
  }

  /** The last of them ends at the latest by its time-out, or is given up. */
  #countDown(): void {
    const { count, withinMs } = this.#inFlight();
    if (count > 0 && !this.#givenUp)
      this.#terminal.note(`Finishing ${count} in flight, for at most ${shortDuration(withinMs)}.`);
  }

  #inFlight(): { count: number; withinMs: number } {
    const lanes = this.#runner?.snapshot() ?? [];
    return {
      count: lanes.reduce((sum, { inFlight }) => sum + inFlight, 0),
      withinMs: Math.min(this.#givesUpAt - steadyNow(), Math.max(0, ...lanes.map((queue) => queue.finishesWithinMs))),
    };
  }
}
