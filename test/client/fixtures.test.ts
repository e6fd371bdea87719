import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { serviceEndpoints } from "../../src/api/endpoint-name.ts";
import { botRequest, clientOf, httpServer } from "./server.ts";

const folder = new URL("../fixtures/responses/", import.meta.url);

const indexSchema = z.object({
  fixtures: z.array(
    z.object({
      file: z.string(),
      endpoint: z.enum([...serviceEndpoints, "any"]),
      status: z.number(),
      contentType: z.string(),
      headers: z.record(z.string(), z.string()).default({}),
      outcome: z.string(),
      answer: z.string().optional(),
    }),
  ),
});

const { fixtures } = indexSchema.parse(JSON.parse(readFileSync(new URL("index.json", folder), "utf8")));

const cases = fixtures.flatMap(({ endpoint: only, ...fixture }) =>
  (only === "any" ? serviceEndpoints : [only]).map((endpoint) => Object.assign({ endpoint }, fixture)),
);

async function attempt(fixture: (typeof cases)[number], body: Buffer) {
  await using server = await httpServer((_request, response) => {
    response.writeHead(fixture.status, { "content-type": fixture.contentType, ...fixture.headers });
    response.end(body);
  });
  await using client = clientOf(server.url);
  return await client.attempt(botRequest({ endpoint: fixture.endpoint }));
}

const named = async (start: string) => {
  const fixture = cases.find(({ file }) => file.startsWith(start));
  if (fixture === undefined) throw new Error(`no fixture ${start}`);
  return await attempt(fixture, readFileSync(new URL(fixture.file, folder)));
};

describe("the fixtures of the contract, over a real socket", () => {
  test.each(cases)("$file for $endpoint is $outcome $answer", async (fixture) => {
    const body = readFileSync(new URL(fixture.file, folder));
    const outcome = await attempt(fixture, body);
    expect({ kind: outcome.kind, answer: outcome.answer }).toEqual({
      kind: fixture.outcome,
      answer: fixture.answer ?? null,
    });
    expect(outcome.status).toBe(fixture.status);
    expect(outcome.redacted).toBe(false);
    expect(outcome.possiblyPaid).toBe(outcome.kind === "ambiguous");
    expect(outcome.error === null).toBe(outcome.kind === "ok");
    const { sentAt, firstByteAt, doneAt } = outcome.timing;
    expect(sentAt).not.toBeNull();
    expect(firstByteAt).toBeGreaterThanOrEqual(sentAt ?? Infinity);
    expect(doneAt).toBeGreaterThanOrEqual(firstByteAt ?? Infinity);
  });

  test.each(cases.filter(({ outcome }) => outcome === "ok"))(
    "the body of $file is kept byte for byte",
    async (fixture) => {
      const body = readFileSync(new URL(fixture.file, folder));
      const { record, bodyStart } = await attempt(fixture, body);
      expect(record?.body?.equals(body)).toBe(true);
      expect(record?.id).toMatch(/^[a-z0-9]{12}$/);
      expect(bodyStart).toBeNull();
    },
  );

  test("an id that is missing is taken from the url", async () => {
    const { record } = await named("02");
    expect(record?.id).toBe("h3n8v0d5rt2w");
    expect(record?.createdAt).toBe("2026-08-21T05:13:02.907511+00:00");
  });

  test("a failed run has its id, its body and exactly the service's text", async () => {
    const outcome = await named("22");
    expect(outcome.record?.id).toBe("k5x6c7v8b9n0");
    expect(outcome.record?.body).not.toBeNull();
    expect(outcome.error).toBe("(HTTP 503) upstream model is overloaded");
    expect(outcome.bodyStart).toBeNull();
  });

  test("a 401 inside a run keeps the run", async () => {
    const outcome = await named("25");
    expect(outcome.record?.id).toBe("c9o8n7n6e5c4");
    expect(outcome.error).toMatch(/^This resource is private\. /);
  });

  test("a 402 keeps the id when there is one", async () => {
    expect((await named("14")).record?.id).toBe("n0c1r2e3d4i5");
    expect((await named("15")).record).toBeNull();
  });

  test("a 429 states when to come back, and its limit", async () => {
    const requests = await named("20");
    expect(requests.retryAfterMs).toBe(51_124);
    expect(requests.limit).toEqual({ kind: "requests", count: 10, windowMs: 60_000 });
    const concurrency = await named("21");
    expect(concurrency.retryAfterMs).toBe(120_000);
    expect(concurrency.limit).toEqual({ kind: "concurrency", count: 4 });
  });

  test("a 422 says which member is wrong", async () => {
    expect((await named("17")).error).toContain("body.input_prompt: Input should be a valid string");
  });

  test("an id is salvaged from a record that breaks off", async () => {
    const outcome = await named("28");
    expect(outcome.record).toEqual({
      id: "d4e5f6a7b8c9",
      url: "https://bots.example.test/agent/?run_id=d4e5f6a7b8c9&uid=Zq81kD0mYwT4bLr9sVxPn2cEhU63",
      createdAt: "2026-08-21T05:23:30.118000+00:00",
      body: null,
    });
    expect(outcome.bodyStart).toMatch(/^\{"id":"d4e5f6a7b8c9"/);
  });

  test("a page of a proxy is shown by its first bytes", async () => {
    expect((await named("27")).bodyStart).toMatch(/^<!doctype html>/);
    expect((await named("26")).bodyStart).toMatch(/^<html>/);
  });
});
