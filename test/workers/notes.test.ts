import { expect, test } from "vitest";
import type { OutageEntry } from "../../src/runner/journal.ts";
import type { QueueEvent } from "../../src/runner/queue-event.ts";
import { NoteReader } from "../../src/workers/submit/notes.ts";

const queue = "prod/video-bots";

/** A reader to which workers have said that their service is away, each since then; with what it has told. */
async function away(workers: Record<string, number>) {
  const events: QueueEvent[] = [];
  const entries: OutageEntry[] = [];
  const notes = new NoteReader({
    journal: { noteOutage: async (entry) => void entries.push(entry), notePace: () => Promise.resolve() },
    onEvent: (event) => events.push(event),
  });
  const outage = { deployment: "prod", endpoint: "video-bots", status: 502, until: null, givenBack: [] };
  for (const [worker, since] of Object.entries(workers)) {
    const event = { type: "away", queue, status: 502, patienceMs: null };
    await notes.read([JSON.stringify({ worker, event }), JSON.stringify({ worker, outage: { ...outage, since } })]);
  }
  expect(events.splice(0)).toMatchObject([{ type: "away" }]);
  expect(entries.splice(0)).toMatchObject([{ until: null }]);
  return { notes, events, entries };
}

const answer = (worker: string, sentAt: number) => ({ queue, worker, sentAt, doneAt: sentAt + 10.5 });

test("a worker that died while its service was away has it back when another is answered, and not before", async () => {
  const { notes, events, entries } = await away({ dead: 1_000 });
  await notes.answered([answer("other", 2_000)], () => true);
  await notes.answered([answer("other", 900)], (id) => id !== "dead");
  expect(events).toEqual([]);
  await notes.answered([answer("other", 3_000)], (id) => id !== "dead");
  expect(events).toEqual([{ type: "back", queue, forMs: 2_010.5 }]);
  expect(entries).toMatchObject([{ since: 1_000, until: 3_010, status: 502 }]);
  expect(notes.isAway).toBe(false);
});

test("a worker that began again has it back by its own answers, while others still wait", async () => {
  const { notes, events, entries } = await away({ again: 1_000, waiting: 1_500 });
  await notes.answered([answer("again", 2_000)], () => true);
  expect([events, entries]).toEqual([[], []]);
  await notes.answered([answer("waiting", 4_000)], () => true);
  expect(events).toMatchObject([{ type: "back" }]);
  expect(entries).toMatchObject([{ since: 1_000, until: 4_010 }]);
  // Its own word comes late, and is not said twice.
  const outage = { deployment: "prod", endpoint: "video-bots", status: 502, since: 1_500, until: 4_010, givenBack: [] };
  await notes.read([JSON.stringify({ worker: "waiting", event: { type: "back", queue, forMs: 9 }, outage })]);
  expect([events.length, entries.length]).toEqual([1, 1]);
});
