import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const flags = (prod: string, other: string): string[] => [
  "--deployment",
  `prod=${prod}`,
  "--deployment",
  `test=${other}`,
  "--example-id",
  "a",
];

describe("tandem run with a dataset and flags", () => {
  test("stores a record for every job and writes both CSVs", async () => {
    const prod = await startService(({ prompt }) => record(`prod says ${prompt}`));
    const other = await startService(({ prompt }) => record(`test says ${prompt}`));
    const tandem = new Tandem().file("prompts.csv", prompts(50));
    const { code, err } = await tandem.run("run", "prompts.csv", ...flags(prod.url, other.url));
    expect(err).toContain("50 rows for prod, test = 100 jobs");
    expect(code).toBe(0);
    expect(tandem.query("SELECT count(*) AS n, count(DISTINCT id) AS ids FROM run_records")).toEqual([
      { n: 100, ids: 100 },
    ]);
    expect(
      tandem.query(
        "SELECT target, count(*) AS n FROM run_records WHERE output ->> '$.output_text[0]' = target || ' says prompt ' || substr(case_key, 2) GROUP BY 1",
      ),
    ).toEqual([
      { target: "prod", n: 50 },
      { target: "test", n: 50 },
    ]);
    const [batch] = tandem.query<{ name: string; state: string }>("SELECT name, state FROM batch");
    expect(batch?.state).toBe("finished");
    const folder = join(tandem.folder, "results", batch?.name ?? "");
    expect(readFileSync(join(folder, "runs.csv"), "utf8").trimEnd().split("\n")).toHaveLength(101);
    expect(readFileSync(join(folder, "comparison.csv"), "utf8").trimEnd().split("\n")).toHaveLength(51);
  });

  test("sends the key as bearer and writes it nowhere", async () => {
    const key = "sk-secret-5f2c81d0";
    const echo = await startService(({ authorization }) => record(`you sent ${authorization}`));
    const tandem = new Tandem().file("prompts.csv", prompts(3)).env({ TANDEM_API_KEY: key });
    const { out, err } = await tandem.run("run", "prompts.csv", ...flags(echo.url, `${echo.url}/test`), "--json");
    expect(echo.received.every(({ authorization }) => authorization === `bearer ${key}`)).toBe(true);
    expect(out + err).not.toContain(key);
    for (const name of ["tandem.db", "tandem.db-wal"]) {
      const path = join(tandem.folder, "results", name);
      if (existsSync(path)) expect(readFileSync(path).includes(key)).toBe(false);
    }
    expect(tandem.query("SELECT DISTINCT redacted FROM attempt")).toEqual([{ redacted: 1 }]);
    expect(tandem.query("SELECT output ->> '$.output_text[0]' AS said FROM run_records LIMIT 1")).toEqual([
      { said: "you sent bearer [redacted]" },
    ]);
  });

  test("a dead deployment is exit 3, and the other one is answered in full", async () => {
    const alive = await startService(({ prompt }) => record(prompt));
    const dead = await startService(() => record(""));
    await dead.close();
    const tandem = new Tandem().file("prompts.csv", prompts(40));
    const { code, err } = await tandem.run("run", "prompts.csv", ...flags(dead.url, alive.url), "--no-preflight");
    expect(code).toBe(3);
    expect(err).toContain("ECONNREFUSED");
    expect(tandem.query("SELECT target, count(*) AS n FROM run_records GROUP BY 1")).toEqual([
      { target: "test", n: 40 },
    ]);
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "stopped" }]);
  });

  test("a refused key stops that deployment at once, exit 3, with the service's words", async () => {
    const refuse = await startService(() => ({ status: 403, body: '{"detail":{"error":"Invalid API Key."}}' }));
    const alive = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("prompts.csv", prompts(40));
    const { code, err } = await tandem.run(
      "run",
      "prompts.csv",
      ...flags(refuse.url, alive.url),
      "-j",
      "2",
      "--no-preflight",
    );
    expect(code).toBe(3);
    expect(err).toContain("Invalid API Key.");
    expect(refuse.received.length).toBeLessThanOrEqual(2);
    expect(alive.received).toHaveLength(40);
  });

  test("an unknown example_id stops its target only", async () => {
    const service = await startService(({ path, prompt }) =>
      path.includes("example_id=gone") ? { status: 404, body: '{"detail":"Not Found"}' } : record(prompt),
    );
    const tandem = new Tandem().file("prompts.csv", prompts(20));
    const { code } = await tandem.run(
      "run",
      "prompts.csv",
      "--deployment",
      `prod=${service.url}`,
      "--example-id",
      "a",
      "--example-id",
      "gone",
      "--no-preflight",
      "-j",
      "2",
    );
    expect(code).toBe(3);
    expect(tandem.query("SELECT count(*) AS n FROM run_records")).toEqual([{ n: 20 }]);
    expect(service.received.filter(({ path }) => path.includes("gone")).length).toBeLessThanOrEqual(2);
  });

  test("an HTML page instead of the API stops the target and shows how the page begins", async () => {
    const service = await startService(() => ({
      headers: { "content-type": "text/html" },
      body: "<!doctype html><title>Sign in</title>",
    }));
    const tandem = new Tandem().file("prompts.csv", prompts(20));
    const { code, err } = await tandem.run(
      "run",
      "prompts.csv",
      "--deployment",
      `prod=${service.url}`,
      "--example-id",
      "a",
      "-j",
      "1",
    );
    expect(code).toBe(3);
    expect(err).toContain("Sign in");
    expect(service.received).toHaveLength(1);
  });

  test("a 422 fails its job, is never retried, and too many of them make the comparison invalid", async () => {
    const service = await startService(({ prompt }) =>
      prompt.endsWith("1")
        ? { status: 422, body: '{"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]}' }
        : record(prompt),
    );
    const tandem = new Tandem().file("prompts.csv", prompts(10));
    const { code } = await tandem.run("run", "prompts.csv", ...flags(service.url, `${service.url}/test`));
    expect(code).toBe(4);
    expect(service.received).toHaveLength(20);
    expect(tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1 ORDER BY 1")).toEqual([
      { outcome: "ok", n: 18 },
      { outcome: "rejected", n: 2 },
    ]);
  });
});

describe("bad input", () => {
  const cases: [string, (tandem: Tandem) => string[], number, RegExp][] = [
    [
      "a missing dataset",
      () => ["run", "none.csv", ...flags("http://127.0.0.1:9", "http://127.0.0.1:9/test")],
      2,
      /none\.csv/,
    ],
    ["a missing suite", () => ["run", "none.yaml"], 2, /none\.yaml/],
    [
      "a broken suite",
      (tandem) => (tandem.file("s.yaml", "name: x\ndataset: [a.csv\n"), ["run", "s.yaml"]),
      2,
      /s\.yaml:\d+:\d+/,
    ],
    [
      "a ragged row",
      (tandem) => (
        tandem.file("r.csv", "id,input_prompt\n1,a\n2,b,c\n"),
        ["run", "r.csv", ...flags("http://127.0.0.1:9", "http://127.0.0.1:9/test")]
      ),
      2,
      /r\.csv:3/,
    ],
    [
      "a blank example_id",
      (tandem) => (
        tandem.file("p.csv", prompts(1)),
        ["run", "p.csv", "--deployment", "prod=http://127.0.0.1:9", "--example-id", " "]
      ),
      2,
      /example.id/i,
    ],
    [
      "a blank prompt",
      (tandem) => (
        tandem.file("p.csv", "id,input_prompt\n1,a\n2,  \n"),
        ["run", "p.csv", ...flags("http://127.0.0.1:9", "http://127.0.0.1:9/test")]
      ),
      2,
      /p\.csv:3/,
    ],
    [
      "a duplicate key",
      (tandem) => (
        tandem.file("p.csv", "id,input_prompt\n1,a\n1,b\n"),
        ["run", "p.csv", ...flags("http://127.0.0.1:9", "http://127.0.0.1:9/test")]
      ),
      2,
      /p\.csv:3/,
    ],
    ["an unknown command", () => ["rum"], 2, /rum/],
    ["an unknown flag", () => ["run", "x.yaml", "--concurency", "3"], 2, /concurency/],
    [
      "a number that is none",
      (tandem) => (
        tandem.file("p.csv", prompts(1)),
        ["run", "p.csv", ...flags("http://127.0.0.1:9", "http://127.0.0.1:9/test"), "-j", "0"]
      ),
      2,
      /concurrency/,
    ],
    ["a batch that is not there", () => ["batches", "show", "x"], 2, /tandem\.db/],
  ];

  test.each(cases)(
    "%s is exit 2 with a message, and nothing is left behind",
    async (_name, arrange, exitCode, message) => {
      const tandem = new Tandem();
      const { code, err, out } = await tandem.run(...arrange(tandem));
      expect(err).toMatch(message);
      expect(err).not.toMatch(/\n\s+at /);
      expect(out).toBe("");
      expect(code).toBe(exitCode);
      if (existsSync(join(tandem.folder, "results", "tandem.db"))) {
        expect(tandem.query("SELECT count(*) AS n FROM batch")).toEqual([{ n: 0 }]);
      }
    },
  );

  test("a key that is not set is named, before anything is sent", async () => {
    const service = await startService(() => record(""));
    const tandem = new Tandem().env({}).file("p.csv", prompts(1));
    const { code, err } = await tandem.run("run", "p.csv", ...flags(service.url, `${service.url}/test`));
    expect(code).toBe(2);
    expect(err).toContain("TANDEM_PROD_API_KEY");
    expect(service.received).toHaveLength(0);
  });
});
