import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { compared, sheetOf, type StoredRow, type StoredSides } from "./stored-sides.ts";
import { flat, prompts, Tandem } from "./tandem.ts";

const comparedSides = (given: StoredSides) => compared(sheetOf(given));

const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");
const alike = (rows: number, count: (row: number) => number): StoredRow[] =>
  Array.from({ length: rows }, (_, i) => ({ prod: words(count(i)), test: words(count(i)) }));

const length = "{ name: words, type: length, unit: words }";
const rate = "{ type: wer }";

describe("a score without ends", () => {
  test("does not pass on five equal rows: nothing varied, and a range is what to paste", async () => {
    const { code, out, report } = await comparedSides({
      rows: alike(5, () => 6),
      scorer: length,
      gate: "{ metric: words, margin: 3 }",
    });
    expect(code).toBe(0);
    expect(report.gates[0]).toMatchObject({ state: "inconclusive", word: "cannot-tell" });
    expect(report.verdict).toMatchObject({ word: "cannot-tell", claim: "none" });
    expect(out).toContain("Nothing varied in 5 rows, and the score has no ends: give the scorer a `range: [min, max]`");
    expect(out).toContain(
      "Next: give the scorer of `words` a `range: [min, max]`, then grade the answers again: tandem score",
    );
  });

  test("does not pass on nineteen rows, passes on sixty, and with fewer where it has a range or a median is compared", async () => {
    const gate = "{ metric: words, margin: 1 }";
    const few = await comparedSides({ rows: alike(19, (i) => 5 + (i % 3)), scorer: length, gate });
    expect(few.report.gates[0]).toMatchObject({ state: "inconclusive", word: "too-few-cases" });
    expect(few.report.gates[0]?.advice).toContain("A score without ends does not pass on fewer than 20");
    const many = await comparedSides({ rows: alike(60, (i) => 5 + (i % 3)), scorer: length, gate });
    expect(many.report.gates[0]?.state).toBe("pass");
    expect(many.report.gates[0]?.interval?.lower).toBeCloseTo((-2 / 61) * 2.67, 3);
    expect(many.report.gates[0]?.details).toContain(
      "The score has no ends: the bound of the loss counts one more row that loses 2 words, as far as its values lie apart.",
    );
    const median = await comparedSides({
      rows: alike(12, (i) => 5 + (i % 3)),
      scorer: length,
      gate: "{ metric: words, margin: 1, of: median }",
    });
    expect(median.report.gates[0]?.state).toBe("pass");
    const ranged = await comparedSides({
      rows: alike(60, () => 6),
      scorer: "{ name: words, type: length, unit: words, range: [0, 10] }",
      gate,
    });
    expect(ranged.report.gates[0]?.state).toBe("pass");
  });

  test("that is a word error rate counts from 0 to 1: five equal rows are too few, sixty pass", async () => {
    const gate = "{ metric: wer, margin: 0.05 }";
    const same = (n: number): StoredRow[] =>
      Array.from({ length: n }, () => ({ expected: "a b", prod: "a b", test: "a b" }));
    const five = await comparedSides({ rows: same(5), scorer: rate, gate });
    expect(five.report.gates[0]).toMatchObject({ state: "inconclusive", word: "too-few-cases" });
    // As many as Wilson's bound takes at the level that a second look has.
    expect(five.out).toContain("add 98 rows to s.csv");
    expect((await comparedSides({ rows: same(60), scorer: rate, gate })).report.gates[0]?.state).toBe("pass");
  });

  test("that is a word error rate above 1 counts as 1, and says in how many answers", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({
      expected: "a b",
      prod: "a b",
      test: i === 0 ? words(9) : "a b",
    }));
    const { report } = await comparedSides({ rows, scorer: rate, gate: "{ metric: wer, margin: 0.2 }" });
    // Nine words for two are an error rate of 4.5, which as it is would have moved the mean by 0.075.
    expect(report.gates[0]).toMatchObject({ state: "pass", now: 1 / 60 });
    expect(report.gates[0]?.details).toContain(
      "A value below 0 or above 1 counts as that end: 0 of the baseline, 1 of the candidate.",
    );
  });
});

describe("a range", () => {
  const gate = "{ metric: words, margin: 1 }";
  const within = (range: string): string => `{ name: words, type: length, unit: words, range: ${range} }`;

  test("that holds nothing, is no pair, or is of a score with ends is a fault with its place", async () => {
    const faults: [scorer: string, said: string][] = [
      [within("[3, 0]"), "scorers[0].range is [3, 0]: the first number must be the smaller one"],
      [within("3"), "scorers[0].range must be two numbers, such as [0, 60]"],
      [
        "{ name: words, type: chrf, range: [0, 50] }",
        "scorers[0].range is for scores without ends, and this one lies between 0 and 100 anyway: leave it out",
      ],
      [
        "{ name: words, type: contains, range: [0, 1] }",
        "scorers[0].range is for scores that are numbers, and this one says pass or fail: leave it out",
      ],
    ];
    for (const [scorer, said] of faults) {
      const { code, out, err } = await sheetOf({ rows: alike(5, () => 2), scorer, gate }).run(
        "check",
        "--offline",
        "suite.yaml",
      );
      expect(code).toBe(2);
      expect(flat(out + err)).toContain(said);
    }
  });

  test("that a margin exceeds is a fault of the gate", async () => {
    const tandem = sheetOf({
      rows: alike(5, () => 2),
      scorer: within("[0, 10]"),
      gate: "{ metric: words, margin: 10 }",
    });
    const { code, out, err } = await tandem.run("check", "--offline", "suite.yaml");
    expect(code).toBe(2);
    expect(flat(out + err)).toContain("lies between 0 and 10 and cannot fall by as much");
  });
});

describe("few rows of a score without ends", () => {
  test("are named before anything is sent, by validate, plan and run", async () => {
    const tandem = sheetOf({ rows: alike(12, (i) => 5 + i), scorer: length, gate: "{ metric: words, margin: 1 }" });
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(code, command).toBe(0);
      expect(flat(out + err), command).toContain("words has no ends: its gate does not pass on 12 rows");
    }
  });
});

describe("stored answers that leave a range", () => {
  test("are a fault of validate, plan and run with the first row, and what would hold them", async () => {
    const rows = alike(10, (i) => (i === 4 ? 9 : 2));
    const scorer = "{ name: words, type: length, unit: words, range: [0, 5] }";
    const tandem = sheetOf({ rows, scorer, gate: "{ metric: words, margin: 1 }" });
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(code, command).toBe(2);
      expect(flat(out + err), command).toContain(
        's.csv:6 (row 6): "words" of the stored answer of "prod" is 9, outside of its range: [0, 5]. 2 of 20 stored answers are.',
      );
      expect(flat(out + err), command).toContain("Write range: [0, 9] or wider, in the unit of the score.");
    }
    expect(tandem.has("results/tandem.db") ? tandem.query("SELECT id FROM batch") : []).toEqual([]);
  });
});

describe("live answers that leave a range", () => {
  const live = (url: string, range: string): string => `name: s
dataset: p.csv
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: prod, endpoint: video-bots, example_id: b }
scorers: [{ name: words, type: length, unit: words, range: ${range} }]
gates: [{ metric: words, margin: 1 }]
`;

  test("count as its end; where many do the gate does not pass, and says what to widen", async () => {
    const service = await startService(() => record(words(9)));
    const tandem = new Tandem().file("p.csv", prompts(60)).file("suite.yaml", live(service.url, "[0, 5]"));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(0);
    expect(flat(out)).toContain("CANNOT TELL");
    expect(flat(out)).toContain(
      "60 of 60 answers of prod leave the `range: [0, 5]` of words and count as its end: widen it, and grade again",
    );
    // The range is wide enough, and the same answers are graded again.
    tandem.file("suite.yaml", live(service.url, "[0, 20]"));
    const sent = service.received.length;
    const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
    const again = await tandem.run("score", batch?.name ?? "", "--suite", "suite.yaml");
    expect(again.code).toBe(0);
    const shown = await tandem.run("compare", batch?.name ?? "");
    expect(flat(shown.out)).toContain("PASS");
    expect(service.received).toHaveLength(sent);
  });
});
