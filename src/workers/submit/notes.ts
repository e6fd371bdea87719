import { z } from "zod";
import type { Journal } from "../../runner/journal.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";

const rate = z.object({ count: z.number(), windowMs: z.number() }).nullable();

const note = z.object({
  pace: z
    .object({
      deployment: z.string(),
      endpoint: z.string(),
      at: z.number(),
      concurrency: z.number(),
      ceiling: z.number(),
      rate,
      reason: z.string(),
    })
    .optional(),
  outage: z
    .object({
      deployment: z.string(),
      endpoint: z.string(),
      status: z.number(),
      since: z.number(),
      until: z.number().nullable(),
      givenBack: z.array(z.number()),
    })
    .optional(),
  event: z
    .union([
      z.object({ type: z.literal("pace"), queue: z.string(), concurrency: z.number(), reason: z.string() }),
      z.object({ type: z.literal("away"), queue: z.string(), status: z.number(), patienceMs: z.number().nullable() }),
      z.object({ type: z.literal("back"), queue: z.string(), forMs: z.number() }),
      z.object({ type: z.literal("long-wait"), queue: z.string(), askedMs: z.number(), waitMs: z.number() }),
    ])
    .optional(),
});

interface NoteReaderOptions {
  journal: Pick<Journal, "noteOutage" | "notePace">;
  onEvent: (event: QueueEvent) => void;
}

/** Reads what workers say of a service: each finds out for itself, and one word of it is enough. */
export class NoteReader {
  readonly #options: NoteReaderOptions;
  /** Lanes to the number of workers that found their service away. */
  readonly #away = new Map<string, number>();
  /** Lanes to the time in which their service is away. */
  readonly #outages = new Map<string, { since: number; count: number }>();

  constructor(options: NoteReaderOptions) {
    this.#options = options;
  }

  async read(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const { success, data } = note.safeParse(JSON.parse(text));
      if (!success) continue;
      const { pace, outage, event } = data;
      if (pace !== undefined) await this.#options.journal.notePace(pace);
      if (outage !== undefined) await this.#outage(outage);
      if (event !== undefined) this.#event(event);
    }
  }

  #event(event: NonNullable<z.infer<typeof note>["event"]>): void {
    const { queue } = event;
    const count = this.#away.get(queue) ?? 0;
    if (event.type === "away") {
      this.#away.set(queue, count + 1);
      if (count > 0) return;
    } else if (event.type === "back") {
      this.#away.set(queue, Math.max(0, count - 1));
      if (count > 1) return;
    }
    this.#options.onEvent(event);
  }

  /** The time in which all found it away is one: from the first who did to the last who was answered. */
  async #outage(outage: NonNullable<z.infer<typeof note>["outage"]>): Promise<void> {
    const queue = `${outage.deployment}/${outage.endpoint}`;
    const known = this.#outages.get(queue);
    const since = known?.since ?? outage.since;
    if (outage.until === null) {
      this.#outages.set(queue, { since, count: (known?.count ?? 0) + 1 });
      if (known === undefined) await this.#options.journal.noteOutage(outage);
      return;
    }
    const count = (known?.count ?? 1) - 1;
    if (count > 0) this.#outages.set(queue, { since, count });
    else this.#outages.delete(queue);
    if (count <= 0) await this.#options.journal.noteOutage({ ...outage, since });
  }
}
