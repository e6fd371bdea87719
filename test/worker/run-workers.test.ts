import { describe, expect } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789" };

const suite = (url: string, judge: string): string => `
name: shared
dataset: prompts.csv
case: { key: id }
deployments:
  prod: { base_url: "${url}", concurrency: 4 }
  test: { base_url: "${url}", concurrency: 4 }
  bench: { base_url: "${judge}" }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: b }
judges:
  strict: { deployment: bench, endpoint: video-bots, example_id: judge }
scorers:
  - { name: helpful, type: judge, target: strict }
`;

describe("run --workers", () => {
  slowTest("sends cases and judges' questions over workers, and ends with report and exit code as ever", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs: 20 }));
    const judge = await startService(() => record('{"score": 1, "verdict": "C", "reason": "fine"}'));
    const workers = await Promise.all([startWorker(url, { env: key }), startWorker(url, { env: key })]);
    const tandem = new Tandem()
      .env({})
      .file("suite.yaml", suite(service.url, judge.url))
      .file("prompts.csv", prompts(40));
    const { code, err, out } = await tandem.run("run", "suite.yaml", "--workers", url);
    expect({ code, err }).toEqual({ code: 0, err });
    expect(service.received.length).toBe(80);
    expect(new Set(service.received.map(({ path, body }) => path + body)).size).toBe(80);
    // Both targets give the same answers, and are asked about once; the judge is asked one question before them.
    expect(judge.received.length).toBe(41);
    expect(tandem.query("SELECT kind, outcome, count(*) AS jobs FROM job GROUP BY 1, 2 ORDER BY 1")).toEqual([
      { kind: "case", outcome: "ok", jobs: 80 },
      { kind: "judge", outcome: "ok", jobs: 41 },
    ]);
    expect(out + err).not.toContain(url);
    const again = await tandem.run("resume", "latest", "--workers", url);
    expect(again.code).toBe(0);
    expect(service.received.length).toBe(80);
    const { out: shown } = await tandem.env({ TANDEM_WORKERS: url }).run("workers", "--json");
    expect(JSON.parse(shown)).toMatchObject({
      version: storedVersion,
      workers: [{ state: "on" }, { state: "on" }],
      batches: [{ state: "finished", inDoubt: 0, suiteName: "shared" }],
    });
    expect((await tandem.run("workers", "drain")).out).toContain("asked to finish");
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    const batch = tandem.query<{ name: string }>("SELECT name FROM batch")[0]?.name ?? "";
    expect((await tandem.run("workers", "remove", batch)).out).toContain("removed");
    expect((await tandem.run("workers", "resolve", batch)).code).toBe(2);
  });
});
