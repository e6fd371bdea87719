import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { compared, sheetOf, type StoredRow } from "./stored-sides.ts";
import { flat, Tandem } from "./tandem.ts";

const equals = "{ name: correct, type: equals }";

/** Rows that are right on both sides, but for those that say otherwise. */
const rows = (count: number, other: (row: number) => Partial<StoredRow>): StoredRow[] =>
  Array.from({ length: count }, (_, row) => {
    const text = `answer ${row}`;
    return { expected: text, prod: text, test: text, ...other(row) };
  });

const counting = (losses: number) => `{ metric: correct, losses: ${losses} }`;

/** The latest batch's files. */
function files(tandem: Tandem): { junit: string; csv: Record<string, string>[]; markdown: string } {
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id DESC LIMIT 1");
  const text = (name: string): string => tandem.text(`results/${batch?.name}/${name}`);
  const csv: Record<string, string>[] = parse(text("comparison.csv"), { columns: true, bom: true });
  return { junit: text("junit.xml"), csv, markdown: text("report.md") };
}

describe("a golden row without an answer", () => {
  test("newly fails in every form of the report, however many answers the baseline lacks elsewhere", async () => {
    const other = (row: number) => (row < 3 ? { test: "" } : row >= 50 && row < 53 ? { prod: "" } : {});
    const tandem = sheetOf({ rows: rows(100, other), scorer: equals, gate: counting(0) });
    const told = `${process.execPath} -e "require('fs').writeFileSync('told.txt', process.env.TANDEM_VERDICT)"`;
    const { code, out } = await tandem.run("run", "suite.yaml", "--notify-command", told, "--notify-on", "problem");
    expect(code).toBe(1);
    expect(flat(out)).toContain(
      "REGRESSION 3 of 97 rows newly fail in test on `correct`; the limit is 0. 3 of them have no answer",
    );
    expect(flat(out)).toContain("Next: fill column `test` of s.csv in rows 2, 3 and 4, then run it again");
    expect(tandem.text("told.txt")).toBe("regression");
    const { junit, csv, markdown } = files(tandem);
    expect(junit.match(/<failure type="pass-to-fail"/g)).toHaveLength(3);
    expect(junit).toContain("newly fail; the limit is 0. 3 of them have no answer");
    expect(csv.filter(({ verdict }) => verdict === "worse").map(({ row }) => row)).toEqual(["2", "3", "4"]);
    expect(markdown).toContain("**3** newly failing: row 2, row 3, row 4");
  });

  test.each<[string, number, (row: number) => Partial<StoredRow>, number, string]>([
    [
      "alone among many gaps of the baseline",
      0,
      (row) => (row === 7 ? { test: "" } : row > 30 && row < 40 ? { prod: "" } : {}),
      200,
      "1 of 191 rows newly fails in test on `correct`; the limit is 0. It has no answer",
    ],
    [
      "beside rows that are wrong",
      1,
      (row) => (row === 0 ? { test: "" } : row === 1 ? { test: "no" } : {}),
      60,
      "2 of 60 rows newly fail in test on `correct`; the limit is 1. 1 of them has no answer",
    ],
    [
      "within what is allowed",
      2,
      (row) => (row < 2 ? { test: "" } : {}),
      60,
      "2 of 60 rows newly fail in test on `correct`; the limit is 2. 2 of them have no answer",
    ],
  ])("counts %s", async (_, losses, other, count, sentence) => {
    const { code, report } = await compared(
      sheetOf({ rows: rows(count, other), scorer: equals, gate: counting(losses) }),
    );
    expect(report.verdict.sentence).toContain(sentence);
    expect(report.verdict.word).toBe(losses === 2 ? "pass" : "regression");
    expect(code).toBe(losses === 2 ? 0 : 1);
  });

  test("fails the gate of its tag, also as the only row there, and makes no regression of a limit in points", async () => {
    const tandem = sheetOf({
      rows: rows(120, (row) => (row === 0 ? { test: "" } : row === 9 ? { prod: "" } : {})),
      scorer: equals,
      gate: "{ metric: correct, losses: 0, by: kind }, { metric: correct, margin: 0.05 }",
    });
    const [head = "", ...lines] = tandem.text("s.csv").trimEnd().split("\n");
    const tagged = lines.map((line, row) => `${line},${row === 0 ? "golden" : "usual"}`);
    tandem.file("s.csv", [`${head},kind`, ...tagged, ""].join("\n"));
    tandem.file("suite.yaml", `${tandem.text("suite.yaml")}case: { tags: [kind] }\n`);
    const { code, report } = await compared(tandem);
    expect(code).toBe(1);
    const words = report.gates.map(({ word }) => word);
    expect(words.toSorted()).toEqual(["pass", "pass", "regression"]);
    expect(report.verdict.sentence).toContain(
      "1 of 1 row newly fails in test on `correct` where kind is golden; the limit is 0",
    );
  });
});

describe("a golden row that is asked", () => {
  const suite = (prod: string, other: string, more: string): string => `name: live
dataset: s.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments:
  one: { base_url: "${prod}", concurrency: 1 }
  two: { base_url: "${other}", concurrency: 1 }
targets:
  prod: { deployment: one, endpoint: video-bots, example_id: a }
  test: { deployment: two, endpoint: video-bots, example_id: a }
compare: { baseline: prod }
${more}`;
  const sheet = (count: number): string =>
    [
      "id,question,golden",
      ...Array.from({ length: count }, (_, row) => `k${row},question ${row},right${row}`),
      "",
    ].join("\n");
  const right = (prompt: string): string => `right${/\d+/.exec(prompt)?.[0] ?? ""}`;

  test("newly fails where nothing graded it in any of its runs, and one run with a grade is enough", async () => {
    const judged = await startService(({ body }) => {
      const text = body.includes("right3 maybe") ? "I cannot say." : '{"score": 1}';
      return record(text);
    });
    const prod = await startService(({ prompt }) => record(right(prompt)));
    let time = 0;
    const other = await startService(({ prompt }) => {
      const once = prompt === "question 5" && (time += 1) === 1;
      return record(prompt === "question 3" || once ? "right3 maybe" : right(prompt));
    });
    const scorers = `scorers: [{ name: correct, type: judge, target: grader }]
judges: { grader: { deployment: three, endpoint: video-bots, example_id: judge } }
gates: [{ metric: correct, losses: 0 }]
repeats: 2
`;
    const text = suite(prod.url, other.url, scorers).replace(
      "targets:",
      `  three: { base_url: "${judged.url}" }\ntargets:`,
    );
    const tandem = new Tandem().file("s.csv", sheet(40)).file("suite.yaml", text);
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(flat(out)).toContain(
      "1 of 40 rows newly fails in both runs of test on `correct`; the limit is 0. It is not graded",
    );
    expect(code).toBe(1);
    const { junit } = files(tandem);
    expect(junit.match(/<failure type="pass-to-fail"/g)).toHaveLength(1);
    expect(junit).toContain("the judge's replies have no verdict that can be read");
  });

  test("stops a run that stops when it is decided", async () => {
    const prod = await startService(({ prompt }) => record(right(prompt)));
    const other = await startService(({ prompt }) =>
      prompt === "question 4" ? { status: 422, body: '{"detail":"no"}' } : record(right(prompt)),
    );
    const gate = `scorers: [{ name: correct, type: contains }]\ngates: [{ metric: correct, losses: 0 }]\n`;
    const text = suite(prod.url, other.url, gate).replace("baseline: prod", "baseline: prod, stop_when: decided");
    const tandem = new Tandem().file("s.csv", sheet(60)).file("suite.yaml", text);
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(flat(out)).toMatch(/1 of \d+ rows? newly fails in test on `correct`; the limit is 0\. It has no answer/);
    expect(code).toBe(1);
    expect(other.received.length).toBeLessThanOrEqual(60);
  });
});

describe("a baseline that has no more to lose than the limit", () => {
  test.each([
    [60, 3, 0.05],
    [40, 4, 0.1],
    [100, 5, 0.05],
  ])("cannot tell: of %d rows %d pass, and the limit is %d", async (count, passing, margin) => {
    const other = (row: number) => (row < passing ? {} : { prod: "no", test: "no" });
    const gate = `{ metric: correct, margin: ${margin} }`;
    const { report } = await compared(sheetOf({ rows: rows(count, other), scorer: equals, gate }));
    expect(report.verdict).toMatchObject({ word: "cannot-tell", claim: "none" });
    expect(report.verdict.sentence).toContain(`Both bots pass ${passing} of ${count}`);
  });
});
