import { describe, expect, test } from "vitest";
import type { EndpointName } from "../../src/api/endpoint-name.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import { storedOutput } from "../../src/api/stored-output.ts";
import { classify } from "../../src/client/classify.ts";
import { createRedactor } from "../../src/client/redact.ts";
import type { Classified } from "../../src/client/verdict.ts";

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_796_000_000, model: "m" };

/** The text of a stream as OpenAI sends it: a chunk for each delta. */
function stream(deltas: readonly object[], { finish = "stop", end = true, line = "\n" } = {}): string {
  const chunks = deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }));
  const last = finish === "" ? [] : [{ ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }] }];
  const usage = { ...head, choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };
  const data = [...chunks, ...last, usage].map((chunk) => JSON.stringify(chunk));
  return [...data, ...(end ? ["[DONE]"] : [])].map((each) => `data: ${each}${line}${line}`).join("");
}

function judged(endpoint: EndpointName, text: string): Classified {
  const { call } = endpointOf(endpoint);
  const headers = { "content-type": "text/event-stream" };
  const question = {
    endpoint,
    call,
    where: "POST http://x",
    proxy: null,
    redactor: createRedactor(null),
    receivedAt: 0,
  };
  return classify({ status: 200, headers, body: Buffer.from(text) }, question);
}

function said(endpoint: EndpointName, text: string): string | null {
  const output = storedOutput(endpoint, text);
  return output === null ? null : endpointOf(endpoint).textOf(output);
}

const chat: EndpointName = "chat-completions";

describe("a chat that streams", () => {
  test("is one record: its pieces joined, with the id, the time and the usage", () => {
    const text = stream([{ role: "assistant", content: "" }, { content: "नम" }, { content: "स्ते" }, { content: " 👋" }]);
    expect(judged(chat, text)).toMatchObject({
      kind: "ok",
      answer: "answered",
      record: { id: "chatcmpl-1", url: null, createdAt: "2026-11-30T00:53:20.000Z" },
    });
    expect(judged(chat, text).record?.body?.toString()).toBe(text);
    expect(said(chat, text)).toBe("नमस्ते 👋");
    expect(storedOutput(chat, text)).toMatchObject({ usage: { total_tokens: 5 }, model: "m" });
  });

  test("is read with any line ends, with comments, and without the blank line at the end", () => {
    for (const line of ["\n", "\r\n", "\r"])
      expect(said(chat, stream([{ content: "a" }, { content: "b" }], { line }))).toBe("ab");
    expect(said(chat, `: waiting\n\n${stream([{ content: "a" }]).trimEnd()}`)).toBe("a");
  });

  test("joins refusals, and tool calls by their place", () => {
    const call = (index: number, more: object): object => ({ tool_calls: [{ index, ...more }] });
    const text = stream(
      [
        { role: "assistant", content: null },
        call(0, { id: "c0", type: "function", function: { name: "weather", arguments: "" } }),
        call(1, { id: "c1", type: "function", function: { name: "time", arguments: "{}" } }),
        call(0, { function: { arguments: '{"in":' } }),
        call(0, { function: { arguments: '"Addis"}' } }),
      ],
      { finish: "tool_calls" },
    );
    expect(judged(chat, text)).toMatchObject({ kind: "ok", answer: "tool-calls" });
    expect(JSON.parse(said(chat, text) ?? "")).toEqual([
      { name: "weather", arguments: '{"in":"Addis"}' },
      { name: "time", arguments: "{}" },
    ]);
    const refusal = stream([{ refusal: "I " }, { refusal: "cannot." }]);
    expect([judged(chat, refusal).answer, said(chat, refusal)]).toEqual(["refusal", "I cannot."]);
    expect(judged(chat, stream([{ content: "It is lo" }], { finish: "length" })).answer).toBe("truncated");
  });

  test("that breaks off may have been paid, and one that tells an error is a failed run", () => {
    const whole = stream([{ content: "a" }, { content: "b" }]);
    const open = stream([{ content: "a" }], { finish: "", end: false });
    for (const text of [open, whole.slice(0, 150), whole.slice(0, 260)]) {
      expect(judged(chat, text)).toMatchObject({ kind: "ambiguous", possiblyPaid: true });
      expect(judged(chat, text).error).toContain("the stream breaks off");
    }
    const failed = `${stream([{ content: "" }], { finish: "", end: false })}data: {"error":{"message":"overloaded","code":"server_error"}}\n\n`;
    expect(judged(chat, failed)).toMatchObject({ kind: "run-failed", error: "overloaded (server_error)" });
    const halfway = `${open}data: {"error":{"message":"overloaded","code":"server_error"}}\n\ndata: [DONE]\n\n`;
    expect(judged(chat, halfway)).toMatchObject({ kind: "run-failed", error: "overloaded (server_error)" });
    expect(judged(chat, halfway).record?.body?.toString()).toBe(halfway);
    const chunk = '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],"error":';
    for (const none of ["null", '""', "{}"])
      expect(judged(chat, `data: ${chunk}${none}}\n\n`)).toMatchObject({ kind: "ambiguous" });
  });

  test("is a failed run where a reply tells an error in any form, and answered where its error says nothing", () => {
    expect(judged(chat, '{"error":"out of memory"}')).toMatchObject({ kind: "run-failed", error: "out of memory" });
    expect(judged(chat, '{"error":{"reason":7}}')).toMatchObject({ kind: "run-failed", error: '{"reason":7}' });
    const choices = '"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]';
    for (const none of ["null", '""', "{}"])
      expect(judged(chat, `{${choices},"error":${none}}`)).toMatchObject({ kind: "ok", answer: "answered" });
    expect(judged(chat, '{"error":null}')).toMatchObject({ kind: "not-the-api" });
    expect(judged(chat, '{"error":{"message":"upstream","code":"502"}}')).toMatchObject({ kind: "run-failed" });
    expect(judged(chat, "hello")).toMatchObject({ kind: "not-the-api" });
  });
});

describe("a described endpoint that streams", () => {
  const ours: EndpointName = 'http {"answer":"$.token","error":"$.oops","id":"$.run","path":"/s","stream":true}';
  const events = ['{"run":"r1"}', '{"token":"ሰ"}', '{"token":"ላም"}', "[DONE]"];
  const text = events.map((data, i) => `event: e${i}\nid: ${i}\ndata: ${data}\n\n`).join("");

  test("is joined from where each event has its part", () => {
    expect(judged(ours, text)).toMatchObject({ kind: "ok", answer: "answered", record: { id: "r1" } });
    expect(said(ours, text)).toBe("ሰላም");
  });

  test("breaks off where its last event is half a JSON text, but not with a word that ends it", () => {
    const begun = 'data: {"token":"ሰ"}\n\n';
    for (const half of ['{"token":"ላ', '{"tok', '["a', '"a']) {
      const outcome = judged(ours, `${begun}data: ${half}`);
      expect(outcome).toMatchObject({ kind: "ambiguous", possiblyPaid: true });
      expect(outcome.error).toContain("the stream breaks off");
    }
    for (const end of ["[DONE]", "[END]", "done", '"{ was said"', "[]"])
      expect(judged(ours, `${begun}data: ${end}`)).toMatchObject({ kind: "ok", answer: "answered" });
  });

  test("is joined as text where the data are texts", () => {
    const plain: EndpointName = 'http {"path":"/s","stream":true}';
    expect(said(plain, "data: one\n\ndata:  two\n\ndata: three\ndata: four\n\n")).toBe("one twothree\nfour");
  });

  test("tells an error, or nothing at all", () => {
    expect(judged(ours, 'data: {"oops":"no model"}\n\n')).toMatchObject({ kind: "run-failed", error: "no model" });
    expect(judged(ours, 'data: {"other":1}\n\n')).toMatchObject({ kind: "ok", answer: "empty" });
    expect(endpointOf(ours).call.lacksAnswer({ $answer: null })).toContain("$.token finds nothing");
    // Many tell an error as JSON, without a stream.
    expect(judged(ours, '{"oops":"busy"}')).toMatchObject({ kind: "run-failed", error: "busy" });
  });
});
