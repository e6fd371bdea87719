import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPromptfooConfig } from "../../src/init/promptfoo/config.ts";
import { answerPath } from "../../src/init/promptfoo/http-provider.ts";
import { initPromptfoo } from "../../src/init/promptfoo/init-promptfoo.ts";
import { liquidOf, templateFiller } from "../../src/init/promptfoo/template.ts";
import { loadSuite } from "../../src/suite/load.ts";
import { temporaryFolder } from "../store/batch.ts";

/** Makes a suite of a configuration, in a folder with further files. */
async function made(config: string, files: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const path = join(folder, "pf", "promptfooconfig.yaml");
  for (const [name, text] of Object.entries({ ...files, "pf/promptfooconfig.yaml": config })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const to = join(folder, "out");
  const result = await initPromptfoo(await readPromptfooConfig(path, config), { path, to, name: "demo" });
  const text = (name: string): string => readFileSync(join(to, name), "utf8");
  const rows = text("demo.tests.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { suite } = await loadSuite(join(to, "tandem.yaml"), {
    HOST: "a.example.test",
    TENANT: "t",
    AUTHORIZATION: "x",
  });
  return { ...result, text, rows, suite, folder };
}

const shop = `
prompts:
  - file://prompts.txt
providers:
  - openai:some-model
  - id: https://bots.example.test/v2/video-bots?example_id=desk
    config: { headers: { Authorization: Bearer sk-123456789012 }, body: { input_prompt: "{{prompt}}" }, transformResponse: "json.output.output_text[0]" }
  - exec:./bot.sh
defaultTest:
  vars: { shop: Shoes and more }
  assert:
    - { type: llm-rubric, value: "Names {{shop}} and nothing else" }
tests:
  - description: a greeting
    vars: { asked: Hello, description: warm }
    assert:
      - { type: icontains-any, value: [hello, "good day"] }
      - { type: javascript, value: output.length > 3 }
      - $ref: '#/assertionTemplates/polite'
      - { type: perplexity, threshold: 2 }
  - vars: { asked: [One, Two] }
    assert: [{ type: not-is-json }, { type: javascript, value: "const n = output.length; n < 9", threshold: 0.5 }]
  - file://more.csv
assertionTemplates:
  polite: { type: contains, value: please }
`;
const prompts = "At {{shop}}: {{asked}}\n---\nAnswer for {{shop}}: {{asked}}\n";
const more = "asked,__expected,__metadata:topic\nThree,starts-with: 3,numbers\n";

describe("a configuration of promptfoo", () => {
  test("becomes a suite: prompts, tests with what all have, checks, a judge, a module, targets", async () => {
    const { rows, suite, text, left, tests } = await made(shop, { "pf/prompts.txt": prompts, "pf/more.csv": more });
    expect(tests).toBe(4);
    expect(rows.map((row) => [row["shop"], row["asked"]])).toEqual([
      ["Shoes and more", "Hello"],
      ["Shoes and more", "One"],
      ["Shoes and more", "Two"],
      ["Shoes and more", "Three"],
    ]);
    expect(rows[0]).toMatchObject({
      description: "warm",
      __checks: [
        { scorer: "rubric" },
        { type: "contains-any", value: ["hello", "good day"], ignore_case: true, exact: true },
        { scorer: "javascript" },
        { type: "contains", value: "please", exact: true },
      ],
      __rubric: "Names Shoes and more and nothing else",
      __javascript: ["js1"],
      __graders: "rubric javascript",
    });
    expect(rows[3]).toMatchObject({ topic: "numbers", __checks: [{ scorer: "rubric" }, { type: "starts-with" }] });
    expect(suite.mapping).toMatchObject({ scorers: "__checks" });
    expect(suite.scorers.map(({ name, type }) => [name, type])).toEqual([
      ["correct", "row-mean"],
      ["checks", "checks"],
      ["rubric", "judge"],
      ["javascript", "module"],
    ]);
    expect(suite.targets.map(({ name, endpoint, prompt }) => [name, endpoint, prompt])).toEqual([
      ["some-model:prompts-1", "chat-completions", "prompts/prompts-1.txt"],
      ["some-model:prompts-2", "chat-completions", "prompts/prompts-2.txt"],
      ["bots:prompts-1", expect.stringContaining("/v2/video-bots"), "prompts/prompts-1.txt"],
      ["bots:prompts-2", expect.stringContaining("/v2/video-bots"), "prompts/prompts-2.txt"],
    ]);
    expect(text("prompts/prompts-2.txt").trim()).toBe("Answer for {{shop}}: {{asked}}");
    expect(text("tandem.yaml")).not.toContain("sk-123456789012");
    expect(left).toEqual([
      expect.stringMatching(/^promptfooconfig.yaml:7: the header Authorization of https:.*AUTHORIZATION/),
      expect.stringMatching(/^promptfooconfig.yaml:8: the provider exec:\.\/bot\.sh: it is code/),
      expect.stringMatching(/^promptfooconfig.yaml:20: the expectation perplexity: it needs the probabilities/),
      expect.stringMatching(/^who judges: the file names no grader; some-model of its own/),
    ]);
  });

  test("plans three runs and no lost test for a few tests of two prompts, unless the file says how often they are asked", async () => {
    const config = (run: string): string => `
prompts: ["Say {{q}}", "Tell {{q}}"]
providers: [openai:gpt-4.1-mini]
${run}
tests: [{ vars: { q: one }, assert: [{ type: icontains, value: one }] }]
`;
    const { suite } = await made(config(""));
    expect([suite.repeats, suite.decision.gates]).toMatchObject([3, [{ metric: "checks", losses: 0 }]]);
    const once = await made(config("evaluateOptions: { repeat: 1 }"));
    expect([once.suite.repeats, once.suite.decision.gates]).toEqual([1, []]);
  });

  test("counts weights, sets, thresholds, metrics and repeats as promptfoo does", async () => {
    const { rows, suite, left } = await made(`
prompts: ["{{q}}"]
providers: [openai:gpt-4.1-mini]
evaluateOptions: { repeat: 3, maxConcurrency: 2, delay: 5000 }
tests:
  - vars: { q: one }
    threshold: 0.6
    assert:
      - { type: contains, value: "{{q}}", weight: 3, metric: Facts }
      - { type: icontains, value: x, weight: 0 }
      - type: assert-set
        threshold: 0.5
        weight: 2
        metric: Form
        assert: [{ type: is-json }, { type: regex, value: 'a\\-b', weight: 2 }]
      - type: assert-set
        weight: 2
        assert: [{ type: contains, value: y }, { type: llm-rubric, value: polite, metric: Tone, weight: 3 }]
  - vars: { q: two }
    options: { repeat: 2 }
    assert: [{ type: javascript, value: output.length, metric: Facts }]
`);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      __threshold: 0.6,
      __checks: [
        { type: "contains", value: "one", exact: true, weight: 3, metric: "Facts" },
        { type: "contains", weight: 0 },
        {
          set: [{ type: "is-json" }, { type: "regex", value: "a-b", weight: 2 }],
          threshold: 0.5,
          weight: 2,
          metric: "Form",
        },
        { type: "contains", value: "y" },
        { scorer: "rubric", metric: "Tone", weight: 3 },
      ],
    });
    expect(suite).toMatchObject({ repeats: 3, pass: { of: ["correct"] } });
    expect(suite.deployments).toMatchObject([{ name: "openai", concurrency: 2 }]);
    expect(suite.scorers.map(({ name, type, options }) => [name, type, options["metric"] ?? null])).toEqual([
      ["correct", "row-mean", null],
      ["checks", "checks", null],
      ["rubric", "judge", null],
      ["javascript", "module", null],
      ["Facts", "row-mean", "Facts"],
      ["Facts of the checks", "checks", "Facts"],
      ["Form", "checks", "Form"],
      ["Tone", "row-mean", "Tone"],
      ["tokens", "tokens", null],
    ]);
    expect(left.filter((line) => line.includes("weight"))).toEqual([
      expect.stringMatching(/:\d+: an assert-set: with judges or code in it, its expectations count one by one/),
    ]);
  });

  test("takes scenarios, files of variables and tests, patterns of files, lines of JSON, and what sets around a prompt", async () => {
    const { rows, suite } = await made(
      `
prompts: ["Say {{word}} in {{language}}"]
providers: [echo]
defaultTest: { options: { prefix: "Now. " } }
tests: [cases/*.yaml, file://lines.jsonl]
scenarios:
  - config: [{ vars: { language: French } }, { vars: { language: Hindi } }]
    tests: [{ vars: { word: "{{language}} bread" }, assert: [{ type: contains, value: "{{language}}" }] }]
`,
      {
        "pf/cases/one.yaml": "- vars: vars/*.yaml\n  assert: [{ type: contains, value: x }]\n",
        "pf/vars/a.yaml": "word: salt\nlanguage: Czech\n",
        "pf/lines.jsonl": '{"vars": {"word": "a", "language": "b"}}\n',
      },
    );
    expect(rows.map((row) => row["__echo"])).toEqual([
      "Now. Say salt in Czech",
      "Now. Say a in b",
      "Now. Say French bread in French",
      "Now. Say Hindi bread in Hindi",
    ]);
    expect(rows[3]).toMatchObject({ __checks: [{ type: "contains", value: "Hindi" }] });
    expect(suite.targets).toMatchObject([{ name: "echo", stored: { answer: "__echo" } }]);
  });

  test("keeps its javascript in a module that grades as promptfoo does, and names the file of code that it loads", async () => {
    const config = `
prompts: ["Say {{x}}"]
providers: [a]
tests:
  - vars: { x: "1" }
    assert:
      - { type: javascript, value: "output.includes(context.vars.x)" }
      - { type: not-javascript, value: "output === 'no'" }
      - { type: javascript, value: file://own.js, config: { most: 10 } }
      - { type: javascript, value: "if (output) {\\n  return { pass: true, score: 0.5, reason: 'half' };\\n}\\nreturn false;" }
      - { type: javascript, value: "JSON.parse(output).a" }
      - { type: javascript, transform: "output + '!'", value: "output === '12345!'" }
`;
    const own = "export default (output, { config }) => output.length / config.most;\n";
    const { text, folder } = await made(config, { "pf/own.js": own });
    expect(text("assertions.mjs")).toContain('await import("./../pf/own.js")');
    const module = (await import(join(folder, "out", "assertions.mjs"))) as {
      default: (row: object) => Promise<object>;
    };
    const columns = { x: "1", __javascript: '["js1","js2","js3","js4","js5","js6"]' };
    const grade = (number: number, answer = "12345") =>
      module.default({ text: answer, question: "Say 1", columns, options: { number } });
    expect(await grade(1)).toMatchObject({ value: 1, pass: true });
    expect(await grade(2)).toMatchObject({ value: 1, pass: true });
    expect(await grade(2, "no")).toMatchObject({ value: 0, pass: false });
    expect(await grade(3)).toMatchObject({ value: 0.5, pass: true });
    expect(await grade(4)).toEqual({ value: 0.5, pass: true, reason: "half" });
    expect(await grade(5, "x")).toMatchObject({
      value: 0,
      pass: false,
      reason: expect.stringContaining("js5: ") as string,
    });
    expect(await grade(6)).toMatchObject({ value: 1, pass: true });
  });

  test("gives its javascript the variables as they are written: a text that looks like JSON stays one", async () => {
    const { text, folder } = await made(`
prompts: ["Say {{told}} {{n}}"]
providers: [a]
tests:
  - vars: { told: '{"a":1}', n: 5, list: [[1, 2]] }
    options: { disableVarExpansion: true }
    assert: [{ type: javascript, value: "context.vars.told.length === 7 && context.vars.n === 5 && context.vars.list[0].length === 2" }]
`);
    expect(text("assertions.mjs")).toContain('new Set(["n","list"])');
    const module = (await import(join(folder, "out", "assertions.mjs"))) as {
      default: (row: object) => Promise<object>;
    };
    const columns = { told: '{"a":1}', n: "5", list: "[[1,2]]", __javascript: '["js1"]' };
    expect(await module.default({ text: "x", question: "Say", columns })).toMatchObject({ pass: true });
  });

  test("has every column in its first row, however late the first test with it comes", async () => {
    const plain = Array.from({ length: 1_200 }, (_, i) => `  - { vars: { x: "${i}" } }`).join("\n");
    const late =
      "  - { vars: { x: last, y: z }, metadata: { topic: numbers }, assert: [{ type: contains, value: a }] }";
    const { rows, suite } = await made(`prompts: ["Say {{x}}"]\nproviders: [a]\ntests:\n${plain}\n${late}\n`);
    expect(rows[0]).toEqual({ x: "0", y: null, topic: null, __checks: null });
    expect(rows.at(-1)).toMatchObject({ x: "last", y: "z", topic: "numbers" });
    expect(suite.mapping.tags).toContain("topic");
  });

  test("runs none of its code, even where that would end the function that it is written into", async () => {
    const evil = "1 }, x: globalThis.touched = true, y: () => { return 1";
    const config = `
prompts: ["Say {{x}}", file://prompt.js]
providers: [file://provider.js]
tests:
  - vars: { x: a }
    assert: [{ type: javascript, value: ${JSON.stringify(evil)} }, { type: javascript, value: "globalThis.touched = true" }]
  - file://tests.js
`;
    const { text, left, folder } = await made(config, { "pf/prompt.js": "globalThis.touched = true;\n" });
    expect(text("assertions.mjs")).toContain("this is not JavaScript: 1 }, x:");
    await import(join(folder, "out", "assertions.mjs"));
    expect("touched" in globalThis).toBe(false);
    expect(left.filter((line) => line.includes("it is code"))).toHaveLength(3);
  });

  test("reads no file outside of its folder, by a path, a pattern or a link, and says so", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "secret.txt"), "the secret");
    mkdirSync(join(folder, "pf"));
    symlinkSync(join(folder, "secret.txt"), join(folder, "pf", "link.txt"));
    const path = join(folder, "pf", "promptfooconfig.yaml");
    const config = `
prompts: ["{{a}} {{b}} {{c}} {{d}}"]
providers: [x]
tests: [{ vars: { a: "file://../secret.txt", b: "file:///etc/hostname.txt", c: "file://link.txt", d: "file://../*.txt" } }, { vars: { a: b } }]
`;
    const read = await readPromptfooConfig(path, config);
    expect(read.tests[0]?.vars).toEqual({ a: "", b: "", c: "", d: "" });
    expect(read.left.lines.join("\n")).toMatch(/:4: the variable a, file:\/\/\.\.\/secret\.txt: there is no such file/);
    const to = join(folder, "out");
    await initPromptfoo(read, { path, to, name: "x" });
    expect(readFileSync(join(to, "tandem.yaml"), "utf8")).not.toContain("the secret");
    // Without its texts nothing would be asked that anybody meant.
    expect(readFileSync(join(to, "x.tests.jsonl"), "utf8").trim()).toBe('{"a":"b"}');
    expect(read.left.lines).toContainEqual(
      expect.stringMatching(/:4: a test: it is left out: its variable a, b, c, d could not be read$/),
    );
  });

  test("is refused where no test can be sent, with the reasons", async () => {
    const config = `prompts: ["{{a}}"]\nproviders: [x]\ntests: [{ vars: { a: "file://photo.jpg" } }]\n`;
    await expect(made(config)).rejects.toThrow(/has no test that can be sent\.[^]*photo\.jpg: a row names files/);
  });

  test("leaves tests out that need the answers of others: their braces would be sent", async () => {
    const { rows, left } = await made(`
prompts: ["Say {{m}}"]
providers: [openai:gpt-4.1]
tests:
  - { vars: { m: Name a fruit }, options: { storeOutputAs: fruit } }
  - { vars: { m: "Why {{ fruit }}, {{nobody}}?" } }
  - { vars: { m: "Why {{ nobody }}?" } }
`);
    expect(rows.map(({ m }) => m)).toEqual(["Name a fruit", "Why ?"]);
    expect(left).toContain(
      "promptfooconfig.yaml:6: a test: it is left out: it needs the answer of another test, fruit; write a conversation (`case: { turns }`)",
    );
  });

  test("asks the address of its `env`, and names what else stands there, with no key", async () => {
    const config = (env: string) => `
prompts: ["Say {{m}}"]
providers: [openai:gpt-4.1]
env: ${env}
tests: [{ vars: { m: a } }]
`;
    const { suite, left, text } = await made(
      config('{ OPENAI_BASE_URL: "http://localhost:1234/v1", OPENAI_API_KEY: sk-1234567890abcdef, TONE: calm }'),
    );
    expect(suite.deployments.map(({ baseUrl }) => baseUrl)).toEqual(["http://localhost:1234/v1"]);
    expect(left.join("\n")).toMatch(/:4: `env\.OPENAI_API_KEY`: .*set it in the environment[^]*`env\.TONE`/);
    expect(left.join("\n") + text("tandem.yaml") + text("demo.tests.jsonl")).not.toContain("sk-1234567890abcdef");
    const byHost = await made(config("{ OPENAI_API_HOST: gateway.example.test }"));
    expect(byHost.suite.deployments.map(({ baseUrl }) => baseUrl)).toEqual(["https://gateway.example.test/v1"]);
  });

  test("warns of what looks like a key in variables and prompts, and does not show it", async () => {
    const { rows, left } = await made(`
prompts: ["Log in with sk-abcdefgh12345678 as {{m}}", "Say {{m}}"]
providers: [openai:gpt-4.1]
tests: [{ vars: { m: me } }, { vars: { m: "AIzaAbcdefgh12345678", n: "the password is short" } }]
`);
    expect(rows).toHaveLength(2);
    const told = left.filter((line) => line.includes("looks like a key"));
    expect(told).toEqual([
      expect.stringMatching(
        /^promptfooconfig\.yaml:4: the variable m: it looks like a key or a password, and is written/,
      ),
      expect.stringMatching(/^promptfooconfig\.yaml:2: a prompt: it looks like a key/),
    ]);
    expect(left.join("\n")).not.toMatch(/abcdefgh/i);
  });

  test("writes the config of a prompt as that of a provider: without secrets, with files, for filled prompts too", async () => {
    const config = `
prompts:
  - raw: Say {{q}}
    config:
      response_format: file://schema.json
      maxTokens: 9
      tools: [{ type: mcp, headers: { Authorization: "Bearer abcdefghijklmnop" } }]
      metadata: { apiKey: s3cr3tvalue123 }
  - raw: "List {% for x in list %}{{x}} {% endfor %}"
    config: { temperature: 0.9, max_completion_tokens: 5 }
providers: [openai:gpt-4.1-mini]
tests:
  - vars: { q: a, list: [x] }
    options: { disableVarExpansion: true }
`;
    const { text, suite, left } = await made(config, { "pf/schema.json": '{"type": "json_object"}' });
    expect(text("tandem.yaml")).not.toMatch(/abcdefghijklmnop|s3cr3tvalue123/);
    expect(left.filter((line) => line.includes("of a prompt"))).toEqual([
      expect.stringContaining("tools[0].headers.Authorization"),
      expect.stringContaining("metadata.apiKey"),
    ]);
    const [first, second] = suite.targets.map(({ body }) => body);
    expect(first).toMatchObject({ response_format: { type: "json_object" }, max_tokens: 9 });
    expect(second).toMatchObject({ temperature: 0.9, max_completion_tokens: 5 });
    expect(second).not.toHaveProperty("max_tokens");
  });

  test("gives code the object of an answer where the request has a schema for it, that of a prompt too", async () => {
    const format = "{ response_format: { type: json_schema, json_schema: { name: a, schema: { type: object } } } }";
    const config = (providers: string, prompt: string) => `
prompts: [${prompt}]
providers: [${providers}]
tests: [{ vars: { m: a }, assert: [{ type: javascript, value: "output.mood === context.vars.mood" }] }]
`;
    const grade = async (folder: string) => {
      const module = (await import(join(folder, "out", "assertions.mjs"))) as {
        default: (given: object) => Promise<{ pass: boolean }>;
      };
      return (await module.default({ text: '{"mood":"calm"}', columns: { __javascript: '["js1"]', mood: "calm" } }))
        .pass;
    };
    const ofPrompt = await made(config("openai:gpt-4.1", `{ raw: "Say {{m}}", label: one, config: ${format} }`));
    expect(ofPrompt.suite.targets[0]?.body).toMatchObject({ response_format: { type: "json_schema" }, temperature: 0 });
    expect(await grade(ofPrompt.folder)).toBe(true);
    const ofProvider = await made(config(`{ id: openai:gpt-4.1, config: ${format} }`, '"Say {{m}}"'));
    expect(await grade(ofProvider.folder)).toBe(true);
    const without = await made(config("openai:gpt-4.1", '"Say {{m}}"'));
    expect(await grade(without.folder)).toBe(false);
    const mixed = await made(config(`openai:gpt-4o, { id: openai:gpt-4.1, config: ${format} }`, '"Say {{m}}"'));
    expect(mixed.left.join("\n")).toContain("javascript: promptfoo gives it an object");
    expect(mixed.text("tandem.yaml")).toContain("javascript: promptfoo gives it an object");
    const standIn = await made(config("exec:./bot.sh", `{ raw: "Say {{m}}", config: ${format} }`));
    expect(standIn.left.join("\n")).toContain("`config` of a prompt: write it into the `body` of the targets");
  });

  test("without a prompt that can be sent is refused with the reason, and nothing is written", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "promptfooconfig.yaml");
    const config = `prompts: ["{{ a + b }}"]\nproviders: [a]\ntests: [{ vars: { a: b } }]\n`;
    writeFileSync(path, config);
    const to = join(folder, "out");
    const making = readPromptfooConfig(path, config).then((read) => initPromptfoo(read, { path, to, name: "x" }));
    await expect(making).rejects.toThrow(
      /has no prompt that can be sent[^]*:1: the prompt .*only Nunjucks can fill it/,
    );
    expect(existsSync(to)).toBe(false);
  });

  test("takes a chat whose texts have places, and one that a loop makes of a list, filled for each test", async () => {
    const chat = `[{"role": "system", "content": "Be brief."}, {"role": "user", "content": {{ q | dump }}}]`;
    const { suite } = await made(`prompts: [${JSON.stringify(chat)}]\nproviders: [a]\ntests: [{ vars: { q: b } }]\n`);
    expect(suite.mapping.input).toEqual({
      input_prompt: "{{q}}",
      messages: { value: [{ role: "system", content: "Be brief." }] },
    });
    const looped = `[{% for m in before %}{% for role, text in m %}{"role": "{{ role }}", "content": {{ text | dump }}},{% endfor %}{% endfor %}{"role": "user", "content": "{{ q | upper }}"}]`;
    const { rows } = await made(
      `prompts: [${JSON.stringify(looped)}]\nproviders: [a]\ntests: [{ vars: { q: b, before: [{ user: 'Say "x"' }, { assistant: y }] } }]\n`,
    );
    expect(rows[0]).toMatchObject({
      __prompt: "B",
      __prompt_before: [
        { role: "user", content: 'Say "x"' },
        { role: "assistant", content: "y" },
      ],
    });
  });
});

describe("a provider of promptfoo", () => {
  test("that speaks OpenAI's chat completions is a target with its settings, and no key is written", async () => {
    const { suite, text, left, keys } = await made(
      `
prompts: [{ id: file://p.txt, label: formal }, "{{q}}?"]
providers:
  - { id: openai:chat:gpt-4.1, label: big, prompts: [formal], config: { temperature: 0.5, tools: file://tools.yaml, apiKey: sk-abcdefghijkl, organization: org, foo: 1, cost: 0.000002 } }
  - anthropic:messages:claude-x
  - azure:chat:my-deployment: { config: { apiHost: "https://x.openai.azure.com/" } }
  - openrouter:meta/llama-3
  - { id: ollama:chat:llama3.2, config: { num_predict: 50 } }
  - bedrock:anthropic.claude
  - openai:embedding:text-embedding-3-small
tests: [{ vars: { q: b }, assert: [{ type: similar, value: c }, { type: llm-rubric, value: d, provider: "openai:gpt-4.1-mini", threshold: 0.8 }] }]
`,
      { "pf/p.txt": "Formally: {{q}}\n", "pf/tools.yaml": "- { type: function, function: { name: f } }\n" },
    );
    expect(text("tandem.yaml")).not.toContain("sk-abcdefghijkl");
    expect(keys).toEqual(["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AZURE_API_KEY", "OPENROUTER_API_KEY"]);
    expect(suite.targets[0]).toMatchObject({
      name: "big:formal",
      body: {
        temperature: 0.5,
        max_tokens: 1024,
        tools: [{ type: "function", function: { name: "f" } }],
        input_prompt: "Formally: {{q}}",
      },
    });
    expect(suite.targets.map(({ name, deployment }) => [name, deployment])).toEqual([
      ["big:formal", "openai"],
      ["claude-x:formal", "anthropic"],
      ["claude-x:prompt-2", "anthropic"],
      ["my-deployment:formal", "azure"],
      ["my-deployment:prompt-2", "azure"],
      ["llama-3:formal", "openrouter"],
      ["llama-3:prompt-2", "openrouter"],
      ["llama3.2:formal", "ollama"],
      ["llama3.2:prompt-2", "ollama"],
    ]);
    expect(suite.judges).toMatchObject([
      { name: "embedder", endpoint: "embeddings" },
      { name: "grader", endpoint: "chat-completions" },
    ]);
    expect(text("tandem.yaml")).toContain("endpoint: embeddings, model: text-embedding-3-large");
    expect(suite.scorers.map(({ name, options }) => [name, options["threshold"] ?? null])).toEqual([
      ["correct", null],
      ["similar", 0.75],
      ["rubric", 0.8],
      ["tokens", null],
    ]);
    expect(left.map((line) => line.replace(/^promptfooconfig\.yaml:\d+: /, ""))).toEqual([
      expect.stringMatching(/^`config\.foo` of openai:chat:gpt-4\.1: write it into `body`/),
      expect.stringMatching(
        /^`config\.cost` of openai:chat:gpt-4\.1: write `price: \{ input, output \}` for its target/,
      ),
      expect.stringMatching(/^the key of openai:chat:gpt-4\.1: a key stands in the environment, OPENAI_API_KEY/),
      expect.stringMatching(/^the provider anthropic:messages:claude-x: asked by the address/),
      expect.stringMatching(/^the provider bedrock:anthropic\.claude: its address speaks no chat completions/),
      expect.stringMatching(/^the provider openai:embedding:text-embedding-3-small: describe it/),
    ]);
  });

  test("that is asked over HTTP is a described endpoint, its secrets by the names of variables", async () => {
    const { suite, text, left } = await made(`
prompts: ["{{q}}"]
providers:
  - id: https
    label: ours
    config:
      url: "https://{{env.HOST}}/api/{{lang}}/ask?v=2"
      headers: { Authorization: "Bearer sk-abcdefghijkl", X-Tenant: "{{ env.TENANT }}", Content-Type: application/json }
      body: { q: "{{prompt}}", more: [{ lang: "{{lang}}" }], price: "$5" }
      transformResponse: "json.choices?.[0]?.message.content || ''"
  - id: https
    config: { request: "POST /ask HTTP/1.1\\nHost: b.example.test\\n\\n{\\"q\\": {{prompt | dump}}}", transformResponse: text }
  - id: http://c.example.test
    config: { body: { q: "{{prompt}}" }, transformResponse: "json.items.map((x) => x.text).join()" }
tests: [{ vars: { q: b, lang: fr } }]
`);
    expect(text("tandem.yaml")).not.toContain("sk-abcdefghijkl");
    expect(text("tandem.yaml")).toContain('base_url: "https://${HOST}"');
    expect(suite.mapping.input).toMatchObject({ "variables.lang": "lang" });
    expect(suite.targets.map(({ name }) => name)).toEqual(["ours"]);
    expect(JSON.parse(String(suite.targets[0]?.endpoint).replace(/^[^{]*/, ""))).toEqual({
      method: "POST",
      path: "/api/{{ variables.lang }}/ask",
      query: { v: "2" },
      headers: { Authorization: "Bearer ${AUTHORIZATION}", "X-Tenant": "${TENANT}" },
      body: { q: "{{ input_prompt }}", more: [{ lang: "{{ variables.lang }}" }], price: '{{ "$" }}5' },
      answer: "$.choices[0].message.content",
    });
    expect(left.join("\n")).toMatch(
      /the header Authorization of https: its value stands in the environment, AUTHORIZATION/,
    );
    expect(left.join("\n")).toContain("the provider https: its raw request is not read; write `url`, `method`");
    expect(left.join("\n")).toMatch(
      /the provider http:\/\/c\.example\.test: the code of its transformResponse is not run/,
    );
  });

  test("leaves every secret out of what is written, by its name or its value, and shows none", async () => {
    const { suite, text, left, keys } = await made(`
prompts: ["{{q}}"]
providers:
  - id: "http://user:pw-7261-a@127.0.0.1:18999/v1/ask?api_key=sk-live-7261-b&v=2&key=7261-c"
    label: ours
    config:
      headers: { X-Auth: sk-live-7261-d, X-Session: "7261-e", X-Max-Tokens: "5", X-Plain: yes-please }
      queryParams: { token: "7261-f", lang: "{{lang}}" }
      body:
        q: "{{prompt}}"
        api_key: sk-live-7261-g
        max_tokens: 5
        tokenizer: fast
        session_id: "{{lang}}"
        parts: [{ user: { accessToken: "7261-h", name: me }, credentials: { value: "7261-i" } }, "Bearer 7261-j"]
        note: 'call it with {"password": "7261-k"}'
      transformResponse: json.reply
  - id: openai:chat:gpt-4.1
    config:
      baseUrl: "https://user:pw7261-l@api.example.test/v1?api_key=7261-m"
      headers: { Authorization: Bearer 7261-n, X-Api-Key: "7261-o" }
      passthrough: { api_key: "7261-p", extra: { clientSecret: "7261-q", top: 1 } }
      tools: [{ type: function, function: { name: f, parameters: { properties: { password: { type: string } } } } }]
  - { id: "exec:./bot.sh --key sk-live-7261-r" }
  - { id: "wss://user:7261-s@a.example.test/?token=7261-t" }
  - { id: "webhook:https://h.example.test/in?v=1", label: hook, config: { apiToken: "7261-u", tone: kind } }
  - { id: "https://path.example.test/sk-live-7261-v/ask", config: { body: { q: "{{prompt}}" } } }
tests: [{ vars: { q: b, lang: fr } }]
`);
    expect(`${text("tandem.yaml")}${left.join("\n")}`).not.toContain("7261");
    expect(suite.deployments.map(({ baseUrl }) => baseUrl)).toEqual([
      "http://127.0.0.1:18999",
      "https://api.example.test/v1",
    ]);
    expect(JSON.parse(String(suite.targets[0]?.endpoint).replace(/^[^{]*/, ""))).toMatchObject({
      query: { v: "2", lang: "{{ variables.lang }}" },
      headers: {
        "X-Auth": "${X_AUTH}",
        "X-Session": "${X_SESSION}",
        "X-Max-Tokens": "5",
        "X-Plain": "yes-please",
      },
      body: {
        q: "{{ input_prompt }}",
        max_tokens: 5,
        tokenizer: "fast",
        session_id: "{{ variables.lang }}",
        parts: [{ user: { name: "me" } }],
      },
    });
    expect(suite.targets[1]?.body).toMatchObject({
      extra: { top: 1 },
      tools: [{ function: { parameters: { properties: { password: { type: "string" } } } } }],
    });
    expect(keys).toEqual(["AUTHORIZATION", "X_API_KEY", "X_AUTH", "X_SESSION"]);
    for (const member of ["api_key", "parts[0].user.accessToken", "parts[1]", "token", "extra.clientSecret"])
      expect(left.join("\n")).toContain(`\`${member}\` of the `);
    expect(left.join("\n")).toContain("the user and the password of http://127.0.0.1:18999/v1/ask:");
  });

  test("at the address of a run is asked by the request of the file, with a key where it has one", async () => {
    const at = "http://127.0.0.1:8787/v2/video-bots?example_id=helpdesk";
    const body = 'body: { input_prompt: "{{prompt}}" }, transformResponse: "json.output.output_text[0]"';
    const { suite, left, keys } = await made(`
prompts: ["{{q}}"]
providers:
  - { id: "${at}", config: { headers: { Content-Type: application/json }, ${body} } }
  - { id: "${at}", config: { headers: { Authorization: "Bearer {{env.DESK_KEY}}", X-A: b }, ${body} } }
tests: [{ vars: { q: b } }]
`);
    expect(JSON.parse(String(suite.targets[0]?.endpoint).replace(/^[^{]*/, ""))).toMatchObject({
      path: "/v2/video-bots",
      query: { example_id: "helpdesk" },
      answer: "$.output.output_text[0]",
    });
    expect(suite.deployments[0]).toMatchObject({ keyOptional: true });
    expect(JSON.parse(String(suite.targets[1]?.endpoint).replace(/^[^{]*/, ""))).toMatchObject({
      headers: { Authorization: "Bearer ${DESK_KEY}", "X-A": "b" },
    });
    expect(keys).toEqual(["DESK_KEY"]);
    expect(left).toEqual([]);
  });

  test.each([
    ["json.reply.text", "$.reply.text"],
    ["(json) => json.a[0]['b c']", "$.a[0]['b c']"],
    ["(json, text) => { return json.output; }", "$.output"],
    ["({ output: json.answer, links: json.links })", "$.answer"],
    ["data.x ?? ''", "$.x"],
    ["text", undefined],
  ])("has its answer by %s", (code, path) => expect(answerPath(code)?.path).toBe(path));

  test.each(["json.a.b()", "file://parse.js", "json.map((x) => x)", "process.exit()"])(
    "has no answer by the code %s",
    (code) => expect(answerPath(code)).toBeNull(),
  );
});

describe("a transform of promptfoo", () => {
  const config = (options: string, asserts: string, provider = "openai:gpt-4.1"): string => `
prompts: ["Say {{q}}"]
providers: [${provider}]
defaultTest: { options: { ${options} } }
tests: [{ vars: { q: one }, assert: [${asserts}] }]
`;

  test("that steps into the answer is the part that checks, judges and embeddings look at", async () => {
    const { rows, suite, left } = await made(
      config(
        "transform: JSON.parse(output)",
        `{ type: equals, value: Paris, transform: "output.city.trim()" },
         { type: icontains, value: x, transform: "(output) => output.list[0]['a b'];" },
         { type: is-json }, { type: latency, threshold: 100 },
         { type: llm-rubric, value: short, transform: output.city }, { type: similar, value: Rome, transform: output.city },
         { type: contains, value: x, transform: "output.map((each) => each.name)" }`,
      ),
    );
    expect(rows[0]?.["__checks"]).toEqual([
      { type: "regex", value: "^\\s*Paris\\s*$", member: "$.city" },
      expect.objectContaining({ type: "contains", member: "$.list[0]['a b']" }),
      { type: "is-json" },
      { type: "latency", max: "100ms" },
      { scorer: "rubric" },
      { scorer: "similar" },
    ]);
    expect(suite.scorers.map(({ name, options }) => [name, options["member"]])).toMatchObject([
      ["correct", undefined],
      ["checks", undefined],
      ["rubric", "$.city"],
      ["similar", "$.city"],
      ["tokens", undefined],
    ]);
    expect(left.join("\n")).toMatch(/:\d+: the expectation contains with a transform: the answer is changed by code/);
  });

  test("of called functions looks at them, and at their arguments", async () => {
    const provider = "{ id: openai:gpt-4.1, config: { tools: [{ type: function, function: { name: f } }] } }";
    const { rows, left } = await made(
      config(
        "",
        `{ type: equals, value: f, transform: "output[0].function.name" },
         { type: contains, value: Rome, transform: "JSON.parse(output[0].function.arguments).city" },
         { type: contains, value: Bern, transform: "output[0].city" }`,
        provider,
      ),
    );
    expect(rows[0]?.["__checks"]).toEqual([
      expect.objectContaining({ type: "equals", on: "choices[0].message.tool_calls[0].function.name" }),
      expect.objectContaining({ on: "choices[0].message.tool_calls[0].function.arguments", member: "$.city" }),
    ]);
    expect(left.join("\n")).toContain("the expectation contains with a transform");
  });

  test("of a provider counts where it is that of all; before that of a test, which is before that of its code", async () => {
    const of = (transform: string): string => `{ id: openai:gpt-4.1, transform: ${transform} }`;
    const own =
      "{ type: contains, value: b, transform: output.b }, { type: javascript, value: output === 1, transform: output.b }";
    const all = await made(config("transform: output.a", own, of("JSON.parse(output)")));
    expect(all.rows[0]?.["__checks"]).toMatchObject([{ member: "$.a.b" }, { scorer: "javascript" }]);
    const module = (await import(join(all.folder, "out", "assertions.mjs"))) as {
      default: (given: object) => Promise<{ pass: boolean }>;
    };
    expect(await module.default({ text: '{"a": {"b": 1}}', columns: { __javascript: '["js1"]' } })).toMatchObject({
      pass: true,
    });
    const mixed = await made(config("", own, `${of("JSON.parse(output)")}, openai:gpt-4o`));
    expect(mixed.left.join("\n")).toContain("`transform` of a provider: it changes the answers of one provider");
  });
});

describe("names of promptfoo's", () => {
  test("in any script, with spaces and marks, are those of targets, variables and metrics", async () => {
    const { suite, rows } = await made(`
prompts: ["पूछो {{सवाल}} 👩🏽‍🌾"]
providers: [{ id: openai:gpt-4.1-mini, label: "क़लम 🖊️ (new): [x]" }, { id: "openai:gpt-4.1\\ny: {z}", label: "n: [\\n}" }]
tests: [{ vars: { सवाल: "नमस्ते {{ q }}", q: a }, metadata: { भाषा: हिन्दी }, assert: [{ type: icontains, value: "{{सवाल}}", metric: "लहजा" }] }]
`);
    expect(suite.targets.map(({ name }) => name)).toEqual(["क़लम-new-:-x", "n"]);
    expect(suite.mapping.input).toEqual({ input_prompt: "पूछो {{सवाल}} 👩🏽‍🌾" });
    expect(rows[0]).toMatchObject({ सवाल: "नमस्ते a", भाषा: "हिन्दी", __checks: [{ value: "नमस्ते a", metric: "लहजा" }] });
  });
});

describe("a template of promptfoo", () => {
  test.each([
    ["{{ name | upper | trim }}", " x ", "X"],
    ['{{ list | join(", ") }}', ["a", "b"], "a, b"],
    ["{{ list }}", ["a", "b"], "a,b"],
    ["{{ user.name }} {{ user['age'] }}", { name: "Ann", age: 5 }, "Ann 5"],
    ["{% if flag %}yes{% else %}no{% endif %}", "", "no"],
    ["{% for x in list %}{{ loop.index }}:{{ x }};{% endfor %}", ["a", "b"], "1:a;2:b;"],
    ["{% set y = name | length %}{{ y }}{# a note #}", "abc", "3"],
    ['{{ none | default("x") }}', "", "x"],
  ])("%s is filled with the values of a test", (template, value, filled) => {
    const names = ["name", "list", "user", "flag"];
    const filler = templateFiller({});
    expect(filler.text(template, Object.fromEntries(names.map((name) => [name, value])))).toBe(filled);
  });

  test.each([
    "{{ a + b }}",
    "{% macro f() %}{% endmacro %}",
    "{{ f(x) }}",
    "{{ (x | load).y }}",
    "{{ a if b else c }}",
    "{% include 'x' %}",
  ])("%s is none that Liquid can fill", (template) => expect(liquidOf(template)).toBeNull());
});
