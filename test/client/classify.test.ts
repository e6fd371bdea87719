import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpointNames } from "../../src/api/endpoint-name.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import { classify, classifyCut } from "../../src/client/classify.ts";
import type { Classified, SentRequest, ResponseHeaders } from "../../src/client/verdict.ts";
import { outcomeKinds } from "../../src/api/outcomes.ts";
import { createRedactor } from "../../src/client/redact.ts";
import { smallRecord } from "./server.ts";
import { often } from "../often.ts";

const key = "sk-9f8e7d6c5b4a";

const question: SentRequest = {
  endpoint: "video-bots",
  call: endpointOf("video-bots").call,
  where: "POST https://bots.example.test/v2/video-bots",
  proxy: null,
  redactor: createRedactor(key),
  receivedAt: Date.UTC(2026, 7, 21),
};

function judge(status: number, body: string | Buffer, headers: ResponseHeaders = {}) {
  return classify({ status, headers, body: Buffer.from(body) }, question);
}

function cut(status: number, body: string, tooLarge = false) {
  return classifyCut(
    { status, headers: {}, body: Buffer.from(body) },
    { why: "the connection was reset", tooLarge, byUs: tooLarge },
    question,
  );
}

const ran = '{"detail":{"id":"abcdefabcdef","url":"https://h/?run_id=abcdefabcdef","error":"no"}}';

test("a date to come back at counts from the date of the answer, whatever our own clock says", () => {
  const headers = { "retry-after": "Mon, 02 Mar 2020 10:00:30 GMT", date: "Mon, 02 Mar 2020 10:00:00 GMT" };
  expect(judge(429, "{}", headers).retryAfterMs).toBe(30_000);
  const ours = { "retry-after": new Date(question.receivedAt + 7_000).toUTCString() };
  expect(judge(429, "{}", ours).retryAfterMs).toBe(7_000);
});

describe("the table of outcomes", () => {
  test.each<[number, string, ResponseHeaders, string]>([
    [401, "{}", {}, "auth"],
    [403, "", {}, "auth"],
    [403, ran, {}, "run-failed"],
    [402, ran, {}, "credits"],
    [404, ran, {}, "target"],
    [405, '{"detail":"Method Not Allowed"}', {}, "rejected"],
    [408, "", {}, "ambiguous"],
    [408, ran, {}, "run-failed"],
    [425, "", {}, "ambiguous"],
    [422, ran, {}, "run-failed"],
    [429, ran, {}, "throttled"],
    [429, "<html>", {}, "throttled"],
    [503, "<html>", {}, "ambiguous"],
    [503, "<html>", { "retry-after": "5" }, "throttled"],
    [503, ran, { "retry-after": "soon" }, "throttled"],
    [503, ran, {}, "run-failed"],
    [500, '{"detail":{"id":"","error":"no"}}', {}, "ambiguous"],
    [500, '{"detail":{"id":7,"error":"no"}}', {}, "ambiguous"],
    [599, "", {}, "ambiguous"],
    [300, "", {}, "not-the-api"],
    [302, ran, { location: "https://login.example.test/" }, "not-the-api"],
    [200, "[1]", {}, "not-the-api"],
    [200, '"OK"', {}, "not-the-api"],
    [200, "null", {}, "not-the-api"],
    [200, "OK", {}, "not-the-api"],
    [200, '{"balance":3}', {}, "not-the-api"],
    [200, '{"id":"a","output":null}', {}, "not-the-api"],
    [200, '{"id":"a","output":[]}', {}, "not-the-api"],
    [204, "", {}, "not-the-api"],
    [200, "", { "content-type": "application/json" }, "ambiguous"],
    [200, ' \uFEFF{"id":', {}, "ambiguous"],
    [200, '{"output":{}}', {}, "ok"],
    [201, `\uFEFF${smallRecord}`, { "content-type": "text/plain" }, "ok"],
  ])("HTTP %i with %j and %j is %s", (status, body, headers, kind) => {
    expect(judge(status, body, headers).kind).toBe(kind);
  });

  test("an id of the wrong type does not make a record another thing", () => {
    const { kind, record } = judge(200, '{"id":7,"url":null,"created_at":false,"output":{}}');
    expect(kind).toBe("ok");
    expect(record).toMatchObject({ id: null, url: null, createdAt: null });
  });

  test("an id that only the url has does not change the kind, and is kept", () => {
    const outcome = judge(500, '{"detail":{"url":"https://h/agent/?run_id=abcdefabcdef&uid=U","error":"no"}}');
    expect(outcome.kind).toBe("ambiguous");
    expect(outcome.record?.id).toBe("abcdefabcdef");
  });

  test("an error that is not text is kept as JSON text", () => {
    expect(judge(500, '{"detail":{"id":"a","error":{"code":[3]}}}').error).toBe('{"code":[3]}');
    expect(judge(500, '{"detail":{"id":"a","error":""}}').error).toBe("");
    expect(judge(500, '{"detail":{"id":"a"}}').error).toBe("HTTP 500");
  });

  test("the text of a failed run is kept whole, however long", () => {
    const text = "ई".repeat(5000);
    expect(judge(500, JSON.stringify({ detail: { id: "a", error: text } })).error).toBe(text);
  });

  test("a limit is read from a 429 only", () => {
    const body = '{"detail":{"error":"Limit: 3 requests in 1m."}}';
    expect(judge(429, body).limit).toEqual({ kind: "requests", count: 3, windowMs: 60_000 });
    expect(judge(503, body, { "retry-after": "1" }).limit).toBeNull();
    expect(judge(422, body).limit).toBeNull();
  });

  test("a redirect shows where it leads and what to check", () => {
    const { error } = judge(307, "", { location: ["https://login.example.test/?next=x"] });
    expect(error).toContain("Location https://login.example.test/?next=x");
    expect(error).toContain("base_url");
  });

  test("the first bytes of a body end with a whole character", () => {
    const start = judge(502, `x${"ሰላም👩🏽‍🌾".repeat(200)}`).bodyStart ?? "";
    expect(Buffer.byteLength(start)).toBeLessThanOrEqual(1000);
    expect(start).not.toContain("\uFFFD");
  });

  test("bytes that are not UTF-8 are named and kept", () => {
    const body = Buffer.concat([
      Buffer.from('{"output":{"output_text":["'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"]}}'),
    ]);
    const outcome = judge(200, body);
    expect([outcome.kind, outcome.possiblyPaid]).toEqual(["run-failed", true]);
    expect(outcome.error).toContain("its bytes are not UTF-8");
    expect(outcome.record?.body?.equals(body)).toBe(true);
  });

  test("JSON nested without end is no crash", () => {
    expect(judge(200, `{"output":${"[".repeat(100_000)}`).kind).toBe("ambiguous");
    expect(judge(200, `{"output":{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`).kind).toBe("ok");
    const nested = `${'[{"a":'.repeat(50_000)}1${"}]".repeat(50_000)}`;
    expect(judge(200, `{"output":{"output_text":${nested}}}`)).toMatchObject({ kind: "ok", answer: "answered" });
    expect(judge(500, `{"detail":{"id":"abcdefabcdef","error":${nested}}}`).kind).toBe("run-failed");
    expect(judge(200, `{"\\u0061":1,"output":{"x":${nested}}}`).kind).toBe("ok");
  });
});

describe("an answer of which a part is missing", () => {
  test.each<[number, string, boolean, string]>([
    [200, '{"id":"abcdefabcdef","out', false, "ambiguous"],
    [200, "<html>", false, "ambiguous"],
    [200, "", false, "ambiguous"],
    [200, "<html>", true, "not-the-api"],
    [200, '{"output":', true, "ambiguous"],
    [429, '{"detail', false, "throttled"],
    [404, "", false, "target"],
    [402, "", false, "credits"],
    [401, '{"detail":{"i', false, "ambiguous"],
    [422, '{"detail":[', false, "ambiguous"],
    [500, '{"detail":{"id":"abcdefabcdef","err', false, "ambiguous"],
    [301, "", false, "not-the-api"],
  ])("HTTP %i with %j (too large: %j) is %s", (status, body, tooLarge, kind) => {
    expect(cut(status, body, tooLarge).kind).toBe(kind);
  });

  test("an id in the output is not taken for that of the run", () => {
    const body = '{"output":{"reply_buttons":[{"id":"zzzzzzzzzzzz","title":"x"}],"output_text":["';
    expect(cut(200, body).record).toBeNull();
  });

  test("half an id is no id", () => {
    expect(cut(200, '{"id":"abcdef').record).toBeNull();
    expect(cut(200, '{"url":"https://h/?run_id=abcdefabcdefa').record).toBeNull();
  });
});

describe("an echoed key", () => {
  const where = (outcome: ReturnType<typeof judge>) =>
    JSON.stringify(outcome) + (outcome.record?.body?.toString() ?? "") + String(outcome.bodyStart);

  test.each<[string, ReturnType<typeof judge>]>([
    ["a record", judge(200, `{"id":"a","output":{"output_text":["your key is ${key}, ${key}"]}}`)],
    ["the error of a run", judge(500, `{"detail":{"id":"a","error":"bad ${key}"}}`)],
    [
      "the error of a run, spelled with escapes",
      judge(500, `{"detail":{"id":"a","error":"bad \\u0073${key.slice(1)}"}}`),
    ],
    ["a record, spelled with escapes", judge(200, `{"output":{"output_text":["\\u0073${key.slice(1)}"]}}`)],
    ["the url of a run", judge(500, `{"detail":{"id":"a","url":"https://h/?k=${key}","error":"x"}}`)],
    ["an auth error", judge(401, `{"detail":{"error":"unknown key ${key}"}}`)],
    ["the first bytes of a page", judge(502, `<html>${key}</html>`)],
    ["a Location", judge(302, "", { location: `https://login.example.test/?key=${key}` })],
    ["a validation error", judge(422, `{"detail":[{"type":"t","loc":["${key}"],"msg":"m ${key}"}]}`)],
    ["a content type", judge(200, "x", { "content-type": `text/${key}` })],
  ])("in %s is replaced and flagged", (_place, outcome) => {
    expect(outcome.redacted).toBe(true);
    expect(where(outcome)).toContain("[redacted]");
    expect(where(outcome)).not.toContain(key);
  });

  test("at the end of an answer that breaks off is replaced too", () => {
    const body = Buffer.from(`{"id":"abcdefabcdef","output":{"output_text":["${key.slice(0, -1)}`);
    const outcome = classifyCut(
      { status: 200, headers: {}, body },
      { why: "reset", tooLarge: false, byUs: false },
      question,
    );
    expect(outcome.bodyStart).not.toContain(key.slice(0, 6));
    expect(outcome.redacted).toBe(true);
  });
});

test("any status, headers and body have exactly one outcome, whole in itself, and no key", () => {
  const marks = ["{", "}", "[", ":", ",", "<html>", "\uFEFF", "null", "👩🏽‍🌾", key, "Limit: 4 concurrent runs in 30m."];
  const members = ['"id"', '"output"', '"abcdefabcdef"', '"detail"', '"error"', '"return_value"', '"url"'];
  const word = fc.constantFrom(...marks, ...members, '"https://h/?run_id=abcdefabcdef"');
  const soup = fc.array(word, { maxLength: 24 }).map((words) => Buffer.from(words.join("")));
  const json = fc.jsonValue().map((value) => Buffer.from(JSON.stringify({ detail: value, output: value })));
  const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
  const headers = fc.dictionary(
    fc.constantFrom("retry-after", "location", "content-type", "x-other"),
    fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(`https://h/${key}`)),
    { noNullPrototype: true },
  );
  const status = fc.oneof(fc.integer({ min: 200, max: 999 }), fc.constantFrom(200, 401, 402, 404, 429, 500, 503));
  fc.assert(
    fc.property(
      status,
      headers,
      fc.oneof(soup, json, bytes),
      fc.constantFrom(...endpointNames),
      fc.boolean(),
      (code, head, body, endpoint, isCut) => {
        const answer = { status: code, headers: head, body };
        const asked = { ...question, endpoint };
        const verdict = isCut
          ? classifyCut(answer, { why: "cut", tooLarge: false, byUs: false }, asked)
          : classify(answer, asked);
        expect(outcomeKinds).toContain(verdict.kind);
        expect(verdict.kind === "ok").toBe(verdict.error === null);
        expect(verdict.kind === "ok").toBe(verdict.answer !== null);
        expect(verdict.possiblyPaid).toBe(verdict.kind === "ambiguous");
        expect(verdict.status).toBe(code);
        const isRecord = verdict.kind === "ok" || verdict.kind === "run-failed";
        expect(verdict.record?.body instanceof Buffer || !isRecord).toBe(true);
        expect(JSON.stringify(verdict) + String(verdict.record?.body ?? "")).not.toContain(key);
      },
    ),
    { numRuns: often(400, 2000) },
  );
});

describe("a key that comes back", () => {
  // Made of parts, so that nothing which looks for keys in files takes it for one.
  const long = ["sk-", "0123456789", "abcdefghijklmnopqrstuvwxyz", "0123456789"].join("");
  const asked: SentRequest = { ...question, redactor: createRedactor(long) };
  /** Every text of 11 characters of the key. */
  const pieces = Array.from({ length: long.length - 10 }, (_, i) => long.slice(i, i + 11).toLowerCase());
  const leaks = (outcomes: readonly Classified[]): string[] => {
    const bodies = outcomes.map(({ record }) => record?.body?.toString("latin1"));
    const text = JSON.stringify([
      bodies,
      outcomes.map((each) => ({ ...each, record: { ...each.record, body: null } })),
    ]);
    const lower = text.toLowerCase();
    return pieces.filter((piece) => lower.includes(piece));
  };

  test("leaves no eight characters of itself in errors, headers and beginnings of bodies, from whatever part of it", () => {
    const parts = Array.from({ length: long.length - 7 }, (_, i) => long.slice(i, i + 8));
    let tried = 0;
    for (const part of parts) {
      const headers = { location: `https://h/?k=${part}`, server: part, "content-type": `text/${part}` };
      const bodies = [
        part,
        `{"detail":{"error":"bad ${part}"}}`,
        `{"detail":[{"type":"t","loc":["${part}"],"msg":"m"}]}`,
      ];
      for (const body of bodies) {
        for (const status of [200, 302, 401, 422, 500, 502]) {
          const answer = { status, headers, body: Buffer.from(body) };
          for (const verdict of [
            classify(answer, asked),
            classifyCut(answer, { why: part, tooLarge: false, byUs: false }, asked),
          ]) {
            expect(JSON.stringify(verdict)).not.toContain(part);
            tried++;
          }
        }
      }
      const failed = classify(
        { status: 500, headers: {}, body: Buffer.from(`{"detail":{"id":"abcdefabcdef","error":"bad ${part}"}}`) },
        asked,
      );
      expect([failed.kind, failed.error]).toEqual(["run-failed", "bad [redacted]"]);
    }
    expect(tried).toBe(parts.length * 36);
  });

  test("leaves no eleven characters of itself wherever it lies, and wherever a text is cut", () => {
    let tried = 0;
    for (const at of often([0, 285, 450, 480, 975], [0, 180, 250, 285, 300, 450, 480, 495, 975, 995])) {
      const text = "x".repeat(at) + long;
      const headers = {
        location: `https://h/?${text}`,
        server: text,
        via: text,
        date: text,
        "content-type": text,
        "retry-after": text,
        "x-request-id": text,
        [`x-ratelimit-${text.slice(-60).toLowerCase()}`]: text,
      };
      const bodies = [
        text,
        `{"detail":"${text}"}`,
        `{"detail":{"error":"${text}"}}`,
        `{"detail":{"id":"${long}","url":"https://h/${text}","created_at":"${long}","error":"${text}"}}`,
        `{"id":"abcdefabcdef","created_at":"${long}","x":"${text}`,
        `{"id":"abcdefabcdef","created_at":"\\u0073${long.slice(1)}","x":"${text.replaceAll("s", "\\u0073")}`,
        `{"output":{"output_text":["${text.replaceAll("k", "\\u006B")}"]}}`,
        `<html>${text}`,
      ];
      for (const status of [200, 302, 400, 401, 402, 404, 422, 429, 500, 503]) {
        for (const body of bodies) {
          for (const cutAt of [body.length, body.length - 1, body.length - 20]) {
            const answer = { status, headers, body: Buffer.from(body.slice(0, cutAt)) };
            tried += 2;
            const leaked = leaks([
              classify(answer, asked),
              classifyCut(answer, { why: "it was reset", tooLarge: false, byUs: false }, asked),
            ]);
            if (leaked.length > 0) expect(leaked, `${status} ${body} ${cutAt}`).toEqual([]);
          }
        }
      }
    }
    expect(tried).toBe(often(2_400, 4_800));
  });
});
