import { type EndingSignal, endingSignals } from "./ending-signals.ts";
import { readFileSync } from "node:fs";

/**
 * Signals within this time of one another are one, as those are that the system joins while nobody takes them: the
 * terminal and a program that passes Ctrl-C on, or both that `timeout` sends. People take longer between two.
 */
const togetherMs = 100;

export interface CountedSignalsOptions {
  /** `number`: 1 for the first that somebody sent. */
  onSignal: (signal: EndingSignal, number: number) => void;
  /** Called for one that may be the first, passed on late; the next one counts. */
  onRepeat?: (signal: EndingSignal) => void;
  /** Tells whether a process above may pass signals on. */
  mayBePassedOn?: () => Promise<boolean>;
}

/**
 * Counts the signals by which somebody asks this process to end. Nothing tells who sent one, and npm, an older Node that
 * handed over to this one and many others pass on what they get, at once or seconds later. So after the first, which
 * counts, one signal is taken for the first passed on where a process is above this one in its group: an answer that is
 * given up costs money, and another Ctrl-C nothing. A closed terminal (SIGHUP) is never a second one.
 */
export class CountedSignals {
  readonly #options: CountedSignalsOptions;
  readonly #handlers = endingSignals.map((signal) => ({ signal, handler: (): void => this.#came(signal) }));
  #counted = 0;
  #cameAt = Number.NEGATIVE_INFINITY;
  /** Until it is known: it may be. */
  #mayBePassedOn = true;
  #hasRepeated = false;

  constructor(options: CountedSignalsOptions) {
    this.#options = options;
    for (const { signal, handler } of this.#handlers) process.on(signal, handler);
  }

  close(): void {
    for (const { signal, handler } of this.#handlers) process.off(signal, handler);
  }

  #came(signal: EndingSignal): void {
    const now = performance.now();
    const isTogether = now - this.#cameAt < togetherMs;
    this.#cameAt = now;
    if (this.#counted === 0) {
      this.#count(signal);
      void this.#lookAbove();
    } else if (!isTogether && signal !== "SIGHUP") {
      if (!this.#mayBePassedOn || this.#hasRepeated) this.#count(signal);
      else {
        this.#hasRepeated = true;
        this.#options.onRepeat?.(signal);
      }
    }
  }

  async #lookAbove(): Promise<void> {
    this.#mayBePassedOn = await (this.#options.mayBePassedOn ?? hasProcessAbove)();
  }

  #count(signal: EndingSignal): void {
    this.#counted += 1;
    this.#hasRepeated = false;
    this.#options.onSignal(signal, this.#counted);
  }
}

const parentAtStart = process.ppid;

/** True where a process above this one is in its group, and gets a Ctrl-C too. A parent that has gone may have passed one on. */
export async function hasProcessAbove(system: NodeJS.Platform = process.platform): Promise<boolean> {
  // A console tells each of its processes, and no process there passes a signal on.
  if (system === "win32") return false;
  if (process.ppid !== parentAtStart) return true;
  const groupOf = system === "linux" ? groupInProc : groupByPs;
  const [own, parent] = await Promise.all([groupOf(process.pid), groupOf(process.ppid)]);
  return own === null || parent === own;
}

/** `PID (NAME) STATE PARENT GROUP ...`, and the name may be anything. */
function groupInProc(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[2]);
  } catch {
    return null;
  }
}

async function groupByPs(pid: number): Promise<number | null> {
  const { execFile } = await import("node:child_process");
  return new Promise((resolve) => {
    execFile("ps", ["-o", "pgid=", "-p", String(pid)], (error, out) => resolve(error === null ? Number(out) : null));
  });
}
