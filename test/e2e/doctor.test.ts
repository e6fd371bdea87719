import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Received, type Reply, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const key = "sk-secret-5f2c81d0";

const suite = (prod: string, other: string): string => `name: nightly
dataset: prompts.csv
deployments: { prod: { base_url: "${prod}", api_key_env: PROD_KEY }, test: { base_url: "${other}" } }
matrix: { deployments: [prod, test], endpoint: video-bots, example_ids: [a] }
`;

/** A service with the two pages that make no run. */
const wellDoing = ({ path }: Received): Reply =>
  path === "/status" ? { body: '"OK"' } : { body: '{"balance":500}', status: path === "/v1/balance/" ? 200 : 404 };

interface Found {
  ok: boolean;
  checks: { about: string; state: string; found: string; advice: string | null }[];
}

async function look(tandem: Tandem): Promise<{ code: number | null; found: Found; text: string }> {
  const { code, out, err } = await tandem.run("check", "suite.yaml", "--json");
  expect(out + err).not.toContain(key);
  return { code, found: JSON.parse(out) as Found, text: out };
}

const about = ({ checks }: Found, name: string) => checks.find((check) => check.about === name);

describe("tandem check", () => {
  test("looks at the machine where no suite is named, which is a usage error, and leaves nothing behind", async () => {
    const tandem = new Tandem();
    const { code, out, err } = await tandem.run("check");
    expect([code, err]).toEqual([2, expect.stringContaining("there is no tandem.yaml in this folder")]);
    for (const name of ["node", "database", "disk", "open files", "terminal"]) expect(out).toMatch(`ok       ${name}`);
    expect(existsSync(join(tandem.folder, "results"))).toBe(false);
  });

  test("finds deployments, keys and clocks in order without making a run", async () => {
    const service = await startService(wellDoing);
    const tandem = new Tandem().file("prompts.csv", prompts(3)).file("suite.yaml", suite(service.url, service.url));
    const { code, found } = await look(tandem.env({ PROD_KEY: key, TANDEM_API_KEY: `${key}-of-test` }));
    expect(code).toBe(0);
    expect(about(found, "prod: key")).toMatchObject({ state: "ok", found: "accepted (from PROD_KEY), 500 credits" });
    expect(about(found, "prod: address")?.found).toMatch(/connected in .+, answered in /);
    expect(about(found, "prod: clock")?.state).toBe("ok");
    expect(found).toMatchObject({
      valid: true,
      ok: true,
      cases: 3,
      jobs: 6,
      requests: [{ target: "prod" }, { target: "test" }],
    });
    expect(new Set(service.received.map(({ path }) => path))).toEqual(new Set(["/status", "/v1/balance/"]));
    // The key goes only where it is asked for.
    expect(
      service.received.filter(({ path }) => path === "/status").every(({ authorization }) => authorization === ""),
    ).toBe(true);
  });

  test("a key that is not set ends check as it ends run, and nobody says that it is sent", async () => {
    const service = await startService(wellDoing);
    const tandem = new Tandem().file("prompts.csv", prompts(3)).file("suite.yaml", suite(service.url, service.url));
    const checked = await tandem.run("check", "suite.yaml");
    const ran = await tandem.run("run", "suite.yaml");
    expect([checked.code, ran.code]).toEqual([2, 2]);
    expect(checked.out).toContain("PROD_KEY is not set");
    for (const { out, err } of [checked, ran]) expect(out + err).not.toContain("the key in PROD_KEY is sent");
    expect(checked.err).toContain("the key in TANDEM_API_KEY is sent to");
  });

  test("tells a refused key from an unreachable deployment, with what to do, and exits 3", async () => {
    const refuse = await startService(({ path }) => (path === "/status" ? { body: '"OK"' } : { status: 403 }));
    const gone = await startService(wellDoing);
    await gone.close();
    const tandem = new Tandem().file("prompts.csv", prompts(3)).file("suite.yaml", suite(refuse.url, gone.url));
    const { code, found } = await look(tandem.env({ PROD_KEY: key, TANDEM_TEST_API_KEY: key }));
    expect(code).toBe(3);
    expect(about(found, "prod: key")).toMatchObject({
      state: "failed",
      found: "refused with status 403 (from PROD_KEY)",
    });
    expect(about(found, "prod: key")?.advice).toContain("PROD_KEY");
    expect(about(found, "test: address")?.found).toContain("ECONNREFUSED");
    expect(about(found, "test: address")?.advice).toContain("base_url");
  });

  test("says what it cannot know where the service has no such pages", async () => {
    const bare = await startService(() => ({ status: 404, body: '{"detail":"Not Found"}' }));
    const tandem = new Tandem().file("prompts.csv", prompts(3)).file("suite.yaml", suite(bare.url, bare.url));
    const { code, found } = await look(tandem.env({ PROD_KEY: key, TANDEM_API_KEY: `${key}-of-test` }));
    expect(code).toBe(0);
    expect(about(found, "prod: address")).toMatchObject({ state: "warning" });
    expect(about(found, "prod: key")?.found).toContain("unknown: the service has no /v1/balance/");
  });

  test("notices a clock that is an hour off, a page of HTML, and a key that is not set", async () => {
    const late = new Date(Date.now() - 3_600_000).toUTCString();
    const odd = await startService(() => ({ headers: { date: late, "content-type": "text/html" }, body: "<p>hi" }));
    const tandem = new Tandem().file("prompts.csv", prompts(3)).file("suite.yaml", suite(odd.url, odd.url));
    const { code, found } = await look(tandem.env({ TANDEM_TEST_API_KEY: key }));
    expect(code).toBe(2);
    expect(about(found, "prod")).toMatchObject({ state: "failed" });
    expect(about(found, "prod")?.found).toContain("PROD_KEY is not set");
    // The header has whole seconds, and the question takes its time on a busy machine: an hour less or more a little.
    expect(about(found, "test: clock")).toMatchObject({ state: "warning" });
    expect(about(found, "test: clock")?.found).toMatch(/^(1 h [01] min|59 min \d+ s) behind this machine$/);
    expect(about(found, "test: address")?.found).toContain("a page of HTML");
  });
});

describe("tandem check", () => {
  test("lists the faults of the suite and of the dataset together, and exits 2", async () => {
    const tandem = new Tandem().file("prompts.csv", "id,input_prompt\n1,a\n1,b\n2,\n");
    tandem.file("suite.yaml", `${suite("http://127.0.0.1:9", "http://127.0.0.1:9")}repeats: 0\nrepaets: 3\n`);
    const { code, out } = await tandem.run("check", "--offline", "suite.yaml", "--json");
    expect(code).toBe(2);
    const { valid, faults } = JSON.parse(out) as { valid: boolean; faults: { file: string; line: number }[] };
    expect(valid).toBe(false);
    expect(faults.map(({ file, line }) => `${file}:${line}`)).toEqual([
      "suite.yaml:5",
      "suite.yaml:6",
      "prompts.csv:3",
      "prompts.csv:4",
    ]);
  });

  test("reads the dataset also where the suite has keys that are not known, in the case as well", async () => {
    const tandem = new Tandem().file("prompts.csv", "id,input_prompt\n1,a\n2,\n");
    const address = "http://127.0.0.1:9";
    tandem.file("suite.yaml", `${suite(address, address)}case: { key: id, kee: 1 }\n`);
    const { code, out } = await tandem.run("check", "--offline", "suite.yaml");
    expect(code).toBe(2);
    expect(out).toContain('case unknown key "kee". Did you mean "key"?');
    expect(out).toMatch(/prompts\.csv:3/);
  });

  test("shows a person the same with places, and says when all is well", async () => {
    const tandem = new Tandem().file("prompts.csv", prompts(4));
    tandem.file("suite.yaml", suite("${NOT_SET}", "http://127.0.0.1:9"));
    const faulty = await tandem.run("check", "--offline", "suite.yaml");
    expect(faulty.code).toBe(2);
    expect(faulty.out).toMatch(/suite\.yaml:3:\d+: .*NOT_SET/);
    const sound = await tandem.file(".env", "NOT_SET=http://127.0.0.1:9\n").run("check", "--offline", "suite.yaml");
    expect(sound).toMatchObject({ code: 0, out: expect.stringMatching(/^suite.yaml: valid, 4 rows, 2 targets\n/) });
  });

  test("of a file that is not there is one fault", async () => {
    const { code, out } = await new Tandem().run("check", "--offline", "none.yaml", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ faults: [{ file: "none.yaml", line: null, column: null }] });
  });
});
