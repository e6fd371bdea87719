import type { Journal, OutageEntry } from "../../runner/journal.ts";
import type { QueueEvent, ServiceEvent } from "../../runner/queue-event.ts";
import type { WorkerNote } from "../serve/chunk-run.ts";

interface NoteReaderOptions {
  journal: Pick<Journal, "noteOutage" | "notePace">;
  onEvent: (event: QueueEvent) => void;
}

/** An answer of the service itself, with dates in milliseconds since 1970. */
export interface SoundAnswer {
  /** `deployment/endpoint`. */
  queue: string;
  /** The id of the worker that it was given to; null: that is not known. */
  worker: string | null;
  sentAt: number;
  doneAt: number;
}

/** Reads what workers say of a service: each finds out for itself, and one word of it is enough. */
export class NoteReader {
  readonly #options: NoteReaderOptions;
  /** Lanes to the workers that found their service away, each by one of its chunks or by several. */
  readonly #away = new Map<string, Set<string>>();
  /** Lanes to the time in which their service is away, with the latest word of each of the same. */
  readonly #outages = new Map<string, { since: number; workers: Map<string, OutageEntry> }>();

  constructor(options: NoteReaderOptions) {
    this.#options = options;
  }

  /** Some service is away, as far as workers have said. */
  get isAway(): boolean {
    return this.#outages.size > 0;
  }

  async read(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      // Workers of another version are refused.
      const note: WorkerNote | null = JSON.parse(text);
      if (note === null) continue;
      const { worker, pace, outage, event } = note;
      if (pace !== undefined) await this.#options.journal.notePace(pace);
      if (outage !== undefined) await this.#outage(worker, outage);
      if (event !== undefined) this.#event(worker, event);
    }
  }

  /**
   * Takes note of answers for those who say no more: a worker that has died, or has begun again, never says that the service is
   * back, but somebody is answered. `isThere`: by the id of a worker.
   */
  async answered(answers: readonly SoundAnswer[], isThere: (worker: string) => boolean): Promise<void> {
    for (const { queue, worker, sentAt, doneAt } of answers) {
      for (const [found, outage] of this.#outages.get(queue)?.workers ?? []) {
        if (sentAt <= outage.since || (found !== worker && isThere(found))) continue;
        this.#event(found, { type: "back", queue, forMs: Math.max(0, doneAt - outage.since) });
        await this.#outage(found, { ...outage, until: Math.floor(doneAt) });
      }
    }
  }

  #event(worker: string, event: ServiceEvent): void {
    const away = this.#away.get(event.queue) ?? new Set();
    this.#away.set(event.queue, away);
    const isFirst = away.size === 0;
    if (event.type === "away") {
      away.add(worker);
      if (!isFirst) return;
    } else if (event.type === "back" && (!away.delete(worker) || away.size > 0)) return;
    this.#options.onEvent(event);
  }

  /** The time in which all found it away is one: from the first who did to the last who was answered. */
  async #outage(worker: string, outage: OutageEntry): Promise<void> {
    const queue = `${outage.deployment}/${outage.endpoint}`;
    const known = this.#outages.get(queue);
    const { since, workers } = known ?? { since: outage.since, workers: new Map<string, OutageEntry>() };
    if (outage.until === null) {
      this.#outages.set(queue, { since, workers: workers.set(worker, outage) });
      if (known === undefined) await this.#options.journal.noteOutage(outage);
    } else if (workers.delete(worker) && workers.size === 0) {
      this.#outages.delete(queue);
      await this.#options.journal.noteOutage({ ...outage, since });
    }
  }
}
