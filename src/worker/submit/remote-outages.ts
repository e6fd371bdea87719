import type { Journal, OutageEntry } from "../../runner/journal.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";
import type { Queue } from "./queues.ts";

interface RemoteOutagesOptions {
  journal: Pick<Journal, "noteOutage">;
  onEvent: (event: QueueEvent) => void;
}

/** Tells when a service is away and when it is back, as the database says it, and enters both here as if it had been asked from here. */
export class RemoteOutages {
  readonly #options: RemoteOutagesOptions;
  /** Queue to the beginning of the time in which its service is away. */
  readonly #away = new Map<string, number>();
  readonly #noted = new Set<string>();

  constructor(options: RemoteOutagesOptions) {
    this.#options = options;
  }

  /** Looks at a queue as it was told last. */
  async sees({ name, deployment, service }: Queue): Promise<void> {
    if (service === null) return;
    const { onEvent } = this.#options;
    const endpoint = name.slice(name.lastIndexOf("/") + 1);
    const entered = { deployment: deployment.name, endpoint, givenBack: [] };
    const { away, outages } = service;
    for (const outage of outages) {
      const isNew = await this.#note({ ...entered, ...outage });
      const known = this.#away.get(name);
      this.#away.delete(name);
      if (isNew && known === outage.since) onEvent({ type: "back", lane: name, forMs: outage.until - outage.since });
    }
    if (away === null) return;
    const { status, since, leftMs } = away;
    await this.#note({ ...entered, status, since, until: null });
    if (this.#away.get(name) !== since) onEvent({ type: "away", lane: name, status, patienceMs: leftMs });
    this.#away.set(name, since);
  }

  /** Enters a time once, and its end. Returns whether that was new. */
  async #note(entry: OutageEntry): Promise<boolean> {
    const { deployment, endpoint, since, until } = entry;
    const noted = JSON.stringify([deployment, endpoint, since, until]);
    if (this.#noted.has(noted)) return false;
    this.#noted.add(noted);
    await this.#options.journal.noteOutage(entry);
    return true;
  }
}
