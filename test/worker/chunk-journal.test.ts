import { expect, test } from "vitest";
import { DatabaseClock, Lease } from "../../src/worker/journal/lease.ts";
import { createChunkJournal } from "../../src/worker/journal/chunk-journal.ts";
import type { LoadedChunk } from "../../src/worker/postgres/chunk.ts";
import { okOutcome } from "./stand-in.ts";

const plain = { targetId: 1, caseId: 1, repeat: 1, turn: 1, waitsFor: null, input: "{}", attempts: 0, failures: 0 };

const chunk: LoadedChunk = {
  batch: {
    no: 1,
    id: "a",
    namespace: "default",
    name: "batch",
    version: "0.0.0",
    suite: "{}",
    seed: 1,
    onAmbiguous: "retry",
    conversations: false,
    state: "running",
    reason: null,
  },
  deployment: "prod",
  service: { id: 1, name: "service" },
  targets: [],
  jobs: [1, 2, 3, 4, 5].map((id) => ({ ...plain, id, firstTriedAt: null })),
  held: [],
  busy: [],
  earlier: new Map(),
  taken: [],
};

test("A slice tells of each attempt with leave that its result is on its way, until it is here or will not come soon", async () => {
  let expected = 0;
  const journal = createChunkJournal({
    workerId: "me",
    slice: chunk,
    targets: [],
    takes: {
      waiting: 0,
      listener: { onOutcome: () => {}, onWaited: () => {}, onStopped: () => {} },
      ask: ({ job }) => Promise.resolve(job !== 5),
      close: () => {},
    },
    settles: {
      expect: (change) => void (expected += change),
      add: () => Promise.resolve("landed"),
    },
    entries: {
      taken: () => Promise.resolve(true),
      skip: () => Promise.resolve(0),
      stopTarget: () => Promise.resolve(),
      giveBack: () => Promise.resolve(),
    },
    clock: new DatabaseClock(),
    lease: new Lease(),
    onStray: () => {},
  });
  const entry = (jobId: number) => ({ jobId, number: 1, queuedAt: 0, service: "service" });
  for (const jobId of [1, 2, 3, 4, 5]) await journal.sending(entry(jobId));
  expect(expected).toBe(4);
  const settlement = { jobId: 1, number: 1, queuedAt: 0, final: true, outcome: okOutcome("answer") };
  await journal.settle(settlement);
  expect(expected).toBe(3);
  await journal.taken({ ...entry(2), sentAt: 1, run: { id: "r", url: null, createdAt: null } });
  await journal.settle({ ...settlement, jobId: 2 });
  expect(expected).toBe(2);
  await journal.giveBack(entry(3));
  expect(expected).toBe(1);
  journal.close();
  expect(expected).toBe(0);
});
