import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pairedTPower } from "../stats/oracles/paired-t-power.ts";
import type { Sureness } from "../../src/stats/planning/detectable.ts";
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
  queues: { name: string; durationMs: number | null; earlier: { runs: number } | null }[];
  requests: { target: string; case: string; headers: Record<string, string>; body: unknown }[];
}

interface Found extends Sureness {
  margin?: number;
  share?: number;
}

interface PowerJson {
  power: {
    from: string | null;
    designEffect: number;
    rows: { cases: number; detectable: number; regression: number | null; jobs: number; cost: number | null }[];
    wanted: { cases: number; jobs: number; cost: number; times: number | null; gateCases: number | null };
  };
}

const power = async (tandem: Tandem, ...flags: string[]): Promise<PowerJson["power"]> => {
  const { out } = await tandem.run("check", "--offline", "suite.yaml", "--power", "--json", ...flags);
  const reported: PowerJson = JSON.parse(out);
  return reported.power;
};

describe("tandem check --power", () => {
  const graded = (url?: string): string =>
    `${suite(url ?? "https://bots.example.test")}scorers: [{ name: right, type: icontains, value: "1" }]\n`;
  /** A suite of two configurations, as fast as they answer. */
  const ofTwo = (url: string): string =>
    graded(url)
      .replace("rate: 10/m, ", "")
      .replace("endpoint: video-bots, example_id: a, body", "endpoint: video-bots, example_id: b, body");

  test("says by an assumed variance what can be found, with which cases, repeats and cost", async () => {
    const tandem = await planned(graded());
    const { from, rows, wanted } = await power(tandem, "--drop", "0.1");
    expect(from).toBeNull();
    // 15 % on one side only, half of that noise, which the two runs of the baseline halve: 0.875 of the variance is left.
    const found = (n: number, drop: number, { margin = 0, share = 0.15, ...sure }: Found = {}): number | null =>
      pairedTPower(
        { n, delta: drop - margin, sd: Math.sqrt((Math.max(share, drop) - drop ** 2) * 0.875) },
        { sides: margin === 0 ? 2 : 1, ...sure },
      );
    const margin = 0.05;
    const shown = rows[0]?.detectable ?? NaN;
    expect(found(30, shown)).toBeCloseTo(0.8, 4);
    expect(rows[0]).toMatchObject({ cases: 30, jobs: 90, cost: 1.2 });
    expect(rows[2]).toMatchObject({ cases: 30, jobs: 270 });
    expect(rows[2]?.cost).toBeCloseTo(3.6, 9);
    expect(rows[4]).toMatchObject({ cases: 120, jobs: 360 });
    // It is called WORSE at 1 % one-sided, or a regression, whichever takes fewer cases.
    expect(found(wanted.cases, 0.1, { alpha: 0.01, sides: 1 })).toBeCloseTo(0.8, 2);
    expect(wanted.jobs).toBe(wanted.cases * 3);
    expect(wanted.cost).toBeCloseTo(wanted.cases * 2 * 0.02, 9);
    expect(found(wanted.gateCases ?? 0, 0.1, { margin })).toBeCloseTo(0.8, 2);

    const doubled = await power(tandem, "--discordant", "0.3");
    expect(found(30, doubled.rows[0]?.detectable ?? NaN, { share: 0.3 })).toBeCloseTo(0.8, 4);
    expect(found(30, doubled.rows[0]?.regression ?? NaN, { share: 0.3, margin })).toBeCloseTo(0.8, 4);
    const { out } = await tandem.run("check", "--offline", "suite.yaml", "--drop", "0.03");
    expect(out).toContain("by an assumed variance (15 % of the cases pass on one side only");
    expect(out).toContain("It is within the limit: no number of cases makes it a REGRESSION.");
    expect(out).toMatch(/^ {2}BETTER +from a true gain of \d+(\.\d)? points$/m);
    expect(out.trimEnd().endsWith("Nothing was sent.")).toBe(true);
  });

  test("takes the variance of the latest comparison, and the design effect of conversations", async () => {
    const asked = new Map<string, number>();
    const service = await startService(({ path, prompt }) => {
      const request = `${path} ${prompt}`;
      const times = (asked.get(request) ?? 0) + 1;
      asked.set(request, times);
      return record(Number(prompt.slice(7)) % (path.endsWith("b") ? 3 : times + 3) === 0 ? "0" : "1");
    });
    const text = ofTwo(service.url);
    const tandem = (await planned(text)).file("prompts.csv", prompts(60));
    await tandem.run("run", "suite.yaml", "--quiet");
    const { from, rows } = await power(tandem);
    expect(from).toMatch(/^nightly-\S+ \(test against prod\)$/);
    const reported: { comparison: { candidates: { metrics: { detectable: number }[] }[] } } = JSON.parse(
      (await tandem.run("compare", "--json")).out,
    );
    expect(rows[0]?.detectable).toBeCloseTo(reported.comparison.candidates[0]?.metrics[0]?.detectable ?? 0, 9);
    expect((await power(tandem, "--discordant", "0.15")).from).toBeNull();

    const talks = [
      "id,talk,input_prompt",
      ...Array.from({ length: 60 }, (_, i) => `k${i},t${i % 10},prompt ${i}`),
    ].join("\n");
    tandem.file("prompts.csv", talks).file("suite.yaml", `${text}case: { key: id, cluster: talk }\n`);
    // Ten conversations of six with an assumed correlation of 0.3.
    expect((await power(tandem, "--discordant", "0.15")).designEffect).toBeCloseTo(2.5, 9);
  });

  test("a comparison in which nothing differs tells no variance: an older one does", async () => {
    const service = await startService(({ path, prompt }) =>
      record(path.endsWith("b") && Number(prompt.slice(7)) % 3 === 0 ? "0" : "1"),
    );
    const text = ofTwo(service.url);
    const tandem = (await planned(text)).file("prompts.csv", prompts(60));
    await tandem.run("run", "suite.yaml", "--quiet");
    const { from, rows } = await power(tandem);
    await tandem.run("pin", "latest", "--as", "release");
    await tandem.run("run", "suite.yaml", "--quiet", "--against", "release");
    const again = await power(tandem);
    expect([again.from, again.rows[0]?.detectable]).toEqual([from, rows[0]?.detectable]);
  });

  test.each([["0"], ["-1"], ["5"]])("refuses a drop of %s", async (drop) => {
    const { code, err } = await (await planned(graded())).run("check", "--offline", "suite.yaml", "--drop", drop);
    expect(code).toBe(2);
    const said = drop === "much" ? '--drop takes a number; got "much"' : "--drop takes a share above 0, at most 1";
    expect(err).toContain(said);
    if (drop === "5") expect(err).toContain("5 points are --drop 0.05.");
  });
});

describe("tandem check", () => {
  test("says what would be sent, how long at the known limits and for how much, with the key masked", async () => {
    const { code, out, err } = await (await planned()).run("check", "--offline", "suite.yaml");
    expect(code).toBe(0);
    expect(out).toContain("nightly: 30 rows, 90 jobs");
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
    const plan = await tandem.run("check", "--offline", "suite.yaml");
    const dry = await tandem.run("check", "--offline", "suite.yaml");
    expect(dry.out).toBe(plan.out);
    expect(existsSync(join(tandem.folder, "results"))).toBe(false);
    expect(readdirSync(join(tandem.folder, "tmp"))).toEqual([".keep"]);
  });

  test("shows the requests of a certain case, and suggests a key for one that is not there", async () => {
    const tandem = await planned();
    const shown = await tandem.run("check", "--offline", "suite.yaml", "--show", "k17", "--json");
    const { requests } = JSON.parse(shown.out) as PlanJson;
    expect(requests.map(({ target, case: of }) => `${target} ${of}`)).toEqual(["prod k17", "test k17"]);
    expect(requests[1]?.body).toEqual({ input_prompt: "prompt 17", messages: [], variables: { tone: "formal" } });
    const wrong = await tandem.run("check", "--offline", "suite.yaml", "--show", "K-17");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('Did you mean "k17"?');
  });

  test("measures earlier runs of the suite, and says where there are none", async () => {
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 40 }));
    const tandem = await planned(suite(service.url).replace(", rate: 10/m", ""));
    const before = await tandem.run("check", "--offline", "suite.yaml");
    expect(before.out).toContain("Time unknown: no rate, and no earlier run to go by.");
    await tandem.run("run", "suite.yaml", "--quiet");
    const received = service.received.length;
    const after = JSON.parse((await tandem.run("check", "--offline", "suite.yaml", "--json")).out) as PlanJson;
    expect(after.queues.map(({ name, earlier }) => [name, earlier?.runs])).toEqual([
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
    const unkeyed = await tandem.env({}).run("check", "--offline", "suite.yaml");
    expect(unkeyed.code).toBe(0);
    expect(unkeyed.err).toContain("PROD_KEY is not set");
    const faulty = await tandem
      .file("prompts.csv", "id,input_prompt\n1,a\n2,\n")
      .run("check", "--offline", "suite.yaml");
    expect(faulty.code).toBe(2);
    expect(faulty.out).toContain("prompts.csv:3");
  });

  test("shows hostile text as text", async () => {
    const tandem = (await planned()).file("prompts.csv", "id,input_prompt\nअ\u202e,\u001b[2J‮ሰላም 👩🏽‍🌾\n");
    const { out } = await tandem.run("check", "--offline", "suite.yaml");
    expect(out).not.toContain("\u001b");
    expect(out).not.toContain("\u202e");
    expect(out).toContain("ሰላም 👩🏽‍🌾");
  });
});
