import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { now } from "../../lib/clock.ts";

/** A value that was read, and the files and folders it was read from. */
export interface Reading<T> {
  value: T;
  sources: string[];
}

/** A change is seen at most this long after it was written. */
const lookEveryMs = 100;

/**
 * A value from files, which is read again when one of them changes. When that fails, the last good reading stays and
 * `onBroken` hears of it once per change.
 */
export class Reloading<T> {
  private reading: Reading<T>;
  private state: string;
  private lookedAt = now();
  private running: Promise<void> | null = null;
  private readonly read: () => Promise<Reading<T>>;
  private readonly onBroken: (error: unknown) => void;

  private constructor(read: () => Promise<Reading<T>>, onBroken: (error: unknown) => void, reading: Reading<T>) {
    this.read = read;
    this.onBroken = onBroken;
    this.reading = reading;
    this.state = stateOf(reading.sources);
  }

  /** Reads for the first time; an error here is the caller's. */
  static async start<T>(read: () => Promise<Reading<T>>, onBroken: (error: unknown) => void): Promise<Reloading<T>> {
    return new Reloading(read, onBroken, await read());
  }

  /** The last good reading, without looking at the files. */
  get last(): T {
    return this.reading.value;
  }

  /** The reading of the files as they are now. */
  async current(): Promise<T> {
    if (this.running === null && now() - this.lookedAt >= lookEveryMs) this.look();
    if (this.running !== null) await this.running;
    return this.reading.value;
  }

  private look(): void {
    this.lookedAt = now();
    const state = stateOf(this.reading.sources);
    if (state === this.state) return;
    this.state = state;
    this.running = this.readAgain().finally(() => {
      this.running = null;
    });
  }

  private async readAgain(): Promise<void> {
    try {
      const before = this.reading.sources;
      this.reading = await this.read();
      // With the same files, the state from before the reading stands: a change during it is seen at the next look.
      if (this.reading.sources.join("\n") !== before.join("\n")) this.state = stateOf(this.reading.sources);
    } catch (error) {
      this.onBroken(error);
    }
  }
}

/** A text that changes when any of these files, or anything in these folders, changes. */
function stateOf(sources: string[]): string {
  return sources.map((path) => stateOfPath(path, deepest)).join("\n");
}

/** Folders deeper than this are not looked into: a link could lead in circles. */
const deepest = 8;

function stateOfPath(path: string, depth: number): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return "-";
    if (!stat.isDirectory() || depth === 0) return `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    return readdirSync(path)
      .map((name) => `${name} ${stateOfPath(join(path, name), depth - 1)}`)
      .join("\n");
  } catch (error) {
    // Gone between two looks, or not ours to read: the reading itself will say so.
    return String(error);
  }
}
