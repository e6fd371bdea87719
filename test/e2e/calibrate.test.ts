import { expect, test, vi } from "vitest";
import { slowTest } from "../often.ts";
import { type Reply, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

// Several commands one after the other, perhaps on a machine that others share.
vi.setConfig({ testTimeout: 240_000 });

/** A bot that is right but for every seventh question, which it gets wrong every other time. */
async function desk(rows: number, more = "") {
  const asked = new Map<string, number>();
  const service = await startService(({ prompt }): Reply => {
    const times = asked.get(prompt) ?? 0;
    asked.set(prompt, times + 1);
    const number = Number(/\d+/.exec(prompt)?.[0]);
    const text = number % 7 === 0 && (times + number) % 2 === 0 ? "مع السلامة" : `उत्तर ${number}`;
    const record = { id: "r", url: "https://bots.example.test/?run_id=r", created_at: "2026-11-20T19:30:12+00:00" };
    return { body: JSON.stringify({ ...record, output: { output_text: [text] } }) };
  });
  const sheet = Array.from({ length: rows }, (_, i) => `k${i},talk ${Math.floor(i / 4)},प्रश्न ${i},उत्तर ${i}`);
  const suite = `
name: nightly
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: golden_answer${more} }
deployments: { prod: { base_url: "${service.url}" }, test: { base_url: "${service.url}" } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: b }
compare: { baseline: prod, noise_repeats: 2 }
scorers: [{ name: correct, type: contains }]
`;
  const tandem = new Tandem()
    .file("suite.yaml", suite)
    .file("prompts.csv", ["id,talk,question,golden_answer", ...sheet].join("\n"));
  return { tandem, suite, service };
}

test("an A/A batch is run and replayed: as many runs of the baseline as both sides have", async () => {
  const { tandem, service } = await desk(40);
  const { code, out, err } = await tandem.run("calibrate", "suite.yaml", "--run", "--json", "--repetitions", "60");
  expect(code).toBe(0);
  expect(err).toContain("40 cases for prod");
  expect(service.received).toHaveLength(120);
  expect(JSON.parse(out)).toMatchObject({
    target: "prod",
    cases: 40,
    runs: { baseline: 2, candidate: 1 },
    configured: { baseline: 2, candidate: 1 },
    rows: [
      { drop: 0, kept: true, keptWorse: true, words: { regression: 0, worse: 0 }, repetitions: 60 },
      { drop: 0.05 },
      { drop: 0.1, kept: null },
      {},
    ],
  });
  // It is a batch like any other, of a suite by another name.
  const again = await tandem.run("calibrate", "nightly-calibration", "--repetitions", "60", "--drop", "0.2");
  expect(again.out).toContain("prod against itself: 40 cases of 1 batch, 1 run against 2\n");
  expect(again.out).toMatch(
    /^Where nothing has changed, none of [\d,]+ comparisons gives a false alarm \(REGRESSION or WORSE\)\.\n\d+\.\d % say PASS, (none says|\d+\.\d % say) BETTER\.$/m,
  );
  expect(again.out).toContain("counted: the word of each verdict.");
  expect(again.out).toMatch(/^A true drop of 20 points is called REGRESSION in \d+\.\d % and WORSE in \d+\.\d %\.$/m);
  // An A/A batch that was broken off is gone on with.
  const stopped = await tandem.run("calibrate", "suite.yaml", "--run", "--budget", "50", "--results", "other");
  expect(stopped).toMatchObject({ code: 3, out: "" });
  expect(stopped.err).toMatch(
    /is not finished, and nothing was calibrated: tandem resume nightly-calibration-\S+ --results other/,
  );
  const early = await tandem.run("calibrate", "--results", "other");
  expect(early).toMatchObject({ code: 2, err: expect.stringContaining("is not finished: its runs tell nothing yet.") });
});

slowTest("whole groups of a column are drawn, and fewer runs than the suite compares are said", async () => {
  const { tandem } = await desk(32, ", cluster: talk");
  await tandem.run("run", "suite.yaml", "--quiet");
  const { code, out } = await tandem.run("calibrate", "nightly", "--repetitions", "60");
  expect(code).toBe(0);
  expect(out).toContain(
    "prod against itself: 32 cases in 8 groups by talk of 1 batch, 1 run against 1 (the suite compares 1 against 2, which takes 3 runs of each case)",
  );
  expect(out).toContain("whole groups by talk drawn with replacement");
  // Two nights pooled, by a pin too, have enough.
  await tandem.run("run", "suite.yaml", "--quiet");
  await tandem.run("pin", "nightly~1", "nightly", "--as", "week");
  const week = await tandem.run("calibrate", "week:test", "--repetitions", "60");
  expect(week.out).toContain("test against itself: 32 cases in 8 groups by talk of 2 batches, 1 run against 1");
});

test("what cannot be calibrated is refused with what is missing", async () => {
  const { tandem, suite } = await desk(8, ", cluster: talk");
  const refused = async (...args: string[]): Promise<string> => {
    const { code, err } = await tandem.run("calibrate", ...args);
    expect(code).toBe(2);
    return err;
  };
  await tandem.run("run", "suite.yaml", "--quiet");
  expect(await refused()).toContain("two runs of 8 cases in 2 groups by talk only");
  expect(await refused("nightly:test")).toContain("test has no two runs of the same case");
  expect(await refused("suite.yaml")).toContain("add --run");
  expect(await refused("--target", "tset")).toContain('has no target "tset"');
  expect(await refused("suite.yaml", "--run", "--target", "tset")).toContain(
    'nightly has no target "tset" that can be run',
  );
  tandem.file("unscored.yaml", suite.replace(/^scorers.*$/m, "").replace("name: nightly", "name: unscored"));
  await tandem.run("run", "unscored.yaml", "--quiet");
  expect(await refused("unscored")).toContain("has no gate to calibrate");
  // Another definition of the scorer since: those nights are left out, and said.
  tandem.file("changed.yaml", suite.replace("type: contains", "type: icontains").replace(", cluster: talk", ""));
  await tandem.run("run", "changed.yaml", "--quiet");
  const { out } = await tandem.run("calibrate", "nightly", "--repetitions", "60");
  expect(out).toContain("8 cases of 1 batch");
  expect(out).toMatch(/left out: nightly-\S+ defines it differently/);
  expect(await refused("nightly", "--drop", "5")).toContain("5 points are --drop 0.05.");
});
