import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { command, prompts, Tandem } from "./tandem.ts";

/** Writes down each file that a process loads. */
const spy = `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    if (url.includes("/dist/")) appendFileSync("loaded.txt", url + "\\n");
    return next(url, context);
  },
});
`;

const isOfPart =
  /src\/(?:workers|mcp|init|app\/(?:spans|scores)|score\/promptfoo)\/|node_modules\/(?:pg|pg-boss|saxes)\//;

/** The source files of parts among what was loaded, by the maps that stand beside the built files. */
function sourcesOfParts(tandem: Tandem): string[] {
  const files = tandem
    .text("loaded.txt")
    .trim()
    .split("\n")
    .map((url) => basename(url));
  const sources = files
    .filter((name) => name.endsWith(".js"))
    .flatMap((name): string[] => JSON.parse(readFileSync(join(command, "..", `${name}.map`), "utf8")).sources);
  expect(sources.length).toBeGreaterThan(300);
  return sources.map((path) => path.replace(/^(?:\.\.\/)+/, "")).filter((path) => isOfPart.test(path));
}

test("a plain run loads nothing of a part; a sheet of promptfoo loads what reads its expectations", async () => {
  const service = await startService(() => record("<p>open at nine</p>"));
  const suite = (scorer: string): string => `dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers:
  - { type: ${scorer} }
`;
  const tandem = new Tandem().file("p.csv", prompts(3)).file("spy.mjs", spy);
  tandem.as(process.execPath, "--import", "./spy.mjs", command);
  tandem.file("tandem.yaml", suite("contains, value: nine"));
  const run = await tandem.run("run");
  expect(run.code, run.err).toBe(0);
  expect(sourcesOfParts(tandem)).toEqual([]);
  tandem.remove("loaded.txt").file("p.csv", "id,question,__expected\na,Open?,contains: nine\n");
  expect((await tandem.run("run")).code).toBe(0);
  expect(sourcesOfParts(tandem)).toContain("src/score/promptfoo/assertion.ts");
});
