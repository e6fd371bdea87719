import { type EndingSignal, endingSignals } from "./ending-signals.ts";
import { type Above, GroupWitness, processesAbove } from "./process-group.ts";

/**
 * Signals within this time of one another are one, as those are that the system joins while nobody takes them: the
 * terminal and a program that passes Ctrl-C on, or both that `timeout` sends. People take longer between two.
 */
const togetherMs = 100;

export interface CountedSignalsOptions {
  /** `number`: 1 for the first that somebody sent. */
  onSignal: (signal: EndingSignal, number: number) => void;
  /** Called for one that may be the first, passed on late; `more`: so many like it would count. Left out: nobody is told. */
  onRepeat?: (signal: EndingSignal, more: number) => void;
  /** Left out: those of this process. */
  group?: SignalGroup;
}

/** Tells who else gets a signal, as far as that can be known. */
export interface SignalGroup {
  above: () => Promise<Above>;
  /** Calls with each signal that the whole process group got. */
  witness: (onSignal: (signal: EndingSignal) => void) => { close: () => void };
}

const ownGroup: SignalGroup = {
  above: () => processesAbove(),
  witness: (onSignal) => new GroupWitness(onSignal),
};

/**
 * Counts the signals by which somebody asks this process to end. Nothing tells who sent one, and one Ctrl-C may come
 * several times: the terminal tells the whole process group, and the older Node that handed over to this one, npm and
 * many others pass on what they get, at once or seconds later. So one is counted by where it may come from:
 *
 * - The first one counts.
 * - Without another process above this one in its group there is nobody who passes signals on: each one counts.
 * - One that the whole group got is somebody's own, as programs pass signals on to this process alone. A process of ours,
 *   which is started at the first signal, hears it (`GroupWitness`).
 * - Any other may be an earlier one that was passed on, of whatever kind it was. Each process above may do that once for
 *   each that counts; what is more than that counts.
 * - A closed terminal (SIGHUP) is told by the shell and by the system, and nobody closes it to give up: it is never a second.
 *
 * In doubt a signal does not count: an answer that is given up costs money, and another Ctrl-C nothing.
 */
export class CountedSignals {
  readonly #options: CountedSignalsOptions;
  readonly #group: SignalGroup;
  readonly #handlers = endingSignals.map((signal) => ({ signal, handler: (): void => this.#came(signal) }));
  #counted = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #cameAt = Number.NEGATIVE_INFINITY;
  #passedOn = 0;
  /** Until it is known: one, which may do anything. */
  #above: Above = { count: 1, repeatsToGroup: true };
  #witness: { close: () => void } | null = null;
  /** One that came to this process, as long as it is not known whether the group got it too. */
  #undecided: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: CountedSignalsOptions) {
    this.#options = options;
    this.#group = options.group ?? ownGroup;
    for (const { signal, handler } of this.#handlers) process.on(signal, handler);
  }

  close(): void {
    this.#isClosed = true;
    for (const { signal, handler } of this.#handlers) process.off(signal, handler);
    this.#decided();
    this.#witness?.close();
  }

  #came(signal: EndingSignal): void {
    const now = performance.now();
    const isTogether = now - this.#cameAt < togetherMs;
    this.#cameAt = now;
    if (this.#counted === 0) {
      this.#count(signal);
      void this.#lookAround();
    } else if (!isTogether && signal !== "SIGHUP") {
      if (this.#above.count === 0) this.#count(signal);
      else this.#undecided = setTimeout(() => this.#cameAlone(signal), togetherMs);
    }
  }

  async #lookAround(): Promise<void> {
    this.#above = await this.#group.above();
    // Where a signal to the group may be passed on too, it tells nothing.
    if (this.#above.count === 0 || this.#above.repeatsToGroup || this.#isClosed) return;
    this.#witness = this.#group.witness((signal) => this.#groupGot(signal));
  }

  #groupGot(signal: EndingSignal): void {
    const isTogether = performance.now() - this.#countedAt < togetherMs;
    // Somebody may have ended the witness alone: this process got nothing then.
    if (signal === "SIGHUP" || isTogether || this.#cameAt < this.#countedAt) return;
    this.#decided();
    this.#count(signal);
  }

  #cameAlone(signal: EndingSignal): void {
    this.#decided();
    const more = this.#above.count * this.#counted - this.#passedOn;
    if (more <= 0) {
      this.#count(signal);
      return;
    }
    this.#passedOn += 1;
    this.#options.onRepeat?.(signal, more);
  }

  #decided(): void {
    if (this.#undecided !== null) clearTimeout(this.#undecided);
    this.#undecided = null;
  }

  #count(signal: EndingSignal): void {
    this.#counted += 1;
    this.#countedAt = performance.now();
    this.#options.onSignal(signal, this.#counted);
  }
}
