import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/client/client.ts";
import type { FaultKind, FaultRuleInput } from "../../src/deployment/faults/fault-rules.ts";
import { type Got, post, serve, someFiles } from "./served.ts";

const folder = new URL("../fixtures/responses/", import.meta.url);
const path = "/v2/video-bots?example_id=onions";
const question = { input_prompt: "How far between onion plants?", messages: [] };

async function answered(
  faults: FaultRuleInput[],
  body: unknown = question,
  deployment = "",
  query = path,
): Promise<Got> {
  const running = await serve({ ...someFiles, "deployment.yaml": deployment });
  running.faults.set(faults);
  return post(running.baseUrl, query, body);
}

/** The same value with every text, number and id replaced by the name of its type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

function fixture(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}

describe("an error has the shape of the observed one", () => {
  const keys = "keys: [{ key: sk-a, name: a }]\n";
  test.each<[string, number, () => Promise<Got>]>([
    ["12-error-401-auth.json", 401, () => answered([], question, keys)],
    ["13-error-403-bad-key.json", 403, () => answered([{ kind: "403" }])],
    ["14-error-402-run-record.json", 402, () => answered([{ kind: "402-run" }])],
    ["15-error-402-generic.json", 402, () => answered([{ kind: "402" }])],
    ["16-error-422-missing-body.json", 422, () => answered([], "")],
    ["17-error-422-wrong-type.json", 422, () => answered([], { input_prompt: 42, messages: "none" })],
    ["18-error-422-bad-json.json", 422, () => answered([], '{"a":1 "b":2}')],
    ["19-error-404-example.json", 404, () => answered([], question, "", "/v2/functions?example_id=nobody")],
    ["20-error-429-requests.json", 429, () => answered([{ kind: "429-requests" }])],
    ["21-error-429-concurrency.json", 429, () => answered([{ kind: "429-concurrency" }])],
    ["22-error-500-run.json", 500, () => answered([{ kind: "500-run" }])],
    ["24-error-500-unhandled.json", 500, () => answered([{ kind: "500" }])],
    ["25-error-401-inside-run.json", 401, () => answered([{ kind: "401-run" }])],
  ])("%s", async (file, status, answer) => {
    const got = await answer();
    expect(got.status).toBe(status);
    expect(got.headers.get("content-type")).toBe("application/json");
    expect(shapeOf(got.json)).toEqual(shapeOf(fixture(file)));
  });

  test.each<[string, FaultKind]>([
    ["26-proxy-502.html.txt", "502"],
    ["27-proxy-200-login-page.html.txt", "login-page"],
  ])("%s", async (file, kind) => {
    const { text } = await answered([{ kind }]);
    expect(text.trim()).toBe(readFileSync(new URL(file, folder), "utf8").trim());
  });
});

test("a function's record has the shape of the observed one", async () => {
  const { baseUrl } = await serve(someFiles);
  const got = await post(baseUrl, "/v2/functions?example_id=fails", {});
  const { id, url, created_at, output } = z
    .looseObject({ output: z.looseObject({}) })
    .parse(fixture("08-functions-thrown-error.json"));
  expect(Object.keys(z.looseObject({}).parse(got.json))).toEqual(Object.keys({ id, url, created_at, output }));
  expect(got.json).toMatchObject({ output: { return_value: null, error: expect.any(String), logs: [] } });
});

describe("the client makes of each fault what the contract says", () => {
  test.each<[FaultKind, string, boolean]>([
    ["401", "auth", false],
    ["401-run", "run-failed", false],
    ["402", "credits", false],
    ["402-run", "credits", false],
    ["403", "auth", false],
    ["404", "target", false],
    ["422", "rejected", false],
    ["429-requests", "throttled", false],
    ["429-concurrency", "throttled", false],
    ["503", "throttled", false],
    ["500-run", "run-failed", false],
    ["500", "ambiguous", true],
    ["502", "ambiguous", true],
    ["504", "ambiguous", true],
    ["login-page", "not-the-api", false],
    ["truncated-json", "ambiguous", true],
    ["reset-before-headers", "ambiguous", true],
    ["reset-after-headers", "ambiguous", true],
    ["hang", "ambiguous", true],
    ["delay", "ok", false],
    ["slow-drip", "ok", false],
    ["huge-body", "ok", false],
    ["13-members", "ok", false],
    ["no-id", "ok", false],
    ["wide-output", "ok", false],
  ])("%s is %s", async (kind, outcome, possiblyPaid) => {
    const { baseUrl, faults, journal } = await serve(someFiles, { journal: true });
    faults.set([{ kind, delay_ms: 20, megabytes: 2 }]);
    const client = createClient({ baseUrl, key: "sk-any", connections: 1 });
    onTestFinished(() => {
      client.abortAll();
    });
    const timeoutMs = kind === "hang" ? 200 : 10_000;
    const body = JSON.stringify(question);
    const got = await client.attempt({ endpoint: "video-bots", method: "POST", path, body, timeoutMs });
    expect(got).toMatchObject({ kind: outcome, possiblyPaid });
    const [entry] = journal.entries();
    const made = entry?.runId ?? null;
    expect(got.record === null || got.record.id === made).toBe(true);
    expect(outcome === "ok" && made === null).toBe(false);
  });
});
