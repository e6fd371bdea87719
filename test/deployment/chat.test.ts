import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/client/client.ts";
import type { FaultKind } from "../../src/deployment/faults/fault-rules.ts";
import { storedOutput } from "../../src/api/stored-output.ts";
import { httpRequest } from "../../src/plan/body.ts";
import { get, post, serve, someFiles } from "./served.ts";

const path = "/v1/chat/completions";
const ask = (content: string, more: object = {}): object => ({
  model: "onions",
  messages: [{ role: "user", content }],
  ...more,
});

const completion = z.object({
  id: z.string().regex(/^chatcmpl-[a-z0-9]{12}$/),
  object: z.literal("chat.completion"),
  created: z.number().int(),
  model: z.literal("onions"),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({ role: z.literal("assistant"), content: z.string().nullable(), refusal: z.null() }),
      finish_reason: z.string(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() }),
});

const failure = (type: string, code: string | null): object => ({
  error: { message: expect.any(String) as string, type, param: null, code },
});

test("the bots are the models of the API, for callers with a key", async () => {
  const keys = "keys: [{ key: sk-good, name: good }]\n";
  const { baseUrl } = await serve({ "bots/a.yaml": "", "bots/b.yaml": "", "deployment.yaml": keys });
  const asked = (key: string) => fetch(`${baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  expect(await (await asked("sk-good")).json()).toMatchObject({
    object: "list",
    data: [
      { id: "a", object: "model" },
      { id: "b", object: "model" },
    ],
  });
  const refused = await asked("sk-other");
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: "invalid_api_key" } }]);
});

describe("the chat of a local deployment", () => {
  test("answers as the bot that the model names, with the history, and counts its tokens", async () => {
    const { baseUrl } = await serve(someFiles);
    const asked = await post(baseUrl, path, ask("How far between onion plants?"));
    const { choices, usage, created } = completion.parse(asked.json);
    expect(choices[0]?.message.content).toContain("10 cm");
    expect(choices[0]?.finish_reason).toBe("stop");
    const length = (choices[0]?.message.content ?? "").length;
    expect(usage).toEqual({
      prompt_tokens: 8,
      completion_tokens: Math.ceil(length / 4),
      total_tokens: 8 + Math.ceil(length / 4),
    });
    expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60);
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "How far between onion plants?" },
      { role: "assistant", content: "10 cm." },
      { role: "user", content: [{ type: "text", text: "And in a row?" }] },
    ];
    const again = completion.parse((await post(baseUrl, path, { model: "onions", messages })).json);
    expect(again.choices[0]?.message.content).toContain("10 cm");
  });

  test("cuts what is longer than max_tokens", async () => {
    const { baseUrl } = await serve(someFiles);
    const { choices, usage } = completion.parse(
      (await post(baseUrl, path, ask("How far between onion plants?", { max_tokens: 2 }))).json,
    );
    expect(choices[0]).toMatchObject({ finish_reason: "length" });
    expect(choices[0]?.message.content).toHaveLength(8);
    expect(usage.completion_tokens).toBe(2);
  });

  test("streams the same reply to whoever asks for a stream", async () => {
    const { baseUrl } = await serve(someFiles);
    const question = "How far between onion plants?";
    const { choices } = completion.parse((await post(baseUrl, path, ask(question))).json);
    const streamed = await post(baseUrl, path, ask(question, { stream: true }));
    expect(streamed.headers.get("content-type")).toBe("text/event-stream");
    expect(streamed.text.trimEnd().endsWith("data: [DONE]")).toBe(true);
    const output = storedOutput("chat-completions", streamed.text);
    expect(output).toMatchObject({ model: "onions", usage: { prompt_tokens: 8 } });
    expect(output?.["choices"]).toMatchObject([
      { message: { content: choices[0]?.message.content }, finish_reason: "stop" },
    ]);
  });

  test("refuses what it cannot answer in the shapes of that API", async () => {
    const { baseUrl } = await serve({
      ...someFiles,
      "deployment.yaml":
        "keys:\n  - { key: sk-rich-1234, name: rich }\n  - { key: sk-poor-1234, name: poor, credits: 0 }\n",
    });
    const rich = { authorization: "Bearer sk-rich-1234" };
    const said = async (body: unknown, headers: Record<string, string> = rich): Promise<[number, unknown]> => {
      const { status, json } = await post(baseUrl, path, body, headers);
      return [status, json];
    };
    expect(await said(ask("Hi"), {})).toEqual([401, failure("invalid_request_error", "invalid_api_key")]);
    expect(await said(ask("Hi"), { authorization: "Bearer sk-nobody" })).toEqual([
      401,
      failure("invalid_request_error", "invalid_api_key"),
    ]);
    expect(await said(ask("Hi", { model: "leeks" }))).toEqual([
      404,
      failure("invalid_request_error", "model_not_found"),
    ]);
    expect(await said(ask("Hi"), { authorization: "Bearer sk-poor-1234" })).toEqual([
      429,
      failure("insufficient_quota", "insufficient_quota"),
    ]);
    expect(await said('{"model": ')).toEqual([400, failure("invalid_request_error", null)]);
    expect((await said({ model: "onions", messages: [] }))[0]).toBe(400);
    expect((await get(baseUrl, path)).status).toBe(405);
  });

  test.each<[FaultKind, string]>([
    ["401", "auth"],
    ["402", "credits"],
    ["402-run", "credits"],
    ["404", "target"],
    ["422", "rejected"],
    ["429-requests", "throttled"],
    ["500-run", "ambiguous"],
    ["500", "ambiguous"],
    ["502", "ambiguous"],
    ["503", "throttled"],
    ["login-page", "not-the-api"],
    ["truncated-json", "ambiguous"],
    ["reset-after-headers", "ambiguous"],
    ["slow-drip", "ok"],
    ["huge-body", "ok"],
    ["no-id", "ok"],
  ])("has the fault %s, which a client takes for %s", async (kind, outcome) => {
    const { baseUrl, faults, journal } = await serve(someFiles, { journal: true });
    faults.set([{ kind, delay_ms: 20, megabytes: 1, endpoint: "video-bots", example_id: "onions" }]);
    const client = createClient({ baseUrl, key: "sk-any-1234", connections: 1 });
    const made = httpRequest({ endpoint: "chat-completions", exampleId: "onions", body: {} }, { input_prompt: "Hi" });
    const got = await client.attempt({ ...made, endpoint: "chat-completions", timeoutMs: 10_000 });
    await client.close();
    expect(got.kind).toBe(outcome);
    expect(journal.entries()).toMatchObject([
      { endpoint: "video-bots", exampleId: "onions", fault: kind === "no-id" ? null : kind },
    ]);
  });
});
