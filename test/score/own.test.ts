import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { slowTest } from "../often.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { trustCode } from "../../src/score/contract/code-trust.ts";
import { makeScorers } from "../../src/score/make.ts";
import type { EffectScorer } from "../../src/score/contract/scorer.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { answered } from "./answered.ts";

/** A scorer of a file in a folder of its own. */
async function own(entry: JsonObject, files: Record<string, string>, timeoutMs = 20_000): Promise<EffectScorer> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-own-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const scorers = scorerSpecs([entry]);
  const trust = trustCode({ folder, scorers, keyNames: ["OF_A_DEPLOYMENT"] });
  const [made] = await makeScorers(scorers, { trust, timeoutMs });
  if (made?.scorer.kind !== "effect") throw new Error("no effect scorer was made");
  const { scorer } = made;
  onTestFinished(() => scorer.close());
  return scorer;
}

const answer = answered("Good morning!", { expected: "Good", tags: { language: "en" } });

describe("a module of one's own", () => {
  const module = { type: "module", file: "./score.mjs" };

  test.each<[string, string, object]>([
    ["a number", "({ text }) => text.length / 100", { value: 0.13, pass: false }],
    ["true or false", "async ({ text, expected }) => text.includes(expected)", { value: 1, pass: true }],
    [
      "a whole score",
      '() => ({ value: 0.2, pass: true, reason: "polite" })',
      { value: 0.2, pass: true, reason: "polite" },
    ],
    ["why there is none", '() => ({ unscored: "no idea" })', { unscored: "no idea" }],
    ["nothing", "() => {}", { unscored: "it gave undefined, which is no score" }],
    ["NaN", "() => NaN", { unscored: "it gave NaN, which is no score" }],
    ["null as an exception", "() => { throw null; }", { unscored: "it threw null" }],
    ["what is out of its scale", "() => 7", { unscored: expect.stringContaining("not between 0 and 1") }],
    ["an exception", '() => { throw new TypeError("oh") }', { unscored: "oh" }],
    ["what cannot leave the thread", "() => 1n", { unscored: "it gave a bigint, which is no score" }],
    [
      "a look at its options and tags",
      "({ options, tags }) => options.min === 3 && tags.language === 'en'",
      { value: 1 },
    ],
  ])("may give %s", async (_what, code, score) => {
    const scorer = await own({ ...module, options: { min: 3 } }, { "score.mjs": `export default ${code};` });
    expect(await scorer.grade(answer)).toMatchObject(score);
  });

  test("may be one of several exports, with modules of its own", async () => {
    const files = {
      "score.mjs": 'import { limit } from "./limit.mjs"; export const polite = () => limit;',
      "limit.mjs": "export const limit = 1;",
    };
    expect(await (await own({ ...module, export: "polite" }, files)).grade(answer)).toMatchObject({
      value: 1,
      pass: true,
    });
    const wrong = await (await own({ ...module, export: "politely" }, files)).grade(answer);
    expect(wrong).toEqual({ unscored: "the module exports no function politely; it exports polite" });
  });

  test("may be TypeScript", async () => {
    const code =
      'import { least } from "./least.ts"; type Given = { text: string };\nexport default function grade({ text }: Given): number { return text.length > least ? 1 : 0; }';
    const scorer = await own(
      { type: "module", file: "score.ts" },
      { "score.ts": code, "least.ts": "export const least: number = 3;" },
    );
    expect(await scorer.grade(answer)).toMatchObject({ value: 1, pass: true });
  });

  test("that never returns is ended in time, and the next answer is graded", async () => {
    const code = "export default ({ text }) => { while (text === 'hang') {} return 1; };";
    const scorer = await own({ ...module, timeout: "1s", concurrency: 1 }, { "score.mjs": code });
    expect(await scorer.grade(answered("hang"))).toEqual({ unscored: "it took longer than 1000 ms, and was ended" });
    expect(await scorer.grade(answered("go on"))).toMatchObject({ value: 1 });
  });

  test("that hangs again and again is given up", async () => {
    const scorer = await own(
      { ...module, timeout: "50ms" },
      { "score.mjs": "export default () => new Promise(() => {});" },
    );
    for (let i = 0; i < 5; i++) expect(await scorer.grade(answer)).toHaveProperty("unscored");
    expect(await scorer.grade(answer)).toMatchObject({ unscored: expect.stringContaining("given up") });
  });

  slowTest("that ends its thread, or eats its memory, leaves the answer unscored", async () => {
    const code =
      "export default ({ text }) => { if (text === 'exit') process.exit(3); const all = []; for (;;) all.push(new Array(1e6).fill(text)); };";
    const scorer = await own(module, { "score.mjs": code });
    expect(await scorer.grade(answered("exit"))).toEqual({ unscored: "its thread ended with code 3" });
    expect(await scorer.grade(answered("eat"))).toMatchObject({ unscored: expect.stringContaining("memory") });
  });

  test("that cannot be parsed or found says so", async () => {
    expect(await (await own(module, { "score.mjs": "export default (" })).grade(answer)).toHaveProperty("unscored");
    await expect(own(module, {})).rejects.toThrow(/there is no file .*score\.mjs/);
  });
});

describe("a command of one's own", () => {
  const loop = (body: string): string =>
    `const lines = require("node:readline").createInterface({ input: process.stdin }); lines.on("line", (line) => { const answer = JSON.parse(line); ${body} });`;
  const command = { type: "command", command: [process.execPath, "score.cjs"], concurrency: 1 };

  test("answers line by line, in its own folder, and stays for the next answer", async () => {
    const scorer = await own(command, {
      "score.cjs": `let n = 0; ${loop('console.log(JSON.stringify({ value: ++n / 10, reason: answer.text + " नमस्ते" }))')}`,
    });
    expect(await scorer.grade(answer)).toMatchObject({ value: 0.1, reason: "Good morning! नमस्ते" });
    expect(await scorer.grade(answer)).toMatchObject({ value: 0.2 });
  });

  test("that crashes leaves the answer unscored with the end of stderr, and is started again", async () => {
    const body =
      'if (answer.text === "crash") { console.error("Traceback: no model"); process.exit(4); } console.log(true)';
    const scorer = await own(command, { "score.cjs": loop(body) });
    expect(await scorer.grade(answered("crash"))).toEqual({
      unscored: "it ended with code 4; stderr: Traceback: no model",
    });
    expect(await scorer.grade(answer)).toMatchObject({ value: 1, pass: true });
  });

  test.each<[string, string, string, RegExp]>([
    ["prints what is not JSON", 'console.log("hello")', "30s", /it wrote "hello", which is not JSON/],
    ["writes without end", 'process.stdout.write("x".repeat(3000000))', "30s", /more than 1048576 bytes/],
    ["never answers", "", "1s", /longer than 1000 ms/],
  ])("that %s leaves the answer unscored", async (_what, body, timeout, reason) => {
    const scorer = await own({ ...command, timeout }, { "score.cjs": loop(body) });
    expect(await scorer.grade(answer)).toMatchObject({ unscored: expect.stringMatching(reason) });
  });

  test("that does not exist says so", async () => {
    const scorer = await own({ type: "command", command: "no-such-program --x" }, {});
    expect(await scorer.grade(answer)).toMatchObject({ unscored: expect.stringContaining("cannot be started") });
  });

  test("is not shown tandem's keys", async () => {
    process.env["TANDEM_PROD_API_KEY"] = "sk-secret";
    onTestFinished(() => void delete process.env["TANDEM_PROD_API_KEY"]);
    const scorer = await own(command, {
      "score.cjs": loop("console.log(process.env.TANDEM_PROD_API_KEY === undefined)"),
    });
    expect(await scorer.grade(answer)).toMatchObject({ value: 1 });
  });
});
