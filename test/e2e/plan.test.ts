import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const suite = (url: string): string => `name: nightly
dataset: prompts.csv
deployments:
  prod: { base_url: "${url}", api_key_env: PROD_KEY, concurrency: 4, rate: 10/m, price: 0.02 }
  test: { base_url: "${url}", concurrency: 2 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a, body: { variables: { tone: formal } } }
compare: { noise_repeats: 2 }
`;
const key = "sk-secret-5f2c81d0";

async function planned(text = suite("https://bots.example.test")): Promise<Tandem> {
  const tandem = new Tandem().file("prompts.csv", prompts(30)).file("suite.yaml", text).file("tmp/.keep", "");
  return tandem.env({ PROD_KEY: key, TANDEM_API_KEY: key, TMPDIR: join(tandem.folder, "tmp") });
}

interface PlanJson {
  jobs: number;
  cost: number;
  atLeast: boolean;
  durationMs: number;
  lanes: { lane: string; durationMs: number | null; earlier: { runs: number } | null }[];
  requests: { target: string; case: string; headers: Record<string, string>; body: unknown }[];
}

describe("tandem plan", () => {
  test("says what would be sent, how long at the known limits and for how much, with the key masked", async () => {
    const { code, out, err } = await (await planned()).run("plan", "suite.yaml");
    expect(code).toBe(0);
    expect(out).toContain("nightly: 30 cases, 90 jobs");
    // 60 jobs at 10 a minute: the last window opens after 5 minutes.
    expect(out).toContain("Takes at least 5 min 0 s.");
    expect(out).toContain("Costs 1.2 without retries (prod 0.02 a run; no price for test).");
    expect(out).toContain("POST https://bots.example.test/v2/video-bots?example_id=a");
    expect(out).toContain("authorization: bearer $PROD_KEY");
    expect(out).toContain("authorization: bearer $TANDEM_API_KEY");
    expect(out).toContain('"tone": "formal"');
    expect(out).toContain("Nothing was sent.");
    expect(out + err).not.toContain("sk-");
  });

  test("leaves nothing behind, neither results nor temporary files, and run --dry-run is the same", async () => {
    const tandem = await planned();
    const plan = await tandem.run("plan", "suite.yaml");
    const dry = await tandem.run("run", "suite.yaml", "--dry-run");
    expect(dry.out).toBe(plan.out);
    expect(existsSync(join(tandem.folder, "results"))).toBe(false);
    expect(readdirSync(join(tandem.folder, "tmp"))).toEqual([".keep"]);
  });

  test("shows the requests of a certain case, and suggests a key for one that is not there", async () => {
    const tandem = await planned();
    const shown = await tandem.run("plan", "suite.yaml", "--show", "k17", "--json");
    const { requests } = JSON.parse(shown.out) as PlanJson;
    expect(requests.map(({ target, case: of }) => `${target} ${of}`)).toEqual(["prod k17", "test k17"]);
    expect(requests[1]?.body).toEqual({ input_prompt: "prompt 17", messages: [], variables: { tone: "formal" } });
    const wrong = await tandem.run("plan", "suite.yaml", "--show", "K-17");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('Did you mean "k17"?');
  });

  test("measures earlier runs of the suite, and says where there are none", async () => {
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 40 }));
    const tandem = await planned(suite(service.url).replace(", rate: 10/m", ""));
    const before = await tandem.run("plan", "suite.yaml");
    expect(before.out).toContain("Takes an unknown time: no rate, and no earlier run to measure.");
    await tandem.run("run", "suite.yaml", "--quiet");
    const received = service.received.length;
    const after = JSON.parse((await tandem.run("plan", "suite.yaml", "--json")).out) as PlanJson;
    expect(after.lanes.map(({ lane, earlier }) => [lane, earlier?.runs])).toEqual([
      ["prod/video-bots", 60],
      ["test/video-bots", 30],
    ]);
    expect(after.atLeast).toBe(false);
    expect(after.durationMs).toBeGreaterThan(400);
    expect(service.received).toHaveLength(received);
    expect(tandem.query("SELECT count(*) AS n FROM batch")).toEqual([{ n: 1 }]);
  });

  test("checks everything: a faulty row is exit 2, a missing key only a warning", async () => {
    const tandem = await planned();
    const unkeyed = await tandem.env({}).run("plan", "suite.yaml");
    expect(unkeyed.code).toBe(0);
    expect(unkeyed.err).toContain("PROD_KEY is not set");
    const faulty = await tandem.file("prompts.csv", "id,input_prompt\n1,a\n2,\n").run("plan", "suite.yaml");
    expect(faulty.code).toBe(2);
    expect(faulty.err).toContain("prompts.csv:3");
  });

  test("shows hostile text as text", async () => {
    const tandem = (await planned()).file("prompts.csv", "id,input_prompt\nअ\u202e,\u001b[2J‮ሰላም 👩🏽‍🌾\n");
    const { out } = await tandem.run("plan", "suite.yaml");
    expect(out).not.toContain("\u001b");
    expect(out).not.toContain("\u202e");
    expect(out).toContain("ሰላም 👩🏽‍🌾");
  });
});
