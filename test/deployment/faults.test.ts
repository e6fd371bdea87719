import { connect } from "node:net";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import type { FaultRuleInput } from "../../src/deployment/faults/fault-rules.ts";
import { Faults } from "../../src/deployment/faults/faults.ts";
import type { RunningDeployment } from "../../src/deployment/deployment.ts";
import { type Got, get, post, serve, someFiles, sorted } from "./served.ts";

const run = "/v2/video-bots?example_id=onions";
const ask = (prompt: string): object => ({ input_prompt: prompt, messages: [] });

async function faulty(...rules: FaultRuleInput[]): Promise<RunningDeployment> {
  const running = await serve(someFiles, { journal: true });
  running.faults.set(rules);
  return running;
}

async function answerOf(rule: FaultRuleInput): Promise<{ got: Got; running: RunningDeployment }> {
  const running = await faulty(rule);
  return { got: await post(running.baseUrl, run, ask("How far apart?")), running };
}

/** Bytes that a bare socket receives for one POST, and the way the connection ended. */
function rawPost(baseUrl: string): Promise<{ received: string; ended: string }> {
  const { hostname, port } = new URL(baseUrl);
  const body = JSON.stringify(ask("x"));
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("error", (error: NodeJS.ErrnoException) => resolve({ received, ended: error.code ?? "" }));
    socket.on("end", () => resolve({ received, ended: "end" }));
    socket.write(
      `POST ${run} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

describe("a fault instead of a run", () => {
  test.each([
    ["401", 401, { detail: { error: expect.stringContaining("Invalid Authorization header.") } }],
    ["402", 402, { detail: { error: "Payment required" } }],
    ["403", 403, { detail: { error: "Invalid API Key." } }],
    ["404", 404, { detail: "Not Found" }],
    ["422", 422, { detail: [expect.objectContaining({ loc: ["body"] })] }],
    ["429-requests", 429, { detail: { error: expect.stringContaining("Limit: 10 requests in 1m.") } }],
    ["429-concurrency", 429, { detail: { error: expect.stringContaining("Limit: 4 concurrent runs in 30m.") } }],
  ] as const)("%s answers as the service does, and no run is made", async (kind, status, body) => {
    const { got, running } = await answerOf({ kind, retry_after_ms: 250 });
    expect([got.status, got.json]).toEqual([status, body]);
    expect(Number(got.headers.get("retry-after"))).toBeCloseTo(status === 429 ? 0.25 : 0, 6);
    expect(running.journal).toMatchObject({ received: 1, runs: 0 });
    expect(running.journal.entries()).toMatchObject([{ fault: kind, status, runId: null }]);
  });

  test("can be the page of a login with status 200, or of a proxy that asks to wait", async () => {
    const login = await answerOf({ kind: "login-page" });
    expect(login.got.status).toBe(200);
    expect(login.got.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(login.got.text).toMatch(/^<!doctype html>/);
    const busy = await answerOf({ kind: "503", retry_after_ms: 1500 });
    expect([busy.got.status, busy.got.headers.get("retry-after")]).toEqual([503, "1.5"]);
    expect(busy.running.journal.runs + login.running.journal.runs).toBe(0);
  });
});

describe("a fault with or after a run", () => {
  test.each([
    ["401-run", 401, "This resource is private."],
    ["402-run", 402, "Insufficient credits"],
    ["500-run", 500, "(HTTP 503) upstream model is overloaded"],
  ] as const)("%s is a failed run with an id and a page", async (kind, status, error) => {
    const { got, running } = await answerOf({ kind });
    expect(got.status).toBe(status);
    expect(got.json).toMatchObject({ detail: { id: expect.any(String), error: expect.stringContaining(error) } });
    const url = /"url":"([^"]+)"/.exec(got.text)?.[1] ?? "";
    expect((await fetch(url)).status).toBe(200);
    expect(running.journal.runs).toBe(1);
  });

  test.each([
    ["502", 502, "text/html"],
    ["504", 504, "text/html"],
    ["500", 500, "application/json"],
  ] as const)("%s hides a run that was made", async (kind, status, type) => {
    const { got, running } = await answerOf({ kind });
    expect([got.status, got.headers.get("content-type")]).toEqual([status, type]);
    expect(got.text).toContain(status === 500 ? `{"detail":"KeyError: 'workflow'",` : "<hr><center>nginx</center>");
    expect(running.journal.entries()).toMatchObject([{ status, runId: expect.any(String) }]);
  });

  test("truncated JSON is a complete answer that breaks off behind the id", async () => {
    const { got, running } = await answerOf({ kind: "truncated-json" });
    expect([got.status, got.json]).toEqual([200, undefined]);
    expect(got.text).toContain(String(running.journal.entries()[0]?.runId));
  });

  test("a reset comes before the first byte, or in the middle of the body", async () => {
    const before = await faulty({ kind: "reset-before-headers" });
    expect(await rawPost(before.baseUrl)).toEqual({ received: "", ended: "ECONNRESET" });
    const after = await faulty({ kind: "reset-after-headers" });
    const { received, ended } = await rawPost(after.baseUrl);
    expect(ended).toBe("ECONNRESET");
    expect(received).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(received).toContain('"id":"');
    expect(received).not.toMatch(/\}\}$/);
    expect(before.journal.runs + after.journal.runs).toBe(2);
    expect(after.journal.entries()).toMatchObject([{ status: null }]);
  });

  test("a slow drip arrives whole, in pieces", async () => {
    const { baseUrl } = await faulty({ kind: "slow-drip", delay_ms: 100 });
    const response = await request(`${baseUrl}${run}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ask("x")),
    });
    let pieces = 0;
    let text = "";
    for await (const piece of response.body) {
      pieces++;
      text += String(piece);
    }
    expect(pieces).toBeGreaterThan(3);
    expect(JSON.parse(text)).toMatchObject({ output: {} });
  });

  test("a huge body has the megabytes that were asked for and is JSON", async () => {
    const { got } = await answerOf({ kind: "huge-body", megabytes: 3 });
    expect(got.text.length).toBeGreaterThan(3_000_000);
    expect(got.json).toMatchObject({ id: expect.any(String), padding: expect.stringMatching(/^x+$/) });
  });

  test("a hang sends nothing; the run was made, and the deployment can still stop", async () => {
    const running = await faulty({ kind: "hang" });
    const patience = new AbortController();
    const outcome = fetch(`${running.baseUrl}${run}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ask("x")),
      signal: patience.signal,
    }).catch((error: unknown) => error);
    await expect.poll(() => running.journal.runs).toBe(1);
    patience.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    const held = rawPost(running.baseUrl);
    await expect.poll(() => running.journal.runs).toBe(2);
    await running.stop(50);
    expect((await held).received).toBe("");
  });

  test("styles of records can be asked for by rule, together", async () => {
    const { baseUrl } = await faulty({ kind: "13-members" }, { kind: "no-id" });
    const got = await post(baseUrl, run, ask("x"));
    expect(got.json).not.toHaveProperty("id");
    expect(got.json).not.toHaveProperty("output.metrics");
    const wide = await answerOf({ kind: "wide-output" });
    expect(wide.got.json).toHaveProperty("output.input_prompt", "How far apart?");
  });

  test("a delay can grow with each request that it delays", () => {
    const faults = new Faults();
    faults.set([{ kind: "delay", delay_ms: 100, grow_ms: 20, every: 2 }]);
    const delay = (): number => faults.plan({ endpoint: "video-bots", exampleId: "a", body: {}, text: "x" }).delayMs;
    expect(Array.from({ length: 6 }, delay)).toEqual([0, 100, 0, 120, 0, 140]);
  });

  test("a delay holds the run's place among those that run at once", async () => {
    const files = {
      ...someFiles,
      "deployment.yaml": "limits: { concurrent: 1 }\nfaults: [{ kind: delay, delay_ms: 300 }]\n",
    };
    const { baseUrl } = await serve(files);
    const got = await Promise.all([post(baseUrl, run, ask("a")), post(baseUrl, run, ask("b"))]);
    expect(sorted(got.map(({ status }) => status))).toEqual([200, 429]);
  });
});

/** The statuses of six equal requests under one rule. */
const statuses = async (rule: Omit<FaultRuleInput, "kind">): Promise<number[]> => {
  const { baseUrl } = await faulty({ kind: "502", ...rule });
  const all: number[] = [];
  for (let i = 0; i < 6; i++) all.push((await post(baseUrl, run, ask("x"))).status);
  return all;
};

/** The prompts that a rate of 20 % fails, for each round over all of them. */
const failing = (seed: number, order: string[], rounds = 1): string[][] => {
  const faults = new Faults();
  faults.set([{ kind: "502", rate: 0.2, seed }]);
  const fails = (text: string): boolean =>
    faults.plan({ endpoint: "video-bots", exampleId: "a", body: {}, text }).fault !== null;
  return Array.from({ length: rounds }, () => order.filter(fails).toSorted());
};

describe("a rule of faults", () => {
  test("goes by the nth, every so manyeth or the first matching requests", async () => {
    expect(await statuses({ nth: 2 })).toEqual([200, 502, 200, 200, 200, 200]);
    expect(await statuses({ every: 3 })).toEqual([200, 200, 502, 200, 200, 502]);
    expect(await statuses({ first: 2 })).toEqual([502, 502, 200, 200, 200, 200]);
  });

  test("goes by text, endpoint and example_id", async () => {
    const { baseUrl } = await faulty(
      { kind: "502", prompt: "प्याज 🧅" },
      { kind: "504", endpoint: "functions" },
      { kind: "500", example_id: "other" },
    );
    expect((await post(baseUrl, run, ask("ताज़ा प्याज 🧅?"))).status).toBe(502);
    expect((await post(baseUrl, run, ask("onion"))).status).toBe(200);
    expect((await post(baseUrl, "/v2/functions?example_id=double", { variables: { n: 1 } })).status).toBe(504);
    expect((await post(baseUrl, "/v2/video-bots?example_id=other", ask("x"))).status).toBe(500);
  });

  test("with a rate fails the same bodies by the same seed in any order, and draws anew for the next attempt", () => {
    const prompts = Array.from({ length: 1000 }, (_, i) => `question ${i}`);
    const [once = [], again = []] = failing(7, prompts, 2);
    expect(once.length).toBeGreaterThan(150);
    expect(once.length).toBeLessThan(250);
    expect(failing(7, prompts.toReversed())[0]).toEqual(once);
    expect(failing(8, prompts)[0]).not.toEqual(once);
    const both = again.filter((prompt) => once.includes(prompt)).length;
    expect(both).toBeLessThan(once.length / 2);
  });

  test("can be switched while it runs, by library and by PUT /faults", async () => {
    const { baseUrl, faults } = await faulty({ kind: "502" });
    expect((await post(baseUrl, run, ask("x"))).status).toBe(502);
    faults.clear();
    expect((await post(baseUrl, run, ask("x"))).status).toBe(200);
    const put = (body: string): Promise<Response> => fetch(`${baseUrl}/faults`, { method: "PUT", body });
    expect((await put('[{"kind":504}]')).status).toBe(200);
    expect((await post(baseUrl, run, ask("x"))).status).toBe(504);
    expect((await get(baseUrl, "/faults")).json).toMatchObject([{ kind: "504" }]);
    const wrong = await put('[{"kind":"meteor"}]');
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toMatch(/rule 1 kind: must be 401, .* got \\"meteor\\"/);
    expect((await put("{")).status).toBe(422);
    expect((await post(baseUrl, run, ask("x"))).status).toBe(504);
  });

  test("that does not fit is refused with what is wrong", async () => {
    const { faults } = await faulty();
    expect(() => faults.set([{ kind: "502", rate: 2 }])).toThrow(/rule 1 rate: must be at most 1, got the number 2/);
    expect(() => faults.set([{ kind: "502", nth: 1, every: 2 }])).toThrow(/at most one/);
  });
});
