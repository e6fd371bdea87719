import { fit } from "../../report/text/width.ts";
import type { Watched } from "../../runner/runner.ts";
import { queueLine } from "./queue-line.ts";
import type { Terminal } from "../terminal.ts";

const liveEveryMs = 200;
const plainEveryMs = 10_000;

/**
 * Shows the state of each endpoint queue: a live block on a terminal, plain lines every 10 s elsewhere, nothing when
 * quiet.
 */
export class Progress {
  readonly #terminal: Terminal;
  readonly #quiet: boolean;
  readonly #more: () => string[];
  #runner: Watched | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `more`: lines that follow those of the runner on a live screen. */
  constructor(terminal: Terminal, quiet: boolean, more: () => string[]) {
    this.#terminal = terminal;
    this.#quiet = quiet;
    this.#more = more;
  }

  /** Shows this from now on; what was shown before is left on the screen as it ended. */
  watch(runner: Watched): void {
    this.close();
    this.#runner = runner;
    if (this.#quiet) return;
    this.#timer = setInterval(() => this.#draw(), this.#terminal.live ? liveEveryMs : plainEveryMs);
  }

  /** Leaves the final state on the screen, once, and stops. */
  close(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    if (this.#terminal.live) this.#terminal.show([]);
    for (const line of this.#lines()) this.#terminal.note(line);
  }

  #draw(): void {
    const lines = this.#lines();
    if (this.#terminal.live) this.#terminal.show(lines);
    else for (const line of lines) this.#terminal.note(line);
  }

  /** A live line must not reach the edge, or the terminal would wrap it and the block could not be drawn over. */
  #lines(): string[] {
    const { live, liveColumns } = this.#terminal;
    const lines = [...(this.#runner?.snapshot().map(queueLine) ?? []), ...(this.#runner?.lines?.() ?? [])];
    return live ? [...lines, ...this.#more()].map((line) => fit(line, Math.max(20, liveColumns - 1))) : lines;
  }
}
