import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPromptfooConfig } from "../../src/init/promptfoo/config.ts";
import { initPromptfoo } from "../../src/init/promptfoo/init-promptfoo.ts";
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
  const result = await initPromptfoo({ ...(await readPromptfooConfig(path, config)), path, to, name: "demo" });
  const text = (name: string): string => readFileSync(join(to, name), "utf8");
  const rows = text("demo.tests.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { suite } = await loadSuite(join(to, "tandem.yaml"), {});
  return { ...result, text, rows, suite, folder };
}

const shop = `
prompts:
  - file://prompts.txt
providers:
  - openai:some-model
  - id: https://bots.example.test/v2/video-bots?example_id=desk
    config: { headers: { Authorization: Bearer sk-123456789012 } }
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
      - { type: similar, value: Hi }
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
        { type: "contains-any", value: ["hello", "good day"], ignore_case: true },
        { type: "contains", value: "please" },
      ],
      __rubric: "Names Shoes and more and nothing else",
      __javascript: ["js1"],
    });
    expect(rows[3]).toMatchObject({ topic: "numbers", __checks: [{ type: "starts-with", value: "3" }] });
    expect(suite.mapping).toMatchObject({ input: { input_prompt: "At {{shop}}: {{asked}}" }, scorers: "__checks" });
    expect(suite.scorers.map(({ name, type }) => [name, type])).toEqual([
      ["correct", "all-of"],
      ["checks", "checks"],
      ["rubric", "judge"],
      ["javascript", "module"],
    ]);
    expect(suite.targets).toMatchObject([{ name: "prod", endpoint: "video-bots", exampleId: "desk" }]);
    expect(text("tandem.yaml")).not.toContain("sk-123456789012");
    expect(left).toEqual([
      expect.stringMatching(/^the expectation similar: it needs embeddings/),
      expect.stringMatching(/^the provider openai:some-model: a target is a saved bot/),
      expect.stringMatching(/^the headers of https:.*: a key stands in TANDEM_PROD_API_KEY/),
      expect.stringMatching(/^further prompts: a suite sends one/),
    ]);
    expect(text("tandem.yaml")).toContain('# input_prompt: "Answer for {{shop}}: {{asked}}"');
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
      - { type: javascript, value: file://own.js }
      - { type: javascript, value: "if (output) {\\n  return { pass: true, score: 0.5, reason: 'half' };\\n}\\nreturn false;" }
      - { type: javascript, value: "JSON.parse(output).a" }
`;
    const { text, folder } = await made(config, { "pf/own.js": "export default (output) => output.length / 10;\n" });
    expect(text("assertions.mjs")).toContain('await import("./../pf/own.js")');
    const module = (await import(join(folder, "out", "assertions.mjs"))) as {
      default: (row: object) => Promise<object>;
    };
    const columns = { x: "1", __javascript: '["js1","js2","js3","js4"]' };
    expect(await module.default({ text: "12345", question: "Say 1", expected: null, columns })).toEqual({
      value: (1 + 1 + 0.5 + 0.5) / 4,
      pass: true,
      reason: "js1 returned 1",
    });
    const thrown = { ...columns, __javascript: '["js5"]' };
    expect(await module.default({ text: "x", question: "", expected: null, columns: thrown })).toMatchObject({
      value: 0,
      pass: false,
      reason: expect.stringContaining("js5: ") as string,
    });
    expect(await module.default({ text: "no", question: "Say 1", expected: null, columns })).toMatchObject({
      pass: false,
    });
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
    expect(left.filter((line) => line.includes("it is code"))).toHaveLength(2);
  });

  test("reads no file outside of its folder, by a path or a link, and says so", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "secret.txt"), "the secret");
    mkdirSync(join(folder, "pf"));
    symlinkSync(join(folder, "secret.txt"), join(folder, "pf", "link.txt"));
    const path = join(folder, "pf", "promptfooconfig.yaml");
    const config = `
prompts: ["{{a}} {{b}} {{c}}"]
providers: [x]
tests: [{ vars: { a: "file://../secret.txt", b: "file:///etc/hostname.txt", c: "file://link.txt" } }]
`;
    const read = await readPromptfooConfig(path, config);
    expect(read.tests[0]?.vars).toEqual({ a: "", b: "", c: "" });
    expect(read.left.lines.join("\n")).toMatch(/the variable a, file:\/\/\.\.\/secret\.txt: there is no such file/);
    const to = join(folder, "out");
    await initPromptfoo({ ...read, path, to, name: "x" });
    expect(readFileSync(join(to, "tandem.yaml"), "utf8")).not.toContain("the secret");
  });

  test("without a prompt that can be sent is refused with the reason, and nothing is written", async () => {
    const chat = `[{"role": "system", "content": "x"}, {% for m in before %}{{ m }},{% endfor %} {"role": "user", "content": "{{q}}"}]`;
    const folder = temporaryFolder();
    const path = join(folder, "promptfooconfig.yaml");
    const config = `prompts: [${JSON.stringify(chat)}, "{{ (x | load).y }}"]\nproviders: [a]\ntests: [{ vars: { q: b, x: c, before: d } }]\n`;
    writeFileSync(path, config);
    const to = join(folder, "out");
    const making = readPromptfooConfig(path, config).then((read) => initPromptfoo({ ...read, path, to, name: "x" }));
    await expect(making).rejects.toThrow(/has no prompt that can be sent[^]*its messages are made by the template/);
    expect(existsSync(to)).toBe(false);
  });

  test("takes a chat whose texts have places, also by the filter of JSON", async () => {
    const chat = `[{"role": "system", "content": "Be brief."}, {"role": "user", "content": {{ q | dump }}}]`;
    const { suite } = await made(`prompts: [${JSON.stringify(chat)}]\nproviders: [a]\ntests: [{ vars: { q: b } }]\n`);
    expect(suite.mapping.input).toEqual({
      input_prompt: "{{q}}",
      messages: { value: [{ role: "system", content: "Be brief." }] },
    });
  });
});
