import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import type { BatchList, Live } from "../../src/viewer/api.ts";
import { Tandem } from "../e2e/tandem.ts";
import { record, startService } from "../e2e/service.ts";
import { batchOfTwo, type Caller, enter, json, opened, startView } from "./viewing.ts";

/** Everything that a batch's events tell until they end. */
async function followed(
  { get }: Caller,
  batch = "latest",
  until: (live: Live) => boolean = () => false,
): Promise<Live[]> {
  const response = await get(`/api/live?batch=${encodeURIComponent(batch)}`);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const reported: Live[] = [];
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) return reported;
    text += value ?? "";
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) reported.push(JSON.parse(data) as Live);
      const last = reported.at(-1);
      if (last !== undefined && until(last)) {
        await reader?.cancel();
        return reported;
      }
    }
  }
}

test("a running batch is told as it runs: rows, sums and errors so far, and no verdict before its end", async () => {
  let look = (): void => {};
  // However long the viewer takes to start, half of the answers are still to come when it has told the first ones.
  const half = new Promise<void>((resolve) => (look = resolve));
  const { tandem } = await batchOfTwo({ delayMs: 700, half });
  const { ended } = tandem.begin("run", "suite.yaml");
  await expect.poll(() => tandem.has("results/tandem.db"), { timeout: 30_000 }).toBe(true);
  const caller = await enter((await startView(tandem)).url);
  await expect
    .poll(async () => (await json<BatchList>(caller.get("/api/batches"))).batches[0]?.state, { timeout: 30_000 })
    .toBe("running");
  const refused = await caller.get("/api/open?batch=latest");
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("still runs")]);

  // Two pages look at once.
  const [reported, other] = await Promise.all([
    followed(caller, "latest", ({ soFar }) => {
      if ((soFar?.rows.length ?? 0) > 0) look();
      return false;
    }),
    followed(caller),
  ]);
  await ended;
  expect(reported.at(-1)).toMatchObject({ state: "finished", jobs: 12, finished: 12 });
  expect(other.at(-1)?.state).toBe("finished");
  const onTheWay = reported.filter(({ state }) => state === "running");
  expect(onTheWay.length).toBeGreaterThan(1);
  expect(JSON.stringify(onTheWay)).not.toMatch(/verdict|regression|interval|confidence/);
  const rows = onTheWay.flatMap(({ soFar }) => soFar?.rows ?? []);
  expect(rows.map(({ head }) => head.sides[0]?.excerpt)).toContainEqual(expect.stringMatching(/\? - answered\.$/));

  const soFar = reported.at(-1)?.soFar;
  expect(soFar?.cases).toBe(6);
  expect(soFar?.targets).toEqual([
    { name: "prod", scores: [{ metric: "correct", passes: true, cases: 6, mean: 1 }] },
    { name: "test", scores: [{ metric: "correct", passes: true, cases: 6, mean: 0 }] },
  ]);
  expect(soFar?.pairs[0]).toMatchObject({ candidate: "test", same: 0, metrics: [{ worse: 6, better: 0 }] });
  expect(reported.at(-1)?.targets[1]?.outcomes).toMatchObject({ answered: 5 });
  // The state known so far is the one that the comparison tells at the end.
  const { summary } = await opened(caller);
  expect(summary.gates[0]).toMatchObject({ baseline: 1, now: 0, worse: 6 });
  // A batch that has ended is told once.
  expect(await followed(caller)).toHaveLength(1);
});

test("what is known so far counts a case as soon as every target has answered it once", async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const service = await startService(({ path, prompt, time }) => ({
    ...record(time === 1 ? `${prompt} is answered` : "never"),
    ...(time > 1 && path.startsWith("/test") ? { when: held } : {}),
  }));
  // One at a time, so that the first request of a question is that of its first run.
  const tandem = new Tandem().file("a.csv", "id,q,golden\n1,one,answered\n2,two,answered\n3,three,no\n").file(
    "suite.yaml",
    `name: repeated
dataset: a.csv
case: { key: id, input: { input_prompt: q }, expected: golden }
deployments:
  prod: { base_url: "${service.url}/prod", api_key_env: TANDEM_API_KEY, retries: 0, concurrency: 1 }
  test: { base_url: "${service.url}/test", api_key_env: TANDEM_API_KEY, retries: 0, concurrency: 1 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: contains }]
compare: { baseline: prod, candidates: [test] }
`,
  );
  const { ended } = tandem.begin("run", "suite.yaml", "--repeats", "3");
  await expect.poll(() => service.received.some(({ time }) => time === 2), { timeout: 30_000 }).toBe(true);
  const caller = await enter((await startView(tandem)).url);
  const reported = await followed(caller, "repeated", ({ soFar }) => soFar?.cases === 3);
  const { finished, soFar } = reported.at(-1) ?? {};
  expect(finished).toBeLessThan(18);
  expect(soFar).toMatchObject({ repeats: 3, pairs: [{ same: 3, different: 0 }] });
  expect(soFar?.targets.map(({ scores }) => scores)).toEqual(
    Array.from({ length: 2 }, () => [{ metric: "correct", passes: true, cases: 3, mean: 2 / 3 }]),
  );
  release();
  // The reply to a repeated question comes in at the end, with the comparison.
  expect((await followed(caller, "repeated")).at(-1)?.soFar ?? soFar).toMatchObject({ cases: 3, pairs: [{ same: 3 }] });
  await ended;
});

slowTest("a batch that is killed is told as such, and one that is gone on with is live again", async () => {
  const service = await startService(({ prompt, time }) => ({
    ...record(prompt),
    delayMs: prompt === "stay" && time === 1 ? 60_000 : 20,
  }));
  const tandem = new Tandem().file("a.csv", "id,q\n1,one\n2,two\n3,stay\n").file(
    "suite.yaml",
    `name: killed
dataset: a.csv
case: { key: id, input: { input_prompt: q } }
deployments: { d: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, concurrency: 3, retries: 0 } }
targets: { t: { deployment: d, endpoint: video-bots, example_id: a } }
scorers: [{ name: long, type: length, min: 1 }, { name: judged, type: judge, target: j, rubric: "Is it good?" }]
judges: { j: { deployment: d, endpoint: video-bots, example_id: j } }
`,
  );
  const { child, ended } = tandem.start("run", "suite.yaml", "--no-preflight");
  await expect.poll(() => service.received.some(({ prompt }) => prompt === "stay"), { timeout: 30_000 }).toBe(true);
  const caller = await enter((await startView(tandem)).url);
  const [first] = await followed(caller, "killed", ({ soFar }) => soFar?.cases === 2);
  expect(first?.targets.map(({ name }) => name)).toEqual(["t"]);
  const reported = followed(caller, "killed");
  child.kill("SIGKILL");
  await ended;
  expect((await reported).at(-1)).toMatchObject({ state: "killed", soFar: { cases: 2, later: ["judged"] } });
  const { batches } = await json<BatchList>(caller.get("/api/batches"));
  expect(batches[0]).toMatchObject({ state: "killed", live: false, jobs: 3, finished: 2 });
  // Half a batch can be looked at, and is said to be that.
  expect((await opened(caller)).summary.cases).toBe(3);

  const resumed = tandem.begin("resume", "--no-preflight");
  await expect
    .poll(async () => (await json<BatchList>(caller.get("/api/batches"))).batches[0]?.state, { timeout: 30_000 })
    .toMatch(/running|grading|finished/);
  expect((await followed(caller, "killed")).at(-1)?.finished).toBe(3);
  await resumed.ended;
});
