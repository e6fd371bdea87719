import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

/** Two bots on a sheet that is too small for a PASS; `varies`: one answer of the baseline differs from run to run. */
async function small(varies = false): Promise<Tandem> {
  let asked = 0;
  const { url } = await startService(({ path, prompt }) => {
    const isBaseline = path.includes("=a");
    if (isBaseline && prompt === "question 7?") asked += 1;
    const wrong = varies && isBaseline && prompt === "question 7?" && asked === 2;
    return record(wrong ? "no" : `answer ${/\d+/.exec(prompt)?.[0] ?? ""}`);
  });
  const rows = Array.from({ length: 30 }, (_, row) => `k${row},question ${row}?,answer ${row}`);
  return new Tandem().file("sheet.csv", ["id,question,golden", ...rows].join("\n")).file(
    "suite.yaml",
    `name: small
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: a }
  test: { deployment: here, endpoint: video-bots, example_id: b }
scorers: [{ name: correct, type: equals }]
gates: [{ metric: correct, margin: 0.05 }]
`,
  );
}

test("the advice of TOO FEW ROWS counts rows: with three runs of each, and after three equal runs as it stands", async () => {
  const tandem = await small();
  const once = await tandem.run("run", "suite.yaml");
  expect(flat(once.out)).toContain("TOO FEW ROWS");
  expect(flat(once.out)).toContain("put `repeats: 3` and `gates: [{ metric: correct, losses: 0 }]` into suite.yaml.");
  const thrice = await tandem.run("run", "suite.yaml", "--repeats", "3");
  expect(flat(thrice.out)).toContain(
    "To decide by these rows alone from the next run on, since prod was graded alike in all its runs, put `gates: [{ metric: correct, losses: 0 }]` into suite.yaml.",
  );
  // What is offered can be pasted, and is a verdict.
  tandem.file(
    "suite.yaml",
    tandem.text("suite.yaml").replace(/^gates: .*$/m, "repeats: 3\ngates: [{ metric: correct, losses: 0 }]"),
  );
  const counted = await tandem.run("run", "suite.yaml");
  expect([counted.code, counted.out]).toEqual([0, expect.stringContaining("PASS  ")]);
});

test("a baseline that was graded differently from run to run is offered none", async () => {
  const tandem = await small(true);
  const { out } = await tandem.run("run", "suite.yaml", "--repeats", "3");
  expect(flat(out)).toContain("TOO FEW ROWS");
  expect(out).not.toContain("losses: 0");
});
