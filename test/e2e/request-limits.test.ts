import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { badGateway, type Gateway, startGateway } from "./gateway.ts";
import { record, type Reply } from "./service.ts";
import { ends, flat, prompts, runAt, Tandem } from "./tandem.ts";

const json = { "content-type": "application/json" };

/** True while a proxy lets requests through: so many a second, with so many at once. */
function bucket(perSecond: number, burst: number): () => boolean {
  let left = burst;
  let last = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - last) * perSecond) / 1_000);
    last = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

describe("a proxy that answers 503 to what is too much", () => {
  test.each<[string, number, number, () => (gateway: Gateway) => boolean]>([
    ["40 a second, 8 at once", 80, 8, () => bucket(40, 8)],
    ["20 a second, 5 at once", 50, 4, () => bucket(20, 5)],
    [
      "3 connections",
      40,
      8,
      () =>
        ({ running }) =>
          running <= 3,
    ],
  ])("is asked more slowly, and costs neither a row nor a try: %s", async (_, rows, concurrency, limit) => {
    const isLet = limit();
    const refused: string[] = [];
    const gateway: Gateway = await startGateway({
      answer: ({ prompt }) => {
        if (isLet(gateway)) return { ...record(prompt), delayMs: 10 };
        refused.push(prompt);
        return badGateway(503);
      },
    });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err, out } = await tandem.run(...runAt({ prod: gateway }, "--concurrency", String(concurrency)));
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    expect(gateway.received).toHaveLength(rows + refused.length);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(rows);
    expect(
      tandem.query("SELECT outcome, status, sum(possibly_paid) AS paid, count(*) AS n FROM attempt GROUP BY 1"),
    ).toEqual([
      { outcome: "ok", status: 200, paid: 0, n: rows },
      { outcome: "throttled", status: 503, paid: 0, n: refused.length },
    ]);
    expect(tandem.query("SELECT count(*) AS n FROM outage")).toEqual([{ n: 0 }]);
    expect(flat(out)).toContain(`prod answered 503 to ${refused.length} request`);
    // A rate is advised where refusals went on for long enough to measure the limit.
    const from = "(SELECT min(done_at) FROM attempt)";
    const db = new Database(join(tandem.folder, "results/tandem.db"));
    const reported = async (factor: number): Promise<string> => {
      db.exec(`UPDATE attempt SET done_at = ${from} + (done_at - ${from}) * ${factor}`);
      await tandem.run("report", "latest", "-o", "report.md");
      return flat(tandem.text("report.md"));
    };
    expect(await reported(10_000)).toMatch(/rate: \d+\/s/);
    expect(await reported(0)).not.toContain("rate:");
    db.close();
  });

  slowTest("is away where nothing comes between", async () => {
    let isDown = false;
    const gateway = await startGateway({
      during: (own) => {
        if (isDown || own.sound.length < 20) return;
        isDown = true;
        own.isDown = true;
        void setTimeout(12_000).then(() => (own.isDown = false));
      },
      down: () => badGateway(503),
    });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }));
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 60 });
    expect(gateway.refused.length).toBeLessThan(25);
    const [outage] = tandem.query<{ status: number; ms: number }>('SELECT status, "until" - since AS ms FROM outage');
    expect(outage?.status).toBe(503);
    // From its first answer on, although the first ones were taken for a limit.
    expect(outage?.ms).toBeGreaterThan(10_000);
  });
});

describe("a row that is throttled whenever it is sent", () => {
  const tooLarge: Reply = {
    status: 429,
    headers: json,
    body: '{"detail":{"error":"Request too large for this limit"}}',
  };

  test.each<[string, number, number, Reply]>([
    ["429", 60, 4, tooLarge],
    ["429, one at a time", 40, 1, tooLarge],
    ["429 with Retry-After", 60, 4, { ...tooLarge, headers: { ...json, "retry-after": "0.2" } }],
    ["503", 60, 4, badGateway(503)],
  ])("fails in the words of the service, and holds nobody: %s", async (_, rows, concurrency, reply) => {
    const gateway: Gateway = await startGateway({
      answer: ({ prompt }) => (prompt === gateway.received[6]?.prompt ? reply : { ...record(prompt), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--concurrency", String(concurrency)));
    expect(code, err).not.toBe(3);
    expect(ends(tandem)).toEqual({ ok: rows - 1, rejected: 1 });
    const asked = gateway.received.filter(({ prompt }) => prompt === gateway.received[6]?.prompt);
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(asked.length).toBeLessThan(10);
    expect(gateway.received).toHaveLength(rows - 1 + asked.length);
    const [failed] = tandem.query<{ error: string; paid: number }>(
      "SELECT attempt.error, attempt.possibly_paid AS paid FROM job JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt WHERE job.outcome = 'rejected'",
    );
    expect(failed?.error).toContain(reply.status === 429 ? "Request too large for this limit" : "HTTP 503");
    expect(failed?.paid).toBe(0);
  });

  test("and so do three of them", async () => {
    const isBad = (gateway: Gateway, prompt: string): boolean =>
      [6, 15, 24].some((place) => gateway.received[place]?.prompt === prompt);
    const gateway: Gateway = await startGateway({
      answer: ({ prompt }) => (isBad(gateway, prompt) ? tooLarge : { ...record(prompt), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(90));
    const { code } = await tandem.run(...runAt({ prod: gateway }));
    expect(code).not.toBe(3);
    expect(ends(tandem)["unfinished"]).toBeUndefined();
    expect(ends(tandem)["ok"]).toBeGreaterThanOrEqual(87);
  });

  test.each<[string, Reply, number, number]>([
    ["in another way", tooLarge, 45, 6_000],
    ["in another way, before the last row", tooLarge, 58, 1_500],
    ["in the same way, before the last row", badGateway(503), 58, 1_500],
  ])("costs no other row where a gateway answers 503 for a moment: it is refused %s", async (_, reply, after, ms) => {
    const isBad = (prompt: string): boolean => prompt === gateway.received[6]?.prompt;
    let wasDown = false;
    const gateway: Gateway = await startGateway({
      during: (own) => {
        if (wasDown || own.received.filter(({ prompt }) => !isBad(prompt)).length < after) return;
        wasDown = true;
        own.isDown = true;
        void setTimeout(ms).then(() => (own.isDown = false));
      },
      down: () => badGateway(503),
      answer: ({ prompt }) => (isBad(prompt) ? reply : { ...record(prompt), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { err } = await tandem.run(...runAt({ prod: gateway }));
    expect(ends(tandem), err).toEqual({ ok: 59, rejected: 1 });
    expect(gateway.refused.length).toBeLessThan(16);
  });

  test.each([
    ["one", [6]],
    ["four, and some next to each other", [6, 7, 8, 21]],
  ])("is not waited for by others, however long it is asked to wait: %s", async (_, places) => {
    const gateway: Gateway = await startGateway({
      answer: ({ prompt }) =>
        places.some((place) => gateway.received[place]?.prompt === prompt)
          ? { ...tooLarge, headers: { ...json, "retry-after": "3600" } }
          : { ...record(prompt), delayMs: 3 },
    });
    const tandem = new Tandem().file("p.csv", prompts(40));
    const { child, ended } = tandem.start(...runAt({ prod: gateway }));
    const from = performance.now();
    const isDone = (): boolean => new Set(gateway.received.map(({ prompt }) => prompt)).size === 40;
    while (!isDone() && performance.now() - from < 30_000) await setTimeout(20);
    await setTimeout(500);
    child.kill("SIGKILL");
    const { err } = await ended;
    expect(ends(tandem), err).toEqual({ ok: 40 - places.length, unfinished: places.length });
    expect(err).not.toContain("throttled; now");
  });

  test("is not waited for by a resume that asks it first", async () => {
    const gateway: Gateway = await startGateway({
      answer: ({ prompt }) =>
        prompt === gateway.received[2]?.prompt
          ? { ...tooLarge, headers: { ...json, "retry-after": "3600" } }
          : { ...record(prompt), delayMs: 30 },
    });
    const tandem = new Tandem().file("p.csv", prompts(40));
    await tandem.killWhen(() => gateway.received.length > 12, ...runAt({ prod: gateway }));
    const { child, ended } = tandem.start("resume");
    const isDone = (): boolean => new Set(gateway.received.map(({ prompt }) => prompt)).size === 40;
    const from = performance.now();
    while (!isDone() && performance.now() - from < 30_000) await setTimeout(20);
    await setTimeout(500);
    child.kill("SIGKILL");
    const { err } = await ended;
    expect(ends(tandem), err).toEqual({ ok: 39, unfinished: 1 });
  });

  test("a limit for all that asks for a long wait is waited for after five rows", async () => {
    const gateway: Gateway = await startGateway({
      answer: ({ prompt }) =>
        gateway.received.length > 20
          ? { ...tooLarge, headers: { ...json, "retry-after": "7200" } }
          : { ...record(prompt), delayMs: 3 },
    });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { child, ended } = tandem.start(...runAt({ prod: gateway }));
    await expect.poll(() => gateway.received.length).toBeGreaterThan(24);
    await setTimeout(2_000);
    child.kill("SIGKILL");
    const { err } = await ended;
    expect(gateway.received.length).toBeLessThanOrEqual(20 + 5 + 2 * 4);
    expect(err).toContain("asks for a wait of 2h 0m");
  });

  test("a limit for all, told by 429, loses no row", async () => {
    const isLet = bucket(40, 8);
    const gateway = await startGateway({
      answer: ({ prompt }) => (isLet() ? { ...record(prompt), delayMs: 3 } : { ...tooLarge, delayMs: 1 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(80));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--concurrency", "8"));
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 80 });
  });
});
