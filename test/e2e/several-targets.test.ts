import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = `id,question,golden\n${Array.from({ length: 40 }, (_, i) => `k${i},q ${i},right`).join("\n")}\n`;

/** Bots of which `slow` answers late, and each is wrong in the first so many rows. */
async function fourBots(wrong: Record<string, number>, gates: string): Promise<Tandem> {
  const { url } = await startService(({ path, body, prompt }) => {
    const bot = ["plain", "slow", "weak", "other"].find((name) => `${path} ${body}`.includes(`bot-${name}`)) ?? "";
    const answer = record(Number(prompt.slice(2)) < (wrong[bot] ?? 0) ? "wrong" : "right");
    return bot === "slow" ? { ...answer, delayMs: 80 } : answer;
  });
  const targets = ["plain", "slow", "weak", "other"].map(
    (bot) => `  ${bot}: { deployment: here, endpoint: video-bots, example_id: bot-${bot} }\n`,
  );
  return new Tandem().file("sheet.csv", sheet).file(
    "suite.yaml",
    `name: four
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
${targets.join("")}scorers: [{ name: correct, type: contains }, { name: seconds, type: latency }]
gates: [${gates}]
reports: [json, markdown, terminal]
`,
  );
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

test("sentences about several targets name theirs, in the terminal, in Markdown and in report.json", async () => {
  const tandem = await fourBots({ weak: 20 }, "{ metric: correct, margin: 0.1 }");
  const { code, out } = await tandem.run("run", "suite.yaml", "--details");
  expect(code).toBe(1);
  const batch = /four-\d{8}-\d{6}/.exec(out)?.[0] ?? "";
  const said = [oneLine(out), oneLine(tandem.text(`results/${batch}/report.md`)).replaceAll(/&#96;|<\/?code>/g, "`")];
  for (const text of said) {
    expect(text).toContain("weak is worse than plain on `correct`: 20 of 40 rows newly fail");
    // It is the bot that is slow of which the seconds are told, not the one that the sentence began with.
    expect(text).toMatch(/`seconds` of slow: 0\.\d+ s slower/);
    expect(text).not.toMatch(/weak is 0\.\d+ s slower/);
    expect(text).toContain("0 of 40 answers of slow differ from those of plain.");
    expect(text).toContain(
      "20 of 40 answers of weak differ from those of plain; `--noise-repeats 2` tells how many differ by chance.",
    );
    expect(text).toContain("0 of 40 answers of other differ from those of plain.");
    for (const bot of ["slow", "weak", "other"]) expect(text).toContain(`Behaviour of ${bot}: `);
    expect(text).not.toContain("Behaviour: ");
  }
  const { verdict } = JSON.parse(tandem.text(`results/${batch}/report.json`));
  expect(said[0]).toContain(verdict.sentence);
});

test("a gate that counts rows says nothing beyond them, and advises three runs where there was one", async () => {
  const tandem = await fourBots({ weak: 1 }, "{ metric: correct, losses: 0 }");
  const once = await tandem.run("run", "suite.yaml");
  expect(once.code).toBe(1);
  expect(oneLine(once.out)).toContain("REGRESSION 1 of 40 rows newly fails in weak on `correct`; the limit is 0");
  expect(oneLine(once.out)).toContain("Ask each three times: `--repeats 3`.");
  expect(once.out).not.toContain("is worse than");
  const thrice = await tandem.run("run", "suite.yaml", "--repeats", "3");
  expect([thrice.code, oneLine(thrice.out)]).toEqual([1, expect.not.stringContaining("--repeats 3")]);
});

test("a row without an expected answer is named by its number, and no hash stands beside it", async () => {
  const { url } = await startService(() => record("right"));
  const rows = Array.from({ length: 20 }, (_, i) => `q ${i},${i === 7 ? "" : "right"}`).join("\n");
  const tandem = new Tandem().file("sheet.csv", `question,golden\n${rows}\n`).file(
    "suite.yaml",
    `name: gaps
dataset: sheet.csv
case: { input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: correct, type: contains }]
reports: [json, markdown, terminal]
`,
  );
  const { out } = await tandem.run("run", "suite.yaml");
  expect(oneLine(out)).toContain("1 × test, not graded by correct: no expected answer (row 9)");
  expect(out).not.toMatch(/such as|the scorer no value/);
});
