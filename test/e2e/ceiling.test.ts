import { describe, expect, test } from "vitest";
import { compared, sheetOf, type StoredRow } from "./stored-sides.ts";
import { flat } from "./tandem.ts";

type Row = Required<StoredRow>;

const sheet = (rows: readonly Row[], scorer: string, gate = "{ metric: ok, margin: 0.1 }") =>
  sheetOf({ rows, scorer, gate });

const contains = "{ name: ok, type: icontains }";

/** So many rows, each with the expected answer and both answers of its place. */
const rowsOf = (n: number, make: (place: number) => Row): Row[] => Array.from({ length: n }, (_, i) => make(i));

describe("a scorer that passes nearly anything", () => {
  test("cannot tell: a bot that says yes or no to everything passes all, and the example is shown", async () => {
    const rows = rowsOf(100, (i) => ({
      expected: i % 2 === 0 ? "yes" : "no",
      prod: i % 5 === 0 ? "no" : i % 2 === 0 ? "yes" : "no",
      test: "It may be yes or no.",
    }));
    const { code, out, report } = await compared(sheet(rows, contains));
    expect(report.gates[0]).toMatchObject({ state: "inconclusive", word: "cannot-tell" });
    expect(report.verdict.word).toBe("cannot-tell");
    expect(out).toContain("CANNOT TELL");
    expect(report.gates[0]?.advice).toMatch(
      /^`ok` passes 200 of 200 answers of test to rows that expect something else, such as "It may be yes or no." where "(yes|no)" is expected: it cannot tell bots apart; use `equals`/,
    );
    // What such a scorer passes more of is no gain either.
    expect(report.verdict).toMatchObject({ claim: "none" });
    expect(out).not.toContain("is better than");
    expect(code).toBe(0);
  });

  test("cannot tell by losses either, and fails with --fail-on inconclusive", async () => {
    const rows = rowsOf(60, (i) => ({ expected: i % 2 === 0 ? "a" : "b", prod: "a and b", test: "b and a" }));
    const tandem = sheet(rows, contains, "{ metric: ok, losses: 0 }");
    const { report } = await compared(tandem);
    expect(report.gates[0]).toMatchObject({ state: "inconclusive", word: "cannot-tell" });
    expect((await tandem.run("run", "suite.yaml", "--fail-on", "inconclusive")).code).toBe(4);
  });

  test("is found by answers that say nothing where every row expects the same", async () => {
    const rows = rowsOf(60, () => ({ expected: "a", prod: "a", test: "a" }));
    const { report } = await compared(sheet(rows, contains));
    expect(report.gates[0]).toMatchObject({ state: "inconclusive", word: "cannot-tell" });
    expect(report.gates[0]?.advice).toMatch(
      /^`ok` passes 2 of 3 answers that say nothing, such as "I cannot answer that."/,
    );
    const whole = await compared(sheet(rows, "{ name: ok, type: equals }"));
    expect(whole.report.gates[0]?.state).toBe("pass");
  });

  test("that reads no expected answer passes all, and it is said before and beside the verdict, with the scorer to add", async () => {
    const rows = rowsOf(60, (i) => ({ expected: `0${i % 8}:15`, prod: `It is 0${i % 8}:15.`, test: "I do not know." }));
    const tandem = sheet(rows, "{ name: ok, type: regex, value: .+ }");
    const { out, report } = await compared(tandem);
    expect(report.verdict.word).toBe("pass");
    expect(out).toContain(
      "`ok` passes every answer, and does not read your expected answers. Add: `- { name: correct, type: icontains }`.",
    );
    const warning = "`ok` does not read your expected answers. Add: `- { name: correct, type: ";
    expect(flat((await tandem.run("check", "--offline", "suite.yaml")).err)).toContain(warning);
    expect(flat((await tandem.run("check", "--offline", "suite.yaml")).err)).toContain(warning);
  });

  test("is told again from the database alone", async () => {
    const rows = rowsOf(60, (i) => ({ expected: i % 2 === 0 ? "a" : "b", prod: "a and b", test: "b and a" }));
    const tandem = sheet(rows, contains);
    await compared(tandem);
    const again = await tandem.run("compare", "s", "--json");
    expect(JSON.parse(again.out)).toMatchObject({
      comparison: { gates: [{ guard: "unable", reason: { kind: "ceiling", metric: "ok", of: "rows", side: "prod" } }] },
    });
    expect(flat((await tandem.run("compare", "s")).out)).toContain("to rows that expect something else");
  });
});

describe("an ordinary sheet has no ceiling", () => {
  const letters = ["A", "B", "C", "D"];
  const wrong = (i: number, answer: string, other: string): string => (i % 10 === 3 ? other : answer);
  const sheets: [name: string, scorer: string, rows: Row[]][] = [
    [
      "yes or no, of which 80 % are yes",
      contains,
      rowsOf(100, (i) => {
        const expected = i % 5 === 0 ? "no" : "yes";
        const said = wrong(i, expected, expected === "yes" ? "no" : "yes");
        return { expected, prod: said, test: said };
      }),
    ],
    [
      "A to D, with a large class",
      "{ name: ok, type: equals }",
      rowsOf(100, (i) => {
        const expected = i % 10 < 7 ? "A" : (letters[i % 4] ?? "A");
        const said = wrong(i, expected, "A");
        return { expected, prod: said, test: said };
      }),
    ],
    [
      "spam, which hardly occurs",
      "{ name: ok, type: exact-match }",
      rowsOf(100, (i) => {
        const expected = i % 12 === 0 ? "spam" : "no spam";
        return { expected, prod: expected, test: expected };
      }),
    ],
    [
      "refusals in nearly every row",
      contains,
      rowsOf(100, (i) => {
        const expected = i % 20 === 0 ? "Paris" : "cannot";
        const said = expected === "Paris" ? "It is Paris." : "I cannot help with that.";
        return { expected, prod: said, test: said };
      }),
    ],
    [
      "refusals alone",
      contains,
      rowsOf(60, () => ({ expected: "cannot help", prod: "I cannot help with that.", test: "Sorry, I cannot help." })),
    ],
  ];
  for (const [name, scorer, rows] of sheets) {
    test(`such as ${name}`, async () => {
      const { report } = await compared(sheet(rows, scorer));
      expect(report.gates[0]?.state).toBe("pass");
    });
  }
});

describe("before anything is sent", () => {
  const verdicts = rowsOf(40, (i) => {
    const expected = i % 2 === 0 ? "VALID" : "INVALID";
    return { expected, prod: expected, test: expected };
  });

  test("an expected answer that stands within another one is a warning of validate, plan and run, with an example", async () => {
    const tandem = sheet(verdicts, "{ name: ok, type: contains }");
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(code, command).toBe(0);
      expect(flat(out + err), command).toMatch(/ok: "VALID" is contained in "INVALID": use `equals` \(\d+ of 200/);
    }
    const whole = await sheet(verdicts, "{ name: ok, type: equals }").run("check", "--offline", "suite.yaml");
    expect(flat(whole.out + whole.err)).not.toContain("is contained in");
  });

  test("a text that stands in answers that say nothing is one too, where every row expects it", async () => {
    const rows = rowsOf(30, () => ({ expected: "a", prod: "a", test: "a" }));
    const { out, err } = await sheet(rows, "{ name: ok, type: contains }").run("check", "--offline", "suite.yaml");
    expect(flat(out + err)).toContain('ok passes "I cannot answer that." where "a" is expected: use `equals`');
  });

  test("sentences, numbers and labels of their own are none", async () => {
    const expected = (i: number): string => ["north", "east", "south", "west"][i % 4] ?? "";
    const rows = rowsOf(40, (i) => ({ expected: expected(i), prod: expected(i), test: expected(i) }));
    const { code, out, err } = await sheet(rows, contains).run("check", "--offline", "suite.yaml");
    expect(code).toBe(0);
    expect(flat(out + err)).not.toContain("use `equals`");
  });
});
