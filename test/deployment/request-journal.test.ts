import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startDeployment } from "../../src/deployment/deployment.ts";
import { RequestJournal } from "../../src/deployment/serving/request-journal.ts";
import { directoryOf, get, post, serve, someFiles } from "./served.ts";

const run = "/v2/video-bots?example_id=onions";
const ask = (prompt: string): object => ({ input_prompt: prompt, messages: [] });
const key = "sk-secret-1234567890";

describe("the journal", () => {
  test("is not served unless it is on", async () => {
    const { baseUrl, journal } = await serve(someFiles);
    expect((await get(baseUrl, "/journal")).status).toBe(404);
    expect((await get(baseUrl, "/faults")).status).toBe(404);
    await post(baseUrl, run, ask("x"));
    expect(journal).toMatchObject({ received: 1, runs: 1 });
    expect(journal.entries()).toEqual([]);
  });

  test("tells what was received, how often each body came, and what became of it", async () => {
    const { baseUrl } = await serve(someFiles, { journal: true });
    await post(baseUrl, run, ask("प्याज?"));
    await post(baseUrl, run, ask("प्याज?"));
    await post(baseUrl, "/v2/functions?example_id=nobody", ask("प्याज?"));
    const got = await get(baseUrl, "/journal");
    expect(got.json).toMatchObject({
      received: 3,
      runs: 2,
      inFlight: 0,
      maxInFlight: 1,
      counts: [
        { target: "video-bots?example_id=onions", received: 2, runs: 2 },
        { target: "functions?example_id=nobody", received: 1, runs: 0 },
      ],
      entries: [
        { n: 1, endpoint: "video-bots", exampleId: "onions", status: 200, body: JSON.stringify(ask("प्याज?")) },
        { n: 2, bodySha: expect.stringMatching(/^[0-9a-f]{64}$/), runId: expect.stringMatching(/^[a-z0-9]{12}$/) },
        { n: 3, status: 404, runId: null },
      ],
    });
  });

  test("never holds a key, even one that stands in the body", async () => {
    const file = join(directoryOf({}), "deep", "journal.jsonl");
    const { baseUrl, journal } = await serve(someFiles, { journal: file });
    await post(baseUrl, run, ask(`my key is ${key}`), { authorization: `Bearer ${key}` });
    await expect.poll(() => journal.inFlight).toBe(0);
    const kept = JSON.stringify(journal.entries()) + readFileSync(file, "utf8") + (await get(baseUrl, "/journal")).text;
    expect(kept).not.toContain(key);
    expect(kept).toContain("[redacted]");
    expect(journal.entries()[0]?.key).toMatch(/^sk-\.\.\.\([0-9a-f]{8}\)$/);
  });

  test("is in its file before the answer, line by line", async () => {
    const file = join(directoryOf({}), "journal.jsonl");
    const { baseUrl, faults } = await serve(someFiles, { journal: file });
    faults.set([{ kind: "hang" }]);
    const patience = new AbortController();
    const lineCount = (): number => readFileSync(file, "utf8").trim().split("\n").length;
    const gone = fetch(`${baseUrl}${run}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ask("x")),
      signal: patience.signal,
    }).catch(() => "gone");
    await expect.poll(lineCount).toBe(2);
    patience.abort();
    expect(await gone).toBe("gone");
    await expect.poll(lineCount).toBe(3);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const events: unknown[] = lines.map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { event: "received", n: 1 },
      { event: "ran", n: 1 },
      { event: "done", status: null },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("is where deployment.yaml says, beside it", async () => {
    const directory = directoryOf({ ...someFiles, "deployment.yaml": "journal: seen.jsonl\n" });
    const { baseUrl } = await serve(directory);
    await post(baseUrl, run, ask("x"));
    expect(existsSync(join(directory, "seen.jsonl"))).toBe(true);
  });

  test("that cannot be written is told before anything is served", async () => {
    const directory = directoryOf(someFiles);
    const started = startDeployment({ directory, journal: join(directory, "bots"), logLevel: "silent" });
    await expect(started).rejects.toMatchObject({ code: "OUTPUT_UNWRITABLE", exitCode: 2 });
  });

  test("knows how many requests were in flight at once", async () => {
    const { baseUrl, journal } = await serve(
      { "bots/onions.yaml": "latency: { median_ms: 800 }\n" },
      { journal: true },
    );
    await Promise.all([1, 2, 3, 4, 5].map((i) => post(baseUrl, run, ask(`q${i}`))));
    await expect.poll(() => journal.inFlight).toBe(0);
    expect(journal.maxInFlight).toBe(5);
    expect(journal.entries().map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4, 5]);
  });

  test("keeps the last entries and the counts of all", () => {
    const journal = new RequestJournal({ enabled: true, file: null, entries: 10, bodies: 100 });
    for (let i = 0; i < 95; i++) {
      const entry = journal.receive({ endpoint: "functions", exampleId: "a", key: null, body: `${i % 2}` });
      journal.done(entry, 200);
    }
    expect(journal.entries().map(({ n }) => n)).toEqual([86, 87, 88, 89, 90, 91, 92, 93, 94, 95]);
    expect(journal.counts().map(({ received }) => received)).toEqual([48, 47]);
    expect(journal.uncounted).toBe(0);
  });

  test("says how many requests its counts leave out", async () => {
    const journal = new RequestJournal({ enabled: true, file: null, entries: 10, bodies: 2 });
    for (const body of ["a", "b", "c", "a", "c"]) {
      journal.ran(journal.receive({ endpoint: "functions", exampleId: "a", key: null, body }), "run");
    }
    expect(journal.counts().map(({ received, runs }) => [received, runs])).toEqual([
      [2, 2],
      [1, 1],
    ]);
    expect(journal).toMatchObject({ received: 5, runs: 5, uncounted: 2 });
    const { baseUrl } = await serve(someFiles, { journal: true });
    expect((await get(baseUrl, "/journal")).json).toMatchObject({ uncounted: 0 });
  });
});
