import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { pageSummary } from "../report/html-file.ts";
import { record, type Service, startService } from "./service.ts";
import { flat, prompts, Tandem } from "./tandem.ts";

interface Written {
  /** Further keys of the deployment `test`. */
  test?: string;
  /** Further lines of the suite. */
  more?: string;
}

const suite = ({ url }: Service, { test: own = "", more = "" }: Written = {}): string => `name: aa
dataset: p.csv
deployments:
  prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY }
  test: { base_url: "${url.replace("http", "HTTP")}/", api_key_env: TANDEM_API_KEY${own} }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: contains, value: yes }]
gates: [{ metric: correct, margin: 0.3 }]
${more}`;

const same = "compare: { same: true }\n";
const start = (): Promise<Service> => startService(() => record("yes"));

/** A report of the only batch. */
function report(tandem: Tandem, name: string): string {
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
  return tandem.text(`results/${batch?.name}/${name}`);
}

interface Model {
  verdict: { state: string; sentence: string };
}

describe("both sides are the same bot", () => {
  test("validate, plan and run refuse it with the places of both targets, and nothing is sent", async () => {
    const service = await start();
    const tandem = new Tandem().file("p.csv", prompts(20)).file("suite.yaml", suite(service));
    for (const command of [["check", "--offline"], ["run"], ["run", "--no-preflight"], ["night"]]) {
      const { code, out, err } = await tandem.run(...command, "suite.yaml");
      expect(code, command.join(" ")).toBe(2);
      const said = flat(out + err);
      expect(said).toContain('suite.yaml:7:9: targets.prod is sent the same as "test": both sides are the same bot');
      expect(said).toContain('suite.yaml:8:9: targets.test is sent the same as "prod": both sides are the same bot');
      expect(said).toContain("add to the suite: `compare: { same: true }`");
    }
    expect(service.received).toHaveLength(0);
    // No batch is left that would be resumed.
    expect((await tandem.run("batches")).out).not.toContain("aa-");
    // One of them alone is compared with nobody.
    expect((await tandem.run("run", "suite.yaml", "--target", "test")).code).toBe(0);
    expect(service.received).toHaveLength(20);
  });

  test("by flags and in a matrix as well", async () => {
    const service = await start();
    const matrix = "matrix: { deployments: [prod, test], endpoint: video-bots, example_ids: [a] }\n";
    const text = suite(service).replace(/targets:[^]*?scorers/, `${matrix}scorers`);
    const tandem = new Tandem().file("p.csv", prompts(20)).file("suite.yaml", text);
    const ofMatrix = await tandem.run("run", "suite.yaml");
    expect(ofMatrix.code).toBe(2);
    expect(flat(ofMatrix.err)).toContain(
      'suite.yaml:6:31: matrix.deployments[1] makes the target "test", which is sent the same as "prod"',
    );
    const deployments = [`prod=${service.url}`, `test=${service.url}`].flatMap((each) => ["--deployment", each]);
    const byFlags = await tandem.run("run", "p.csv", ...deployments, "--example-id", "a");
    expect(byFlags.code).toBe(2);
    expect(flat(byFlags.err)).toContain('The target test is sent the same as "prod": both sides are the same bot');
    expect(service.received).toHaveLength(0);
  });

  test("on purpose it runs, and every report says so before anything else", async () => {
    const service = await start();
    const tandem = new Tandem().file("p.csv", prompts(20)).file("suite.yaml", suite(service, { more: same }));
    expect((await tandem.run("check", "--offline", "suite.yaml")).code).toBe(0);
    const { code, out, err } = await tandem.run("run", "suite.yaml");
    expect(code, err).toBe(0);
    const says = "A/A run, both sides are the same bot: ";
    expect(flat(out)).toContain(`PASS ${says}`);
    expect(report(tandem, "report.md").split("\n")[0]).toContain(`Pass: ${says}`);
    const { verdict } = JSON.parse(report(tandem, "report.json")) as Model;
    expect(verdict.state).toBe("pass");
    expect(verdict.sentence.startsWith(says)).toBe(true);
    expect(pageSummary(report(tandem, "report.html")).summary.verdict.sentence).toContain(says);
    expect(service.received).toHaveLength(40);
    // Its words are counted over the nights: REGRESSION, WORSE and BETTER are false there.
    expect((await tandem.run("run", "suite.yaml", "--quiet", "--limit", "4")).code).toBe(0);
    const { sameBot } = JSON.parse((await tandem.run("history", "aa", "--json")).out) as { sameBot: unknown };
    expect(sameBot).toEqual({ nights: 2, words: { "too-few-cases": 1, pass: 1 } });
    const counts = "Both sides the same bot: 1 of 2 runs said TOO FEW ROWS, 1 of 2 runs said PASS.";
    expect(flat((await tandem.run("history", "aa")).out)).toContain(counts);
    const gone = await tandem.run("calibrate", "aa");
    expect([gone.code, gone.err]).toEqual([2, expect.stringContaining("compare: { same: true }")]);
    // What is compared with an earlier night is no A/A run.
    const against = await tandem.run("compare", "aa~1", "--against", "aa~1");
    expect(flat(against.out + against.err)).not.toContain(says);
  });

  test("two candidates that are one are a warning, and run", async () => {
    const service = await start();
    const text = suite(service).replace(
      "scorers:",
      "  twin: { deployment: test, endpoint: video-bots, example_id: b }\nscorers:",
    );
    const tandem = new Tandem().file("p.csv", prompts(20));
    tandem.file(
      "suite.yaml",
      text.replace("test, endpoint: video-bots, example_id: a", "test, endpoint: video-bots, example_id: b"),
    );
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(code, err).toBe(0);
      expect(flat(out + err)).toContain("test and twin are the same bot: each is compared with the baseline");
    }
    expect(service.received).toHaveLength(60);
  });

  test("same: true on two bots is refused with what differs, and nothing is sent", async () => {
    const service = await start();
    const canary = { test: ', headers: { X-Canary: "always" }', more: same };
    const tandem = new Tandem().file("p.csv", prompts(20)).file("suite.yaml", suite(service, canary));
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(code, command).toBe(2);
      expect(flat(out + err)).toContain(
        'suite.yaml:11:18: compare.same says that both sides are the same bot, but "test" differs from "prod" in headers',
      );
    }
    expect(service.received).toHaveLength(0);
  });

  test("a canary by header or by key is another bot", async () => {
    const service = await start();
    const tandem = new Tandem().file("p.csv", prompts(20)).env({ TANDEM_API_KEY: "sk-1", CANARY_KEY: "sk-2" });
    tandem.file("header.yaml", suite(service, { test: ', headers: { X-Canary: "always" }' }));
    const byKey = suite(service).replace(/(test: .*)TANDEM_API_KEY/, "$1CANARY_KEY");
    tandem.file("key.yaml", byKey);
    for (const name of ["header.yaml", "key.yaml"]) {
      const { code, out, err } = await tandem.run("run", name);
      expect(code, err).toBe(0);
      expect(out).not.toContain("same bot");
    }
    // The same key under another name is no canary.
    tandem.env({ TANDEM_API_KEY: "sk-1", CANARY_KEY: "sk-1" });
    expect((await tandem.run("run", "key.yaml")).code).toBe(2);
    expect(service.received).toHaveLength(80);
  });

  test("with a reference they are not compared with each other, and a batch that was begun is resumed", async () => {
    const service = await start();
    const tandem = new Tandem().file("p.csv", prompts(20)).file("suite.yaml", suite(service, { more: same }));
    expect((await tandem.run("run", "suite.yaml", "--budget", "10")).code).not.toBe(2);
    const sent = service.received.length;
    expect(sent).toBeLessThan(40);
    // As a batch of a version that did not ask for it.
    const db = new Database(join(tandem.folder, "results", "tandem.db"));
    expect(db.prepare(`UPDATE batch SET suite = replace(suite, ',"same":true', '')`).run().changes).toBe(1);
    db.close();
    tandem.file("suite.yaml", suite(service));
    const resumed = await tandem.run("resume");
    expect(resumed.code, resumed.err).toBe(0);
    expect(resumed.out).not.toContain("same bot");
    expect(service.received).toHaveLength(40);
    for (const command of ["check --offline", "run"]) {
      const { code, err } = await tandem.run(...command.split(" "), "suite.yaml", "--against", "aa");
      expect(code, err).toBe(0);
    }
  });
});

test("the same column of stored answers on both sides is refused; `same: true` compares it with itself", async () => {
  const columns = (compare: string, b = "said"): string =>
    `dataset: a.csv\ncase: { key: id, input: { input_prompt: q } }\n${compare}targets:\n  a: { answers: said }\n  b: { answers: ${b} }\nscorers: [{ type: not-empty }]\n`;
  const tandem = new Tandem().file("a.csv", "id,q,said,meant\n1,one,yes,yes\n2,two,no,yes\n");
  tandem.file("suite.yaml", columns(""));
  const { code, err } = await tandem.run("run", "suite.yaml");
  expect(code).toBe(2);
  expect(flat(err)).toContain('suite.yaml:5:6: targets.b reads the same answers as "a": both sides are the same bot');
  tandem.file("suite.yaml", columns("compare: { same: true }\n"));
  expect((await tandem.run("run", "suite.yaml")).out).toContain("A/A run");
  tandem.file("suite.yaml", columns("", "meant"));
  expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
  tandem.file("suite.yaml", columns("compare: { same: true }\n", "meant"));
  expect(flat((await tandem.run("run", "suite.yaml")).err)).toContain('"b" differs from "a" in answers');
});
