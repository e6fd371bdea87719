import { expect } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

slowTest(
  "the built command has everything that scorers load when they are needed, and hostile ones end in time",
  async () => {
    const service = await startService(() => record("the library opens every day in the morning at nine"));
    const tandem = new Tandem()
      .file("prompts.csv", "id,input_prompt,expected\na,When,at nine\n")
      .file("typed.ts", "export const grade = ({ text }: { text: string }): boolean => text.length > 3;\n")
      .file("hang.mjs", "export default () => {\n  for (;;) {}\n};\n")
      .file(
        "ones.cjs",
        "require('node:readline').createInterface({ input: process.stdin }).on('line', () => console.log(1));\n",
      )
      .file(
        "suite.yaml",
        `dataset: prompts.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers:
  - { name: template, type: contains, value: "{{ expected }}" }
  - { name: schema, type: json-schema, on: output_text, schema: { type: array, items: { pattern: "nine$" } } }
  - { name: typed, type: module, file: typed.ts, export: grade, timeout: 30s }
  - { name: command, type: command, command: [node, ones.cjs], timeout: 30s }
  - { name: all, type: all-of, of: [template, schema, typed, command] }
  - { name: hostile, type: regex, value: "^(([a-z ]+)+)+#$" }
  - { name: hangs, type: module, file: hang.mjs, timeout: 500ms }
`,
      );
    // A scorer that hangs would be refused before anything is sent.
    expect((await tandem.run("run", "suite.yaml", "--no-preflight")).code).toBe(0);
    const { out } = await tandem.run("score", "--explain", "a");
    expect(out).toMatch(/all \(all-of\): pass, 1/);
    expect(out).toMatch(/hostile \(regex\): unscored: .* took longer than 500 ms/);
    expect(out).toMatch(/hangs \(module\): unscored: it took longer than 500 ms/);
  },
);
