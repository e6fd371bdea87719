import { describe, expect, test } from "vitest";
import type { Settlement } from "../../src/runner/journal.ts";
import { arrivedSettlement, decisionOf } from "../../src/worker/submit/arrived.ts";
import { okOutcome } from "./stand-in.ts";

const { record, ...ok } = okOutcome("an answer");
const body = record?.body ?? null;
const plain = {
  number: 1,
  queuedAt: 1_000,
  final: true,
  outcome: { ...ok, record: { id: "abcdefghijkl", url: null, createdAt: null } },
};

/** A result as a worker of a stranger may enter it: whatever text and bytes, in the row of an attempt that it took. */
const arrived = (entry: unknown, row: Partial<Parameters<typeof arrivedSettlement>[1]> = {}): Settlement =>
  arrivedSettlement(7, {
    number: 1,
    kind: "ok",
    final: true,
    body,
    entry: typeof entry === "string" ? entry : JSON.stringify(entry),
    ...row,
  });

const withOutcome = (more: object) => ({ ...plain, outcome: { ...plain.outcome, ...more } });
const long = "x".repeat(1_000_000);

describe("a result that a worker has entered", () => {
  test("is used where it is what a worker of ours enters", () => {
    expect(arrived(plain)).toMatchObject({ jobId: 7, number: 1, outcome: { kind: "ok", record: { body } } });
  });

  test("is used with its texts cut, where they are longer than is kept: the answer was paid for", () => {
    const longer = { id: long, url: long, createdAt: null };
    const settled = arrived(withOutcome({ record: longer, error: long, bodyStart: long, headers: { server: long } }));
    expect(settled.outcome).toMatchObject({ kind: "ok", record: { body } });
    const { outcome } = settled;
    const texts = [
      outcome.record?.id,
      outcome.record?.url,
      outcome.error,
      outcome.bodyStart,
      outcome.headers?.["server"],
    ];
    expect(texts.map((text) => text?.length)).toEqual([20_000, 20_000, 20_000, 20_000, 20_000]);
  });

  test.each<[string, unknown, Partial<Parameters<typeof arrivedSettlement>[1]>?]>([
    ["no JSON", "{"],
    ["half of one", { number: 1 }],
    ["JSON of 100,000 levels", "[".repeat(100_000)],
    ["another attempt than its row", { ...plain, number: 99 }],
    ["another outcome than its row", withOutcome({ kind: "run-failed" })],
    ["an outcome that nobody knows", withOutcome({ kind: "paid" })],
    ["an end that its row is not", { ...plain, final: false }],
    ["an answer without a body", plain, { body: null }],
    ["an answer without a record", withOutcome({ record: null })],
    ["a body that no client takes", plain, { body: Buffer.alloc(33 * 1024 * 1024) }],
    [
      "a thousand headers",
      withOutcome({ headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`h${i}`, ""])) }),
    ],
    ["tokens that pay back", withOutcome({ usage: { input: -1e9, output: 0 } })],
    [
      "tokens without measure",
      JSON.stringify(withOutcome({ usage: { input: 1, output: 2 } })).replace('"output":2', '"output":1e400'),
    ],
    ["a status that is none", withOutcome({ status: 1e9 })],
    ["a time that is no date", withOutcome({ timing: { ...ok.timing, doneAt: 1e300 } })],
    ["a wait that is no time", withOutcome({ retryAfterMs: 1e300 })],
  ])("that is %s counts as none, says so, and ends nothing", (_what, entry, row) => {
    const settled = arrived(entry, row);
    expect(settled).toMatchObject({
      jobId: 7,
      number: 1,
      final: true,
      outcome: { kind: "ambiguous", record: null, possiblyPaid: true },
    });
    expect(settled.outcome.error).toMatch(/^a worker has entered a result that is not used: /);
    expect((settled.outcome.error ?? "").length).toBeLessThan(500);
    expect(decisionOf(settled)).toBe("finish");
  });
});
