import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { loadSuite, type LoadedSuite } from "../../src/suite/load.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tandem-suite-"));
});
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
async function load(text: string | Buffer, env: Record<string, string> = {}): Promise<LoadedSuite> {
  const path = join(folder, `suite-${++count}.yaml`);
  await writeFile(path, text);
  return loadSuite(path, env);
}

/** The message of the AppError that loading ends with, its paths shortened to `suite.yaml`. */
async function failure(text: string | Buffer, env: Record<string, string> = {}): Promise<string> {
  const error: unknown = await load(text, env).then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof AppError)) throw new Error("no AppError was raised", { cause: error });
  return `${error.code} ${error.message}`.replaceAll(/\S*suite-\d+\.yaml/g, "suite.yaml");
}

const small = `dataset: prompts.csv
deployments:
  prod: { base_url: "https://prod.example.org/" }
  test: { base_url: "local:./bots/test" }
targets:
  test: { deployment: test, endpoint: video-bots, example_id: abc123 }
  prod: { deployment: prod, endpoint: video-bots, example_id: abc123 }
`;

function matrix(deployments: string, ids: string): string {
  const section = `matrix: { deployments: ${deployments}, endpoint: functions, example_ids: ${ids} }\n`;
  return small.replace(/targets:[^]*/, section);
}

const whole = `# yaml-language-server: $schema=./suite.schema.json
name: help-desk
dataset: prompts.csv
case:
  key: id
  input:
    input_prompt: question
    variables.language: language
  expected: golden_answer
  cluster: conversation_id
  turn: turn
  opening: history
  tags: [category, language]
deployments:
  prod: { base_url: "\${PROD_BASE_URL:-local:./bots/prod}", api_key_env: PROD_API_KEY, concurrency: 8, rate: 10/m, timeout: 90s, retries: 3 }
  test: { base_url: "\${TEST_BASE_URL:-local:./bots/test}", api_key_env: TEST_API_KEY }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: abc123 }
  test: { deployment: test, endpoint: video-bots, example_id: abc123, body: { variables: { tone: formal } } }
repeats: 2
interleave: off
on_in_doubt: hold
on_ambiguous: fail
scorers:
  - { name: correct, type: contains, primary: true }
  - { name: seconds, type: latency, max: 20s }
compare:
  baseline: prod
  candidates: [test]
  noise_repeats: 2
gates:
  - { metric: correct, margin: 0.05 }
  - { errors: 0.02 }
reports: [terminal, html, csv, markdown, junit, json]
`;

describe("a suite that is right", () => {
  test("gets every default and absolute paths", async () => {
    const { suite, warnings, text } = await load(small);
    expect(warnings).toEqual([]);
    expect(text).toBe(small);
    expect(suite).toEqual({
      name: expect.stringMatching(/^suite-\d+$/),
      datasets: [join(folder, "prompts.csv")],
      mapping: { key: null, input: null, expected: null, cluster: null, turn: null, opening: null, tags: [] },
      deployments: [
        {
          name: "prod",
          baseUrl: "https://prod.example.org",
          keyNames: ["TANDEM_PROD_API_KEY", "TANDEM_API_KEY"],
          concurrency: 4,
          rate: null,
          timeoutMs: 600_000,
          jobTimeoutMs: 21_600_000,
          retries: 2,
          price: null,
        },
        expect.objectContaining({ name: "test", baseUrl: `local:${join(folder, "bots/test")}`, keyNames: [] }),
      ],
      targets: [
        { name: "test", deployment: "test", endpoint: "video-bots", exampleId: "abc123", body: {} },
        { name: "prod", deployment: "prod", endpoint: "video-bots", exampleId: "abc123", body: {} },
      ],
      repeats: 1,
      interleave: "off",
      onInDoubt: "resend",
      onAmbiguous: "retry",
      judges: [],
      scorers: [],
      pass: { kind: "all", of: null, share: 1 },
      compare: { baseline: "prod", candidates: ["test"], noiseRepeats: 1 },
      decision: { gates: [], alpha: 0.05, nights: 1, ignore: [] },
      maxErrorShare: 0.05,
      folder,
    });
  });

  test("may use every documented key", async () => {
    const { suite, warnings } = await load(whole, {
      PROD_BASE_URL: "https://api.example.org/prod/",
      TEST_BASE_URL: "",
    });
    expect(suite.deployments[0]).toMatchObject({
      baseUrl: "https://api.example.org/prod",
      keyNames: ["PROD_API_KEY"],
      concurrency: 8,
      rate: { count: 10, windowMs: 60_000 },
      timeoutMs: 90_000,
      retries: 3,
    });
    expect(suite.deployments[1]).toMatchObject({ baseUrl: `local:${join(folder, "bots/test")}`, keyNames: [] });
    expect(suite).toMatchObject({ onInDoubt: "hold", onAmbiguous: "fail", repeats: 2, maxErrorShare: 0.02 });
    expect(suite.compare).toEqual({ baseline: "prod", candidates: ["test"], noiseRepeats: 2 });
    expect(suite.decision).toEqual({
      gates: [{ metric: "correct", margin: 0.05, of: null, losses: null, by: null }],
      alpha: 0.05,
      nights: 1,
      ignore: [],
    });
    expect(suite.mapping.input).toEqual({ input_prompt: "question", "variables.language": "language" });
    expect(suite.targets[1]?.body).toEqual({ variables: { tone: "formal" } });
    expect(suite.reports).toEqual(["terminal", "html", "csv", "markdown", "junit", "json"]);
    expect(warnings).toEqual([]);
  });

  test("makes targets of a matrix, named by deployment and example_id where one name is not enough", async () => {
    const names = async (text: string): Promise<string[]> => (await load(text)).suite.targets.map((each) => each.name);
    expect(await names(matrix("[prod, test]", "[a]"))).toEqual(["prod", "test"]);
    expect(await names(matrix("[prod, test]", "[a, b]"))).toEqual(["prod:a", "prod:b", "test:a", "test:b"]);
    expect((await load(matrix("[prod]", "[a]"))).suite.compare).toBeNull();
  });

  test("warns where ${NAME} stands outside of base_url and stays as it is", async () => {
    const { suite, warnings } = await load(small.replace("abc123", '"${ID}"'));
    expect(suite.targets[0]?.exampleId).toBe("${ID}");
    expect(warnings[0]?.where).toMatch(/:6:63$/);
  });

  test("may share parts by anchors and merge keys", async () => {
    const { suite } = await load(
      small
        .replace(`{ base_url: "https://prod.example.org/" }`, `&d { base_url: "https://p.org", retries: 7 }`)
        .replace(`{ base_url: "local:./bots/test" }`, `{ <<: *d, base_url: "https://t.org" }`),
    );
    expect(suite.deployments.map((each) => [each.baseUrl, each.retries])).toEqual([
      ["https://p.org", 7],
      ["https://t.org", 7],
    ]);
  });
});

describe("a suite that is wrong", () => {
  test("names every fault at once with line and column, and what was meant", async () => {
    const text = await failure(`datset: prompts.csv
deployments:
  prod: { base_url: "https://prod.example.org", timeout: 10, rate: fast, retrys: 3, concurrency: 0 }
targets:
  prod: { deployment: prd, endpoint: videobots, example_id: " " }
  test: { deployment: prod, endpoint: functions, example_id: 007 }
repeats: many
compare: { baseline: prdo }
choose: best
`);
    expect(text.split("\n")).toEqual([
      "SUITE_INVALID The suite suite.yaml is not valid (13 faults):",
      "  suite.yaml:1:1: dataset is required",
      '  suite.yaml:1:1: unknown key "datset". Did you mean "dataset"?',
      "  suite.yaml:3:58: deployments.prod.timeout must be a duration such as 10m, 20s, 500ms or 3h, got the number 10",
      '  suite.yaml:3:68: deployments.prod.rate must be a rate such as 10/m, 2/s or 100/h, got "fast"',
      '  suite.yaml:3:74: deployments.prod unknown key "retrys". Did you mean "retries"?',
      "  suite.yaml:3:98: deployments.prod.concurrency must be at least 1, got the number 0",
      '  suite.yaml:5:23: targets.prod.deployment names the deployment "prd", which does not exist. Did you mean "prod"?',
      '  suite.yaml:5:38: targets.prod.endpoint must be video-bots, functions or chat-completions, got "videobots". Did you mean "video-bots"?',
      "  suite.yaml:5:61: targets.prod.example_id must not be blank",
      '  suite.yaml:6:62: targets.test.example_id must be a text, got the number 7. Put it in quotes: "007".',
      '  suite.yaml:7:10: repeats must be a number, got "many"',
      '  suite.yaml:8:22: compare.baseline names the target "prdo", which does not exist. Did you mean "prod"?',
      '  suite.yaml:9:1: unknown key "choose". It belongs in `compare`.',
    ]);
  });

  test.each([
    [
      "a tab as indentation",
      "a: 1\ndeployments:\n\tprod: {}\n",
      "SUITE_SYNTAX",
      ":3:1: Tabs are not allowed as indentation. Indent with spaces.",
    ],
    ["an unclosed bracket", "dataset: [a.csv\ncase: {}\n", "SUITE_SYNTAX", ":2:1: "],
    [
      "a key that is there twice",
      "name: a\ndataset: b\nname: c\n",
      "SUITE_SYNTAX",
      ":3:1: Map keys must be unique. Keep one of them.",
    ],
    ["two documents", "name: a\n---\nname: b\n", "SUITE_SYNTAX", ":2:1: "],
    ["a __proto__ key", "name: a\n__proto__: { x: 1 }\n", "SUITE_SYNTAX", ':2:1: the key "__proto__" is not allowed'],
    ["an alias without anchor", "name: *x\n", "SUITE_SYNTAX", ":1:7: the alias *x has no anchor &x before it"],
    [
      "an anchor that is repeated too often",
      `name: &a x\nb: [${"*a, ".repeat(10_000)}]\n`,
      "SUITE_SYNTAX",
      ":2:405: more than 100 aliases of &a. Write repeated parts out",
    ],
    ["an alias of itself", "name: &a [*a]\n", "SUITE_SYNTAX", "circular"],
    ["a tag that makes code", "name: !!js/function x\n", "SUITE_SYNTAX", ":1:7: Unresolved tag"],
    ["endless nesting", "[".repeat(50_000), "SUITE_SYNTAX", ":1:100: nested deeper than 100 levels"],
    [
      "a number that none has room for",
      small.replace("prompts.csv", "9007199254740993"),
      "SUITE_SYNTAX",
      ":1:10: the number 9007199254740993 would be taken for 9007199254740992: put it in quotes",
    ],
    ["an empty file", "", "SUITE_INVALID", ":1:1: must be a map of keys, got nothing"],
    ["a list at the top", "- a\n- b\n", "SUITE_INVALID", ":1:1: must be a map of keys, got a list"],
    [
      "a list of numbers as dataset",
      small.replace("prompts.csv", "[1]"),
      "SUITE_INVALID",
      ":1:11: dataset[0] must be a text, got the number 1",
    ],
    [
      "an empty list as dataset",
      small.replace("prompts.csv", "[]"),
      "SUITE_INVALID",
      ":1:10: dataset must have at least 1 entry, got an empty list",
    ],
    ["neither targets nor matrix", small.replace(/targets:[^]*/, ""), "SUITE_INVALID", ":1:1: needs targets or matrix"],
    ["turn without cluster", `${small}case: { turn: t }\n`, "SUITE_INVALID", ":8:15: case.turn needs cluster"],
    [
      "turn and messages",
      `${small}case: { input: { messages: m }, turn: t, cluster: c }\n`,
      "SUITE_INVALID",
      ":8:39: case.turn cannot be used together with input.messages",
    ],
    [
      "an unsafe field",
      `${small}case: { input: { variables.__proto__: m } }\n`,
      "SUITE_INVALID",
      ':8:18: case.input field "variables.__proto__" must not have a part named __proto__',
    ],
    [
      "a gate of neither kind",
      `${small}gates: [{ margin: 0.1 }]\n`,
      "SUITE_INVALID",
      ":8:9: gates[0] must have either metric or errors",
    ],
    [
      "a gate of a scorer that is not there",
      `${small}scorers: [{ name: correct, type: contains }]\ngates: [{ metric: corect }]\n`,
      "SUITE_INVALID",
      ':9:19: gates[0].metric names the scorer "corect", which does not exist',
    ],
    [
      "a margin of errors",
      `${small}gates: [{ errors: 0.1, margin: 0.1 }]\n`,
      "SUITE_INVALID",
      ":8:32: gates[0].margin is about a metric, not about errors",
    ],
    [
      "a share above 1",
      `${small}gates: [{ errors: 5 }]\n`,
      "SUITE_INVALID",
      ":8:19: gates[0].errors must be at most 1, got the number 5",
    ],
    [
      "a margin in points",
      `${small}scorers: [{ name: correct, type: contains }]\ngates: [{ metric: correct, margin: 5 }]\n`,
      "SUITE_INVALID",
      ':9:36: gates[0].margin is 5, but "correct" lies between 0 and 1 and cannot fall by as much. 5 points are 0.05.',
    ],
    [
      "a margin beyond a scale",
      `${small}scorers: [{ type: command, command: cat, scale: { min: -1, max: 1 } }]\ngates: [{ metric: command, of: value, margin: 2 }]\n`,
      "SUITE_INVALID",
      'gates[0].margin is 2, but "command" lies between -1 and 1 and cannot fall by as much. Write it in the unit',
    ],
    [
      "a gate of passes of what only measures",
      `${small}scorers: [{ name: similar, type: chrf }]\ngates: [{ metric: similar, of: pass }]\n`,
      "SUITE_INVALID",
      ':9:32: gates[0].of is pass, but "similar" says neither pass nor fail. Give the scorer a threshold',
    ],
    [
      "a gate without a margin of what has no bounds",
      `${small}scorers: [{ name: seconds, type: latency }]\ngates: [{ metric: seconds }]\n`,
      "SUITE_INVALID",
      ':9:19: gates[0].metric is "seconds", which has no bounds: nothing says what a small loss of it is. Add the margin',
    ],
    [
      "a scale without width",
      `${small}scorers: [{ type: command, command: cat, scale: { min: 1, max: 1 } }]\n`,
      "SUITE_INVALID",
      "scorers[0].scale must have a min below its max",
    ],
    ["an unknown report", `${small}reports: [htlm]\n`, "SUITE_INVALID", 'Did you mean "html"?'],
    [
      "a deployment with a space",
      small.replace("  prod: { base", "  my prod: { base"),
      "SUITE_INVALID",
      ':3:3: deployments name "my prod" may hold only',
    ],
    [
      "another protocol",
      small.replace("https://prod", "ftp://prod"),
      "SUITE_INVALID",
      ":3:21: deployments.prod.base_url must begin with http://, https:// or local:, got ftp:",
    ],
    [
      "a query in the address",
      small.replace("org/", "org/?example_id=1"),
      "SUITE_INVALID",
      ":3:21: deployments.prod.base_url must not hold ? or #",
    ],
    [
      "no address at all",
      small.replace("https://prod.example.org/", "prod.example.org"),
      "SUITE_INVALID",
      "must be an address such as https://",
    ],
    [
      "a variable that is not set",
      small.replace("https://prod.example.org/", "${PROD_URL}"),
      "ENV_MISSING",
      ":3:21: deployments.prod.base_url needs the environment variable PROD_URL, which is not set. Set PROD_URL, or write ${PROD_URL:-default}.",
    ],
  ])("%s is refused with its place", async (_what, text, code, part) => {
    const message = await failure(text);
    expect(message).toContain(part);
    expect(message.split(" ")[0]).toBe(code);
  });

  test("an alias bomb is refused", async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(", ")}]`);
    expect(await failure(`l0: &l0 [x]\n${levels.join("\n")}\n`)).toMatch(/SUITE_SYNTAX .*alias/);
  });

  test("a key or a password that was written into the file is never repeated", async () => {
    const key = "sk-verysecret1234";
    const inName = await failure(small.replace('org/" }', `org/", api_key_env: ${key}, api_key: ${key} }`));
    expect(inName).toContain("must be the name of an environment variable");
    expect(inName).toContain('unknown key "api_key". Did you mean "api_key_env"?');
    const inUrl = await failure(small.replace("https://", `https://user:${key}@`));
    expect(inName + inUrl).not.toContain(key);
  });

  test("a missing file, a folder and a file that is not text end with a message", async () => {
    await expect(loadSuite(join(folder, "none.yaml"), {})).rejects.toMatchObject({
      code: "SUITE_NOT_FOUND",
      exitCode: 2,
    });
    await expect(loadSuite(folder, {})).rejects.toMatchObject({ code: "SUITE_NOT_FOUND" });
    expect(await failure(Buffer.from([0xff, 0xfe, 0x00, 0x41]))).toContain("is not UTF-8 text");
  });
});
