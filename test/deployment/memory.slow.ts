import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Pool } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { serve, someFiles } from "./served.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const path = "/v2/video-bots?example_id=onions";

function poolOf(baseUrl: string, connections: number): Pool {
  const pool = new Pool(baseUrl, { connections });
  onTestFinished(() => pool.destroy());
  return pool;
}

/** One run; gives its status. */
async function runOnce(pool: Pool, prompt: string): Promise<number> {
  const { statusCode, body } = await pool.request({
    method: "POST",
    path,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input_prompt: prompt, messages: [] }),
  });
  await body.dump();
  return statusCode;
}

/** Makes runs numbered `from` to `to`, so many at once; gives how many did not answer 200. */
async function runMany(pool: Pool, from: number, to: number, atOnce: number): Promise<number> {
  let next = from;
  let failed = 0;
  const queue = async (): Promise<void> => {
    while (next < to) if ((await runOnce(pool, `How far between onion plants, ${next++}?`)) !== 200) failed++;
  };
  await Promise.all(Array.from({ length: atOnce }, queue));
  return failed;
}

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe("a deployment under load", () => {
  test("holds 1,000 connections at once and answers all of them", async () => {
    const { baseUrl, journal } = await serve({ "bots/onions.yaml": "latency: { median_ms: 4000 }\n" });
    const pool = poolOf(baseUrl, 1000);
    const statuses = await Promise.all(Array.from({ length: 1000 }, (_, i) => runOnce(pool, `question ${i}`)));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(journal.maxInFlight).toBe(1000);
  });

  test.each([
    ["without a journal", {}],
    ["with a journal that has seen its entries", { "deployment.yaml": "journal: true\n" }],
  ])("keeps its memory flat over 100,000 runs %s", async (_, files) => {
    const { baseUrl, journal } = await serve({ ...someFiles, ...files });
    const pool = poolOf(baseUrl, 32);
    expect(await runMany(pool, 0, 20_000, 32)).toBe(0);
    const before = heapBytes();
    expect(await runMany(pool, 20_000, 120_000, 32)).toBe(0);
    const grown = heapBytes() - before;
    expect(journal.runs).toBe(120_000);
    // The journal counts every distinct body: some 300 bytes each, and nothing else grows.
    expect(grown).toBeLessThan(journal.enabled ? 60_000_000 : 8_000_000);
  });
});
