import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const cases = 60;

/** Tells if a try of a bot is answered right, by the number of the question; null: it fails. */
type IsRight = (bot: string, question: number, attempt: number) => boolean | null;

/** Two bots that share a service; the primary scorer is the second of the list. */
const suite = (url: string, more: string): string => `
name: desk
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { desk: { base_url: "${url}", retries: 0 } }
targets:
  prod: { deployment: desk, endpoint: video-bots, example_id: prod }
  test: { deployment: desk, endpoint: video-bots, example_id: test }
scorers:
  - { name: similar, type: chrf }
  - { name: correct, type: contains, primary: true }
${more}
`;

interface Row extends Record<string, string> {
  case_key: string;
  change: string;
  verdict: string;
  answer_differs: string;
}

/** The part of `report.json` that is looked at. */
interface Report {
  behaviour: { changed: boolean | null; sentence: string }[];
  metrics: { name: string }[];
  rows: { key: string; trend: string | null; flaky: string[] }[];
}

/** Runs the suite, with what it came to in every form. */
async function ran(isRight: IsRight, more: string, worded = (answer: string, _bot: string): string => answer) {
  const service = await startService(({ path, prompt, time }) => {
    const bot = path.endsWith("test") ? "test" : "prod";
    const question = Number(prompt.replaceAll(/\D/g, ""));
    const right = isRight(bot, question, time);
    if (right === null) return { status: 500, body: '{"detail":{"error":"down"}}' };
    const price = right ? question : question + 5_000;
    return record(worded(`It costs ${price} crowns.`, bot));
  });
  const rows = Array.from({ length: cases }, (_, i) => `k${i},Item ${i}?,costs ${i} crowns`);
  const tandem = new Tandem()
    .file("suite.yaml", suite(service.url, more))
    .file("prompts.csv", ["id,question,golden", ...rows].join("\n"));
  const { out, code } = await tandem.run("run", "suite.yaml", "--details");
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
  const file = (name: string): string => tandem.text(`results/${batch?.name ?? ""}/${name}`);
  return {
    code,
    out: out.replaceAll(/\s+/g, " "),
    rows: parse<Row>(file("comparison.csv"), { columns: true, bom: true }),
    report: JSON.parse(file("report.json")) as Report,
    markdown: file("report.md"),
    junit: file("junit.xml"),
  };
}

const countOf = (rows: readonly Row[], is: (row: Row) => boolean): number => rows.filter(is).length;

describe("a case of several tries", () => {
  // In `test` the second try of 20 questions is wrong, in `prod` the third of 4 others.
  const isRight: IsRight = (bot, question, attempt) =>
    bot === "test" ? question >= 20 || attempt !== 2 : question < 56 || attempt !== 3;

  test("that got worse, or is flaky, is one whose answers differ, in words and in every file", async () => {
    const { out, rows, report, markdown } = await ran(isRight, "repeats: 3");
    expect(out).toContain("20 of 60 rows worse, 4 better");
    // The first tries of all are the same, and the count is not of these alone.
    expect(countOf(rows, (row) => row.answer_differs === "true")).toBe(24);
    expect(countOf(rows, ({ verdict }) => verdict === "worse")).toBe(20);
    for (const row of rows) {
      const isFlaky = row["prod.flaky"] === "true" || row["test.flaky"] === "true";
      expect(row.answer_differs, row.case_key).toBe(String(isFlaky));
      expect(row.change, row.case_key).toBe(
        row["test.flaky"] === "true" ? "newly-flaky" : row["prod.flaky"] === "true" ? "newly-stable" : "same",
      );
      expect(Number(row["distance"]) > 0, row.case_key).toBe(isFlaky);
    }
    expect(report.rows.filter(({ trend }) => trend === "worse").every(({ flaky }) => flaky.includes("test"))).toBe(
      true,
    );
    expect(out).toMatch(/- 20 newly flaky: .* - 4 no longer flaky: /);
    expect(markdown).toContain("**20** newly flaky");
  });

  test("is not said to behave like the baseline where the scores say that it is worse", async () => {
    const often: IsRight = (bot, question, attempt) => bot === "prod" || question >= 40 || attempt !== 2;
    const { code, out, report, markdown } = await ran(often, "repeats: 3");
    expect(code).toBe(1);
    expect(out).toContain("test is worse than prod on `correct`");
    expect(out).not.toMatch(/like prod/);
    const reported = "Test behaves differently from prod by `correct` and `similar`; its texts alone do not show it.";
    expect(report.behaviour[0]).toMatchObject({ changed: true, moved: ["correct", "similar"] });
    expect(markdown.replaceAll(/[`\\]|&#\d+;|<\/?code>/g, "")).toContain(reported.replaceAll("`", ""));
  });

  test("newly fails in every form where all tries passed, and one without an answer did not", async () => {
    const fails: IsRight = (bot, question, attempt) => {
      if (bot === "prod") return question === 1 && attempt === 2 ? null : true;
      return question > 1;
    };
    const { out, junit, rows } = await ran(fails, "repeats: 2");
    expect(rows[0]).toMatchObject({ verdict: "worse", change: "changed", "prod.correct": "1" });
    expect(rows[1]).toMatchObject({ verdict: "worse", change: "newly-stable", "prod.correct": "0.5" });
    expect(out).toContain("2 of 60 rows worse");
    expect(out).toMatch(/- 1 newly failing: row 2 .*- 1 no longer flaky: /);
    expect(out).toMatch(/passed 1 of 2 times, now (?:fails|passes 0 of 2 times)/);
    expect(junit.match(/type="pass-to-fail"/g)).toHaveLength(1);
  });
});

describe("where the primary scorer is not the first of the list", () => {
  /** Ten questions are answered wrong by `test`, which also greets: no answer is as similar as before. */
  const wrong: IsRight = (bot, question) => bot === "prod" || question >= 10;
  const greeting = (answer: string, bot: string): string =>
    bot === "test" ? `Thank you for asking! ${answer}` : answer;

  test("every count beside the verdict is of the primary metric", async () => {
    const { out, rows, report, markdown } = await ran(wrong, "", greeting);
    expect(out).toContain("test is worse than prod on `correct`: 10 of 60 rows newly fail");
    expect(countOf(rows, ({ verdict }) => verdict === "worse")).toBe(10);
    expect(report.metrics.map(({ name }) => name)).toEqual(["correct", "similar"]);
    expect(`${out}${markdown}`).not.toMatch(/\b60 that/);
  });

  test("a list that is of the primary metric says so where another metric decides", async () => {
    const { out } = await ran(wrong, "gates: [{ metric: similar, margin: 1 }]", greeting);
    expect(out).toContain("test is worse than prod on `similar`: ");
    expect(out).toMatch(/Newly failing and newly passing on correct - 10 newly failing: /);
  });
});
