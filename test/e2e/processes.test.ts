import { expect } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

/** What a command said, without times, durations, and names by lot or by the time. */
const lasting = (text: string, { folder }: Tandem): string =>
  text
    .replaceAll(folder, "here")
    .replaceAll(/\b0{6}\w{6}\b/g, "0")
    .replaceAll(/[\d.,]+( m?s\b)?/g, "0");

/** How a command ends in this folder. */
async function endOf(line: string[], tandem: Tandem): Promise<unknown> {
  const { code, signal, out, err } = await tandem.run(...line);
  return { code, signal, out: lasting(out, tandem), err: lasting(err, tandem) };
}

/** A folder with a suite of two bots. */
async function prepared(): Promise<Tandem> {
  const { url } = await startService(({ prompt }) => record(`the answer to ${prompt}`));
  return new Tandem().file("p.csv", prompts(6)).file(
    "suite.yaml",
    `dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${url}" } }
targets: { old: { deployment: prod, endpoint: video-bots, example_id: a }, new: { deployment: prod, endpoint: video-bots, example_id: b } }
scorers: [{ name: said, type: contains, value: answer }]
`,
  );
}

const lines = `
run missing.yaml
run suite.yaml --json --no-such-flag
init p.csv --yes
validate suite.yaml
plan suite.yaml
run suite.yaml --quiet --concurrency 1
resume
score --explain k1
label export -o -
compare
pin latest --as release
report -o -
export
batches --json
merge nowhere neither
doctor p.csv
completion bash`
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

slowTest("a command does in a process that ran others what it does in a process of its own", async () => {
  const [own, shared] = [(await prepared()).alone(), await prepared()];
  for (const line of lines) {
    const [alone, warm] = await Promise.all([endOf(line, own), endOf(line, shared)]);
    expect(warm, line.join(" ")).toEqual(alone);
  }
});
