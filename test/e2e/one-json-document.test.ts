import { expect, test } from "vitest";
import { endedBatch } from "../viewer/viewing.ts";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

/** Commands whose file goes to standard output, said or not said. */
const bothToOutput: [string, string[]][] = [
  ["export", []],
  ["export", ["-o", "-", "--format", "jsonl"]],
  ["export", ["--form", "comparison", "--where", "worse"]],
  ["label export", []],
  ["label export", ["--sample", "2"]],
  ["report", ["-o", "-", "--format", "markdown"]],
  ["report", ["-o", "-", "--format", "json"]],
  ["report", ["-o", "a.md", "-o", "-", "--format", "csv"]],
  ["compare", ["-o", "-", "--format", "junit"]],
  ["history two", ["-o", "-"]],
  ["pin latest", ["--export", "-"]],
  ["run suite.yaml", ["-o", "-", "--format", "markdown"]],
  ["resume latest", ["-o", "-", "--format", "markdown"]],
];

test("where --json and a file would both go to standard output, one sentence says so, as JSON", async () => {
  const { tandem } = await endedBatch();
  for (const [command, more] of bothToOutput) {
    const { code, out, err } = await tandem.run(...command.split(" "), ...more, "--json");
    const { error } = JSON.parse(out);
    expect([command, code, error.code, error.message], err).toEqual([
      command,
      2,
      "USAGE",
      "--json and the file of this command would both go to standard output.",
    ]);
  }
});

test("a command with --json prints one document, also where it has nothing to do, or is stopped", async () => {
  const { tandem } = await endedBatch();
  const commands = [
    ["export", "-o", "runs.csv"],
    ["label", "export", "-o", "labels.csv"],
    ["label", "draw", "--labels", "2"],
    ["report"],
    ["report", "-o", "a.md", "-o", "b.csv"],
    ["score"],
    ["score", "--list"],
    ["history", "two", "-o", "nights.csv"],
    ["pin", "latest", "--as", "p"],
    ["pin", "p", "--export", "p.json"],
    ["pin", "p", "--remove"],
    ["pin"],
    ["batches", "show", "latest"],
    ["judge", "rubrics", "tone"],
    ["send", "langfuse", "--dry-run"],
    ["compare", "-o", "c.md"],
    ["run", "suite.yaml", "--budget", "1", "--no-preflight"],
    ["check", "--offline", "suite.yaml"],
    ["completion", "zsh"],
    ["check", "suite.yaml"],
    ["workers"],
    ["none"],
    ["run", "gone.yaml"],
    ["export", "gone"],
  ];
  for (const words of commands) {
    const { code, out, err } = await tandem.run(...words, "--json");
    expect(() => JSON.parse(out), `${words.join(" ")} ${code}\n${out}\n${err}`).not.toThrow();
  }
});

test("a night that another process spends already is told as JSON", async () => {
  const held = Promise.withResolvers<void>();
  const service = await startService(() => ({ ...record("yes"), when: held.promise }));
  const suite = `name: nightly
dataset: prompts.csv
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;
  const tandem = new Tandem().file("prompts.csv", prompts(2)).file("suite.yaml", suite);
  const first = tandem.start("night", "suite.yaml", "--json");
  await expect.poll(() => service.received.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const { code, out } = await tandem.run("night", "suite.yaml", "--json");
  expect([code, JSON.parse(out)]).toEqual([
    0,
    {
      version: storedVersion,
      suite: "nightly",
      running: { pid: first.child.pid, host: expect.any(String), since: expect.any(String) },
    },
  ]);
  held.resolve();
  expect(JSON.parse((await first.ended).out).suite).toBe("nightly");
});
