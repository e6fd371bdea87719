import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBodyBudget, type BodyReader } from "../../src/client/body-budget.ts";
import { botRequest, clientOf, httpServer, smallRecord, socketServer } from "./server.ts";
import { often } from "../often.ts";

class Reader implements BodyReader {
  counted = 0;
  paused = false;
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the budget of bodies", () => {
  test("pauses all but one beyond the limit, and lets them go on in their order", async () => {
    const budget = createBodyBudget(100);
    const [a, b, c] = [new Reader(), new Reader(), new Reader()];
    budget.take(a, 60);
    budget.take(b, 60);
    expect([a.paused, b.paused]).toEqual([false, true]);
    budget.take(c, 1);
    budget.take(a, 500);
    expect([a.paused, b.paused, c.paused]).toEqual([false, true, true]);
    budget.release(a);
    await turn();
    expect([b.paused, c.paused]).toEqual([false, false]);
    expect(budget.held).toBe(61);
    budget.release(b);
    budget.release(c);
    budget.release(c);
    expect(budget.held).toBe(0);
  });

  test("lets someone read, always, and ends at zero, whatever the order of events", async () => {
    const step = fc.record({ reader: fc.nat(5), bytes: fc.integer({ min: 1, max: 80 }), end: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const budget = createBodyBudget(100);
        const readers = Array.from({ length: 6 }, () => new Reader());
        const holding = new Set<Reader>();
        for (const { reader: at, bytes, end } of steps) {
          const reader = readers[at];
          if (reader === undefined) continue;
          if (end) {
            budget.release(reader);
            holding.delete(reader);
            reader.paused = false;
          } else if (!reader.paused) {
            budget.take(reader, bytes);
            holding.add(reader);
          }
          await turn();
          expect(holding.size === 0 || [...holding].some(({ paused }) => !paused)).toBe(true);
        }
        for (const reader of readers) budget.release(reader);
        expect(budget.held).toBe(0);
      }),
      { numRuns: often(60, 200) },
    );
  });
});

describe("clients that share a budget", () => {
  test("read many large bodies to the end although few fit", async () => {
    const body = JSON.stringify({ output: { output_text: ["x".repeat(1_000_000)] } });
    await using server = await httpServer((_request, response) => response.end(body));
    const bodyBudget = createBodyBudget(1_500_000);
    await using one = clientOf(server.url, { bodyBudget, connections: 8 });
    await using two = clientOf(server.url, { bodyBudget, connections: 8 });
    const attempts = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? one : two).attempt(botRequest()));
    for (const outcome of await Promise.all(attempts)) {
      expect(outcome.kind).toBe("ok");
      expect(outcome.record?.body?.length).toBe(body.length);
    }
    expect(bodyBudget.held).toBe(0);
  });

  test("read what had to wait, even beyond its own time-out", async () => {
    let count = 0;
    let letGo = (): unknown => null;
    await using server = await socketServer((socket) => {
      const header = `HTTP/1.1 200 OK\r\nContent-Length: ${smallRecord.length}\r\n\r\n`;
      const first = count++ === 0;
      socket.write(header + smallRecord.slice(0, 30));
      if (first) letGo = () => socket.write(smallRecord.slice(30));
      else setImmediate(() => socket.write(smallRecord.slice(30)));
    });
    await using client = clientOf(server.url, { bodyBudget: createBodyBudget(10) });
    const first = client.attempt(botRequest());
    await expect.poll(() => count).toBe(1);
    const second = client.attempt(botRequest({ timeoutMs: 1_000 }));
    await sleep(1_300);
    letGo();
    expect([(await first).kind, (await second).kind]).toEqual(["ok", "ok"]);
  });

  test.each(["reset", "close"])("survive a %s of connections whose reading waits", async (how) => {
    const header = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 900000\r\n\r\n";
    let count = 0;
    await using server = await socketServer((socket) => {
      const first = count++ === 0;
      socket.write(header + smallRecord.slice(0, -5));
      if (!first) setTimeout(() => (how === "reset" ? socket.resetAndDestroy() : socket.end()), 30);
    });
    const bodyBudget = createBodyBudget(10);
    await using client = clientOf(server.url, { bodyBudget, connections: 4 });
    const first = client.attempt(botRequest({ timeoutMs: 1_000 }));
    await expect.poll(() => bodyBudget.held).toBeGreaterThan(0);
    const others = [1, 2, 3].map(() => client.attempt(botRequest({ timeoutMs: 3_000 })));
    for (const outcome of await Promise.all([first, ...others])) {
      expect(outcome).toMatchObject({ kind: "ambiguous", record: { id: "abcdefabcdef" } });
    }
    expect(bodyBudget.held).toBe(0);
  });
});
