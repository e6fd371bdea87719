import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { blocksOf } from "./guide-blocks.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const answers: readonly [form: string, answer: string, pass: boolean][] = [
  ["sql", "SELECT name FROM shops WHERE city = 'Paris'", true],
  ["sql", "Try this:\n```sql\nDELETE FROM shops\n```", true],
  ["sql", "select from where", false],
  ["sql", "SELECT name FROM clients", false],
  ["xml", "<order><item>tea</item></order>", true],
  ["xml", "Here:\n```xml\n<order><item/></order>\n```", true],
  ["xml", "<order><item>tea</order>", false],
  ["xml", "<order/>", false],
];

test("the module over parsers in the guide to promptfoo grades SQL and XML as it stands there", async () => {
  const blocks = blocksOf("docs/guides/from-promptfoo.md");
  const at = blocks.findIndex(({ file }) => file === "parses.mjs");
  const service = await startService(({ prompt }) => record(answers[Number(prompt)]?.[1] ?? ""));
  const rows = answers.map(([form], i) => `k${i},${i},${form}\n`).join("");
  const tandem = new Tandem()
    .file("p.csv", `id,question,form\n${rows}`)
    .file("parses.mjs", blocks[at]?.text ?? "")
    .file(
      "tandem.yaml",
      `dataset: p.csv\ncase: { key: id, input: { input_prompt: question }, tags: [form] }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }\n${blocks[at + 1]?.text ?? ""}`,
    );
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(tandem.folder, "node_modules"));
  const { code, err } = await tandem.run("run", "--quiet");
  expect(code, err).toBe(0);
  const grades = tandem.query<{ key: string; pass: number }>(
    "SELECT case_key AS key, pass FROM scores WHERE pass IS NOT NULL ORDER BY case_key",
  );
  expect(grades).toEqual(answers.map(([, , pass], i) => ({ key: `k${i}`, pass: Number(pass) })));
});

test.each(["is-sql", "is-xml", "is-html", "gleu", "meteor"])(
  "a suite or a row with %s is told what serves in its place, and nothing is sent",
  async (type) => {
    let asked = 0;
    const service = await startService(() => record(String(asked++)));
    const suite = (rest: string): string => `dataset: p.jsonl\ndeployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }\n${rest}`;
    const row = { question: "Hi", expected: "x", checks: [{ type }] };
    const tandem = new Tandem()
      .file("p.jsonl", `${JSON.stringify(row)}\n`)
      .file("suite.yaml", suite(`scorers: [{ type: ${type} }]\n`))
      .file("rows.yaml", suite("case: { scorers: checks }\n"));
    for (const name of ["suite.yaml", "rows.yaml"]) {
      const { code, out, err } = await tandem.run("run", name);
      expect([name, code, asked]).toEqual([name, 2, 0]);
      expect(out + err).toMatch(/Grade it by \{ type: module \} over a parser of your choice|Take (?:bleu|chrf)/);
    }
  },
);
