import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = "language,input,__expected\nFrench,Hello,icontains:bonjour\nGerman,Bye,icontains:tschüss\n";
const asked = "Translate {{input}} to {{language}}";

describe("a promptfoo sheet of variables", () => {
  test("is refused by run, validate and init with the question for the prompt, and nothing is sent", async () => {
    const service = await startService(() => record("x"));
    const tandem = new Tandem().file("tests.csv", sheet);
    const target = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
    const said = await Promise.all(
      [
        ["run", "tests.csv", ...target],
        ["check", "--offline", "tests.csv"],
        ["init", "tests.csv", "--yes"],
      ].map(async (args) => {
        const { code, out, err } = await tandem.run(...args);
        expect(code).toBe(2);
        return out + err;
      }),
    );
    for (const text of said) {
      expect(text).toContain('its columns "language", "input" are variables of a prompt');
      expect(text).toContain("--prompt '... {{language}} ... {{input}} ...'");
    }
    expect(service.received).toEqual([]);
    expect(tandem.has("tandem.yaml")).toBe(false);
  });

  test("is sent with the prompt that is given, by a flag or a file, and its checks grade the answers", async () => {
    const service = await startService(({ prompt }) =>
      record(prompt.includes("French") ? "Bonjour" : "Auf Wiedersehen"),
    );
    const tandem = new Tandem().file("tests.csv", sheet).file("prompt.txt", `${asked}\n`);
    const target = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
    const first = await tandem.run("run", "tests.csv", ...target, "--prompt", asked);
    expect(first.err).toContain("  graded by the checks of 2 rows\n");
    await tandem.run("run", "tests.csv", ...target, "--prompt-file", "prompt.txt");
    const prompts = ["Translate Bye to German", "Translate Hello to French"];
    expect(service.received.map(({ prompt }) => prompt).toSorted()).toEqual(prompts.flatMap((one) => [one, one]));
    expect((await tandem.run("check", "--offline", "tests.csv", "--prompt", asked)).code).toBe(0);
    expect(tandem.query("SELECT DISTINCT pass FROM scores ORDER BY 1")).toEqual([{ pass: 0 }, { pass: 1 }]);
  });

  test("becomes a suite with the prompt in it, which runs at once", async () => {
    const tandem = new Tandem().env({}).file("tests.csv", sheet);
    expect((await tandem.run("init", "tests.csv", "--yes", "--prompt", asked)).code).toBe(0);
    expect(tandem.text("tandem.yaml")).toContain(`input_prompt: "${asked}" # what is sent`);
    expect((await tandem.run("run", "tandem.yaml")).code).toBe(0);
    expect(tandem.query(`SELECT input ->> '$.input_prompt' AS prompt FROM "case" ORDER BY place`)).toEqual([
      { prompt: "Translate Hello to French" },
      { prompt: "Translate Bye to German" },
    ]);
  });

  test.each([
    [["--prompt", "Say hello"], "has no place for a column"],
    [["--prompt", "{{langauge}}"], 'Did you mean "language"'],
    [["--prompt", asked, "--prompt-file", "two.txt"], "cannot be used together"],
    [["--prompt-file", "two.txt"], "has several prompts"],
    [["--prompt-file", "none.txt"], "cannot be read"],
    [["--prompt-file", "open.txt"], 'open.txt:2:5 is not Liquid: output "{{input" not closed'],
    [["--prompt-file", "other.txt"], 'no column "tongue", which other.txt:2:4 names'],
  ])("refuses a prompt that cannot be one: %j", async (flags, said) => {
    const tandem = new Tandem().file("tests.csv", sheet).file("two.txt", "{{input}}\n---\n{{language}}\n");
    tandem.file("open.txt", "Say\nit: {{input").file("other.txt", "{{input}}\nin {{tongue}}");
    const { code, out, err } = await tandem.run("check", "--offline", "tests.csv", ...flags);
    expect(code).toBe(2);
    expect(out + err).toContain(said);
  });

  test("init writes one prompt, and says how several are compared", async () => {
    const tandem = new Tandem().file("tests.csv", sheet).file("a.txt", "{{input}}").file("b.txt", "Now {{input}}");
    const { code, err } = await tandem.run("init", "tests.csv", "--prompt-file", "a.txt", "--prompt-file", "b.txt");
    expect(code).toBe(2);
    expect(err).toContain("tandem run tests.csv --prompt-file a.txt --prompt-file b.txt");
  });
});

const config = `
prompts: ["Translate {{input}} to {{language}}"]
providers: [bedrock:some-model]
tests:
  - vars: { language: French, input: Hello }
    threshold: 0.7
    assert:
      - { type: icontains, value: know, weight: 3 }
      - { type: javascript, value: "output.includes('I') && context.vars.language === 'German'" }
  - vars: { language: German, input: Bye }
    assert:
      - { type: javascript, value: output.includes('xyz') }
      - { type: llm-rubric, value: "Is it {{language}}?" }
`;

describe("a configuration of promptfoo", () => {
  test("becomes a suite by init that runs at once: checks, javascript and a judge grade the answers, each with its weight", async () => {
    const tandem = new Tandem().env({}).file("shop/promptfooconfig.yaml", config);
    const init = await tandem.run("init", "shop/promptfooconfig.yaml", "--dir", "night");
    expect(init.err).toContain("From promptfoo: 2 tests, 1 prompt, 1 target");
    expect(init.err).toContain("promptfooconfig.yaml:3: the provider bedrock:some-model: its address speaks no chat");
    expect(init.code).toBe(0);
    expect((await tandem.run("check", "--offline", "night/tandem.yaml")).code).toBe(0);
    const run = await tandem.run("run", "night/tandem.yaml");
    expect(run.err).toContain("javascript: runs the module ./assertions.mjs");
    const scores = tandem.query<{ scorer: string; value: number | null; pass: number | null }>(
      "SELECT scorer, value, pass FROM scores WHERE scorer <> 'tokens' ORDER BY scorer, value DESC",
    );
    expect(scores).toEqual([
      { scorer: "checks", value: 1, pass: 1 },
      { scorer: "correct", value: 0.75, pass: 1 },
      { scorer: "correct", value: expect.any(Number) as number, pass: 0 },
      { scorer: "javascript", value: 0, pass: 0 },
      { scorer: "javascript", value: 0, pass: 0 },
      { scorer: "rubric", value: expect.any(Number) as number, pass: expect.any(Number) as number },
    ]);
    const refused = await tandem.run("run", "night/tandem.yaml", "--no-code");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("runs code, and --no-code is given");
  });

  const sentText = (body: string): string => (JSON.parse(body) as { q: string }).q;
  const calling = (url: string): string => `
prompts: ["Say {{word}}", "Please say {{word}}"]
providers:
  - { id: http, label: ours, config: { url: "${url}/ask", body: { q: "{{prompt}}" }, transformResponse: json.reply } }
tests:
  - { vars: { word: hello }, assert: [{ type: contains, value: "{{word}}" }] }
  - { vars: { word: bread }, assert: [{ type: contains, value: Please, weight: 0 }, { type: starts-with, value: Say }] }
`;

  test("is run by one command, which says what it made and compares its prompts", async () => {
    const service = await startService(({ body }) => ({ body: JSON.stringify({ reply: sentText(body) }) }));
    const tandem = new Tandem().env({}).file("promptfooconfig.yaml", calling(service.url));
    const { code, err, out } = await tandem.run("run", "promptfooconfig.yaml");
    expect([code, err.slice(0, 2_000)]).toEqual([
      expect.any(Number),
      expect.stringContaining("From promptfoo: 2 tests, 2 prompts, 2 targets"),
    ]);
    expect(err).not.toContain("Next:");
    // So few tests are asked three times each.
    expect(service.received).toHaveLength(12);
    expect([...new Set(service.received.map(({ body }) => sentText(body)))].toSorted()).toEqual([
      "Please say bread",
      "Please say hello",
      "Say bread",
      "Say hello",
    ]);
    expect(
      tandem.query("SELECT target, sum(pass) AS passed FROM scores WHERE scorer = 'checks' GROUP BY target"),
    ).toEqual([
      { target: "prompt-1", passed: 6 },
      { target: "prompt-2", passed: 3 },
    ]);
    expect(out.replaceAll(/\s+/g, " ")).toContain("1 of 2 rows newly fails in all 3 runs of prompt-2");
    expect((await tandem.run("run", "promptfooconfig.yaml")).err).toContain("was made of promptfooconfig.yaml before");
  });

  test.each(["promptfooconfig.yaml", "promptfooconfig.json"])("is run from JSON in %s too", async (name) => {
    const service = await startService(({ body }) => ({ body: JSON.stringify({ reply: sentText(body) }) }));
    const tandem = new Tandem().env({}).file(name, JSON.stringify(parse(calling(service.url)), null, 2));
    const { err } = await tandem.run("run", name);
    expect(err).toContain("From promptfoo: 2 tests, 2 prompts, 2 targets");
    expect(service.received).toHaveLength(12);
  });

  test("names every variable that is not set before its suite is run", async () => {
    const file = calling("https://a.example.test").replace(
      "body:",
      'headers: { X-Auth: abc, X-Team: "{{env.TEAM}}" }, body:',
    );
    const tandem = new Tandem().env({ TEAM: "t" }).file("promptfooconfig.yaml", file);
    const { err } = await tandem.run("init", "promptfooconfig.yaml");
    expect(err).toContain("Set X_AUTH in the environment or in .env before you run it.");
    expect(err).not.toContain("TEAM and");
  });

  test("is not run at once where nobody can be asked, or where it has code that nobody has read", async () => {
    const service = await startService(() => ({ body: '{"reply": "x"}' }));
    const nobody = new Tandem().env({}).file("promptfooconfig.yaml", config);
    const refused = await nobody.run("run", "promptfooconfig.yaml");
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining("Nobody that promptfooconfig.yaml asks can be asked here"),
    ]);
    const coded = calling(service.url).replace("type: contains, value", "type: javascript, value");
    const tandem = new Tandem().env({}).file("promptfooconfig.yaml", coded);
    const stopped = await tandem.run("run", "promptfooconfig.yaml");
    expect([stopped.code, stopped.err]).toEqual([2, expect.stringContaining("Read assertions.mjs, then: tandem run")]);
    expect(service.received).toEqual([]);
  });

  test("is told from a suite, and from YAML that is neither", async () => {
    const tandem = new Tandem().file("other.yaml", "a: 1\n");
    const { code, err } = await tandem.run("init", "other.yaml");
    expect(code).toBe(2);
    expect(err).toContain("other.yaml is no configuration of promptfoo");
  });
});

describe("a promptfoo sheet with rubrics and javascript", () => {
  const graded =
    "question,__expected,__expected2\nOne?,llm-rubric: is it one?,javascript:output.length > 1\nTwo?,contains:2,\n";

  test("is named in a run before anything is sent, with what makes scorers of them", async () => {
    const service = await startService(() => record("x"));
    const tandem = new Tandem().file("tests.csv", graded);
    const { err } = await tandem.run("run", "tests.csv", "--deployment", `prod=${service.url}`, "--example-id", "a");
    expect(err).toContain("These expectations of promptfoo are not graded: llm-rubric (row 2), javascript (row 2).");
    expect(err.indexOf("are not graded")).toBeLessThan(err.indexOf("2 rows for prod"));
    expect(err).toContain("`tandem init` with this sheet makes a judge and a module");
  });

  test("becomes a suite by init in which a judge and a module grade them", async () => {
    const tandem = new Tandem().env({}).file("tests.csv", graded);
    expect((await tandem.run("init", "tests.csv", "--dir", "night")).code).toBe(0);
    expect((await tandem.run("run", "night/tandem.yaml")).code).toBe(0);
    expect(tandem.query("SELECT scorer, count(*) AS n FROM scores GROUP BY scorer ORDER BY scorer")).toEqual([
      { scorer: "checks", n: 1 },
      { scorer: "correct", n: 2 },
      { scorer: "javascript", n: 1 },
      { scorer: "rubric", n: 1 },
    ]);
  });
});

/** Prompt to expectation, answer and whether it holds. */
const kinds: [expectation: string, answer: string, pass: boolean][] = [
  ["bleu: The cat sat on the mat", "The cat sat on the mat.", true],
  ["bleu: The cat sat on the mat", "A dog stood under a tree.", false],
  ["not-bleu: The cat sat on the mat", "A dog stood under a tree.", true],
  ["contains-json", "See the hours [1].", false],
  ["rouge-l(0.9): The cat sat", "The cat sat", true],
  ["cost(0.05)", "x", true],
  ["cost(0.001)", "x", false],
  ["not-cost(0.001)", "x", true],
  ["tool-call-f1: search", "x", false],
  ["not-trajectory:tool-used: search", "x", true],
];

describe("a promptfoo sheet with kinds that are measured or parsed", () => {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = kinds.map(([expectation], i) => `q${i},${cell(expectation)}`);
  const answering = () => startService(({ prompt }) => record(kinds[Number(prompt.slice(1))]?.[1] ?? ""));
  const suite = (url: string, price: string): string =>
    `dataset: t.csv\ndeployments: { prod: { base_url: "${url}"${price} } }\n` +
    "targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }\n";

  test("has each of them graded as promptfoo does", async () => {
    const service = await answering();
    const tandem = new Tandem()
      .file("t.csv", ["question,__expected", ...rows, ""].join("\n"))
      .file("tandem.yaml", suite(service.url, ", price: 0.02"));
    const { err } = await tandem.run("run", "-q");
    expect(err).not.toContain("not graded");
    const scores = tandem.query<{ prompt: string; pass: number | null; reason: string }>(
      `SELECT input ->> '$.input_prompt' AS prompt, pass, reason FROM scores JOIN "case" ON "case".key = case_key ORDER BY place`,
    );
    expect(scores.map(({ prompt, pass }) => [kinds[Number(prompt.slice(1))]?.[0], pass])).toEqual(
      kinds.map(([expectation, , pass]) => [expectation, Number(pass)]),
    );
  });

  test("says before anything is sent that a check of the cost needs a price, and grades the rest of the row", async () => {
    const service = await startService(() => record("I know"));
    const tandem = new Tandem().file(
      "t.csv",
      "question,__expected,__expected2\nOne?,cost(0.01),contains:know\nTwo?,cost(1),\n",
    );
    const { out, err } = await tandem.run("run", "t.csv", "--deployment", `prod=${service.url}`, "--example-id", "a");
    expect(err).toContain(
      "The checks of the cost (2 rows, first in row 2) are not graded for prod: there is no price.",
    );
    expect(err.indexOf("there is no price")).toBeLessThan(err.indexOf("2 rows for prod"));
    expect(tandem.query("SELECT pass FROM scores ORDER BY pass")).toEqual([{ pass: null }, { pass: 1 }]);
    expect(out).toContain("1 × no grade of checks: prod has no price to check the cost by");
  });

  test("is written by init of a configuration with the same checks", async () => {
    const assert = "[{type: bleu, value: [one, two]}, {type: cost, threshold: 0.1}, {type: similar, value: x}]";
    const tandem = new Tandem()
      .env({})
      .file(
        "promptfooconfig.yaml",
        `prompts: ["Say {{x}}"]\nproviders: [a]\ntests: [{ vars: { x: b }, assert: ${assert} }]\n`,
      );
    const { err } = await tandem.run("init", "promptfooconfig.yaml", "--dir", "night");
    expect(err).toContain("the expectation similar: no provider of the file makes embeddings");
    const name = readdirSync(join(tandem.folder, "night")).find((each) => each.endsWith(".jsonl")) ?? "";
    expect(JSON.parse(tandem.text(`night/${name}`))).toMatchObject({
      __checks: [
        { type: "bleu", value: ["one", "two"], threshold: 0.5, smoothing: "tiny" },
        { type: "cost", max: 0.1 },
      ],
    });
    expect((await tandem.run("check", "--offline", "night/tandem.yaml")).code).toBe(0);
  });
});

test("a judge that stands in, where the file names nobody who could judge, is told with the verdict and in every report", async () => {
  const rubric = (what: string): string => `[{ type: llm-rubric, value: ${what} }]`;
  const tests = `[{ vars: { q: one }, assert: ${rubric("polite")} }, { vars: { q: two }, assert: ${rubric("short")} }]`;
  const tandem = new Tandem()
    .env({})
    .file("promptfooconfig.yaml", `prompts: ["Say {{q}}", "Tell {{q}}"]\nproviders: [echo]\ntests: ${tests}\n`);
  const reports = ["report.md", "report.json", "junit.xml"];
  const { out } = await tandem.run("run", "promptfooconfig.yaml", ...reports.flatMap((name) => ["-o", name]));
  const sentence = "graded by a stand-in judge, which only counts shared words: do not rely on these grades.";
  for (const told of [out, ...reports.map((name) => tandem.text(name))]) {
    expect(told.replaceAll(/\s+/g, " ")).toContain(sentence);
  }
  // Whoever names a model is not told so.
  tandem.file(
    "tandem.yaml",
    tandem
      .text("tandem.yaml")
      .replace(
        "{deployment: stand_in, endpoint: video-bots, example_id: judge}",
        "{deployment: stand_in, endpoint: video-bots, example_id: own}",
      ),
  );
  tandem.file("bots/bots/own.yaml", "judge: {}\n");
  expect((await tandem.run("run")).out).not.toContain("stand-in judge");
});
