import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = "question,golden_answer\nWhen is it open?,9 to 17\nWhere is it?,Main Street 1\n";
const suite = (url: string, more = ""): string => `dataset: sheet.csv
deployments: { prod: { base_url: "${url}", api_key_env: SERVICE_KEY${more} } }
targets: { bot: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ name: right, type: icontains }]
`;

describe("a key that is more than a key", () => {
  test.each([
    ['"sk-abcdefgh12345678"', "is written in quotes"],
    ["'sk-abcdefgh12345678'", "is written in quotes"],
    ["\u201csk-abcdefgh12345678\u201d", "is written in quotes"],
    ["sk-abcdefgh12345678'", "is written in quotes"],
    ["`sk-abcdefgh12345678`\n", "is written in quotes"],
    ["Bearer sk-abcdefgh12345678", "holds the word before a key (Bearer)"],
    ["bearer: sk-abcdefgh12345678", "holds the word before a key (Bearer)"],
    ["Authorization: Bearer sk-abcdefgh12345678", "holds the name of a header"],
    ["x-api-key: sk-abcdefgh12345678", "holds the name of a header"],
    ["SERVICE_KEY=sk-abcdefgh12345678", "holds the name of a variable"],
    ["export MY_TOKEN=sk-abcdefgh12345678", "holds the name of a variable"],
    ["<sk-abcdefgh12345678>", "holds a placeholder"],
    ["${OPENAI_API_KEY}", "holds a placeholder"],
    ["sk-abc...", "holds a placeholder"],
    ["sk-abcdefgh 12345678", "holds a space"],
  ])("is named before anything is sent, and not shown: %j", async (key, said) => {
    const service = await startService(() => record("9 to 17"));
    const tandem = new Tandem().env({ SERVICE_KEY: key }).file("sheet.csv", sheet);
    tandem.file("tandem.yaml", suite(service.url));
    const run = await tandem.run("run", "tandem.yaml");
    expect([run.code, run.err]).toEqual([2, expect.stringContaining(`in SERVICE_KEY ${said}`)]);
    expect(run.err).toContain("Set SERVICE_KEY to the key alone");
    const plan = await tandem.run("check", "--offline", "tandem.yaml");
    expect(plan.out + plan.err).toContain(said);
    expect(run.out + run.err + plan.out + plan.err).not.toContain("abcdefgh");
    expect(service.received).toEqual([]);
  });

  test.each([
    [`"Token \${HELD}"`, "'abcdefgh12345678'", "is written in quotes"],
    [`"Bearer \${HELD}"`, "Bearer abcdefgh12345678", "has the word Bearer twice"],
    [`"\${HELD}"`, '"Basic abcdefgh12345678"', "is written in quotes"],
  ])("is named in a header: %s", async (written, held, said) => {
    const service = await startService(() => record("9 to 17"));
    const tandem = new Tandem().env({ HELD: held }).file("sheet.csv", sheet);
    tandem.file(
      "tandem.yaml",
      suite(service.url).replace("api_key_env: SERVICE_KEY", `headers: { authorization: ${written} }`),
    );
    const { code, err } = await tandem.run("run", "tandem.yaml");
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    expect(err).not.toContain("abcdefgh");
    expect(service.received).toEqual([]);
  });

  test.each(["sk-abcdefgh12345678", "  abc/def+ghi==  ", "sk-abcdefgh12345678\n", "a$b{c}d'e", "keyed-1=2"])(
    "is none where it may be a key: %j",
    async (key) => {
      const service = await startService(() => record("9 to 17"));
      const tandem = new Tandem().env({ SERVICE_KEY: key }).file("sheet.csv", sheet);
      await tandem.file("tandem.yaml", suite(service.url)).run("run", "tandem.yaml");
      expect(service.received.map(({ authorization }) => authorization.replace(/^bearer /i, ""))).toEqual([
        key.trim(),
        key.trim(),
      ]);
    },
  );
});

describe("a key in the address of a deployment", () => {
  test.each([
    ["TANDEM_API_KEY", "q9wdcmfkrt77"],
    ["BOT_TOKEN", "q9wdcmfkrt77"],
    ["clientSecret", "q9wdcmfkrt77"],
    ["PLACE", "sk-q9wdcmfkrt77"],
    ["SAME", "q9wdcmfkrt78"],
  ])("is refused by the name of %s, and shown nowhere", async (name, value) => {
    const tandem = new Tandem().env({ SERVICE_KEY: "q9wdcmfkrt78", [name]: value }).file("sheet.csv", sheet);
    tandem.file("tandem.yaml", suite(`https://bots.example.test/\${${name}}`));
    for (const args of [
      ["check", "--offline", "tandem.yaml"],
      ["run", "tandem.yaml"],
      ["check", "tandem.yaml"],
    ]) {
      const { code, out, err } = await tandem.run(...args);
      expect(code).toBeGreaterThan(0);
      expect(out + err).toContain(`must not hold the key of ${name}`);
      expect(out + err).not.toContain("q9wdcmfkrt");
    }
  });

  test("is no key by a name that tells of a place", async () => {
    const service = await startService(() => record("9 to 17"));
    const tandem = new Tandem()
      .env({ SERVICE_KEY: "k", AUTH_HOST: new URL(service.url).host })
      .file("sheet.csv", sheet);
    await tandem.file("tandem.yaml", suite("http://${AUTH_HOST}")).run("run", "tandem.yaml");
    expect(service.received).toHaveLength(2);
  });
});

describe("a variable that is called like a member of every object", () => {
  test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"])("%s is not set", async (name) => {
    const tandem = new Tandem().env({}).file("sheet.csv", sheet);
    tandem.file("key.yaml", suite("https://bots.example.test").replace("SERVICE_KEY", name));
    tandem.file("address.yaml", suite(`https://\${${name}}.example.test`));
    tandem.file(
      "header.yaml",
      suite("https://bots.example.test").replace("api_key_env: SERVICE_KEY", `headers: { x-tenant: "\${${name}}" }`),
    );
    for (const file of ["key", "address", "header"]) {
      const { code, err } = await tandem.run("run", `${file}.yaml`);
      expect([code, err]).toEqual([2, expect.stringMatching(new RegExp(`${name}\\b.*not set`))]);
    }
    expect((await tandem.run("check", "--offline", "key.yaml")).err).toContain(`${name} is not set`);
  });
});

describe("flags of init that would change nothing", () => {
  test.each([
    [["--model", "gpt-4.1-mini"], "--url https://api.openai.com/v1 --model gpt-4.1-mini"],
    [["--model", "llama 3", "--dir", "x"], "--url https://api.openai.com/v1 --model 'llama 3'"],
    [["--body", '{"q":"{{ input_prompt }}"}'], "--body needs --url."],
    [["--bots", "bots", "--url", "https://a.example.test/chat"], "cannot be used together"],
    [["--model", "m", "--bots", "bots"], "no --url says where"],
    [["--url", "https://a.example.test/v2/video-bots?example_id=x", "--model", "m"], "--model would change nothing"],
    [["--url", "https://a.example.test/v1", "--model", "m", "--body", "{}"], "--body would change nothing"],
  ])("are refused with what to write: %j", async (flags, said) => {
    const tandem = new Tandem().env({ TANDEM_MINE_API_KEY: "k", TANDEM_API_KEY: "k" }).file("sheet.csv", sheet);
    const { code, err } = await tandem.run("init", "sheet.csv", "--yes", ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    expect(tandem.has("tandem.yaml") || tandem.has("x/tandem.yaml")).toBe(false);
  });

  test("are refused beside a configuration, and by check", async () => {
    const tandem = new Tandem().file("promptfooconfig.yaml", "prompts: [Hi]\nproviders: [echo]\n");
    const init = await tandem.run("init", "promptfooconfig.yaml", "--delimiter", ";");
    expect([init.code, init.err]).toEqual([2, expect.stringContaining("--delimiter is for a sheet")]);
    const check = await tandem.run("check", "--body", "{}");
    expect([check.code, check.err]).toEqual([2, expect.stringContaining("--body needs --url.")]);
  });
});

describe("a file that is no dataset", () => {
  const code =
    'module.exports = { prompts: ["{{q}}, please"], providers: ["echo"], tests: [{ vars: { q: "Hi" } }] };\n';

  test.each(["promptfooconfig.js", "promptfooconfig.ts", "promptfooconfig.mjs", "eval.cjs"])(
    "%s is code of a configuration, and the command that writes it as JSON is told",
    async (name) => {
      const tandem = new Tandem().file(name, code);
      for (const args of [
        ["init", name],
        ["run", name],
        ["check", "--offline", name],
        ["check", "--offline", name, "--deployment", "a=https://a.example.test"],
      ]) {
        const { code: exit, out, err } = await tandem.run(...args);
        const said = `The dataset ${name} cannot be used: it is a program. tandem runs no code`;
        expect([exit, (out + err).replaceAll("\n", " ")]).toEqual([2, expect.stringContaining(said)]);
        expect(out + err).toContain(`tandem init ${name.replace(/\.\w+$/, ".json")}`);
      }
      expect(tandem.has("tandem.yaml")).toBe(false);
    },
  );

  test.each([
    ["gen_tests.py", "import csv, sys\nprint('a')\n", "a program"],
    ["rows.yaml", "- question: Hi, you\n  answer: x\n", "YAML"],
    ["README.md", "| question | answer |\n|---|---|\n| Hi, you | x |\n", "a text with marks"],
    ["faq.html", "<table><tr><td>Hi, you</td></tr></table>\n", "a web page"],
    ["faq.docx", "PK", "a document"],
    ["rows.parquet", "PAR1", "Parquet"],
    ["sheet.numbers", "PK", "a spreadsheet that cannot be read"],
  ])("%s is named, and not read as CSV", async (name, text, said) => {
    const tandem = new Tandem().env({ SERVICE_KEY: "k" }).file(name, text);
    tandem.file("tandem.yaml", suite("https://bots.example.test").replace("sheet.csv", name));
    const commands = name.endsWith(".yaml") ? [] : [["init", name, "--dir", "made"]];
    for (const args of [...commands, ["run", "tandem.yaml"], ["check", "--offline", "tandem.yaml"]]) {
      const { code: exit, out, err } = await tandem.run(...args);
      expect([args, exit, out + err]).toEqual([
        args,
        2,
        expect.stringContaining(`${name} cannot be used: it is ${said}`),
      ]);
    }
  });
});

describe("a configuration of promptfoo without a row that can be sent", () => {
  test.each([
    ["tests: file://missing.csv", "the tests file://missing.csv: there is no such file"],
    ["tests: [file://tests.py:make]", "it is code"],
    ["tests: https://docs.example.test/sheet", "nothing is loaded from elsewhere"],
    ["tests: file://empty.yaml", "promptfooconfig.yaml has no test"],
    ["defaultTest: { assert: [{ type: contains, value: a }] }", "it has none of what the prompts ask for, q"],
    ["tests: [{ assert: [{ type: contains, value: a }] }]", "promptfooconfig.yaml:3: a test: it is left out"],
    ['tests: [{ vars: { q: " " } }]', "it has none of what the prompts ask for"],
    ["tests: [{ vars: { q: file://gone.txt } }]", "it is left out: its variable q could not be read"],
  ])("is refused with the reasons: %s", async (tests, said) => {
    const tandem = new Tandem().file("empty.yaml", "[]\n");
    tandem.file("promptfooconfig.yaml", `prompts: ["{{q}}"]\nproviders: [echo]\n${tests}\n`);
    for (const command of ["init", "run"]) {
      const { code, out, err } = await tandem.run(command, "promptfooconfig.yaml");
      expect([code, err]).toEqual([2, expect.stringContaining("has no test that can be sent")]);
      expect(err).toContain(said);
      expect(out + err).not.toContain("Next:");
    }
    expect(tandem.has("tandem.yaml")).toBe(false);
  });

  test("is none where a prompt asks by itself", async () => {
    const tandem = new Tandem().file("promptfooconfig.yaml", "prompts: [Say hello]\nproviders: [echo]\n");
    expect((await tandem.run("init", "promptfooconfig.yaml")).err).toContain("From promptfoo: 1 test, 1 prompt");
  });
});
