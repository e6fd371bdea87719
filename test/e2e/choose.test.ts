import { describe, expect, test } from "vitest";
import { chosen } from "./chosen.ts";
import { flat, Tandem } from "./tandem.ts";

/** Stored answers of some bots: for each the rows of a hundred that it fails, from a place on. */
function sheet(
  bots: Record<string, { fails: number; from?: number }>,
  { compare, rows = 200, more = "" }: { compare: string; rows?: number; more?: string },
): Tandem {
  const names = Object.keys(bots);
  const lines = Array.from({ length: rows }, (_, row) => {
    const answers = names.map((name) => {
      const { fails = 0, from = 0 } = bots[name] ?? {};
      return (row + from) % 100 < fails ? "no" : `answer ${row}`;
    });
    return [`k${row}`, `question ${row}?`, `answer ${row}`, ...answers].join(",");
  });
  return new Tandem().file("sheet.csv", [["id", "question", "golden", ...names].join(","), ...lines].join("\n")).file(
    "suite.yaml",
    `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { ${names.map((name) => `${name}: { answers: ${name} }`).join(", ")} }
scorers: [{ name: correct, type: equals }]
compare: ${compare}
${more}
`,
  );
}

interface Reported {
  verdict: { state: string; word: string; sentence: string };
  choice: {
    named: string | null;
    set: string[];
    level: { set: number; name: number };
    intervals: unknown[];
    ranks: unknown[];
  };
  gates: { state: string | null }[];
}

async function choosing(tandem: Tandem, ...flags: string[]) {
  const found = await chosen(tandem, ...flags);
  const report: Reported = JSON.parse(found.json);
  return { ...found, report };
}

describe("choose: best", () => {
  test("names the best of four, with a table in every format, and no gate decides beside it", async () => {
    const bots = { a: { fails: 30 }, b: { fails: 4 }, c: { fails: 28, from: 50 }, d: { fails: 60 } };
    const { code, out, markdown, report } = await choosing(sheet(bots, { compare: "{ choose: best }" }));
    expect(code).toBe(0);
    expect(out).toContain("BEST take b: it is the best of 4 on `correct`, at least ");
    expect(out).toMatch(/configuration correct may trail, points/);
    expect(markdown).toContain("| <code>b</code> | **yes** | 96.0 % |");
    expect(report.verdict).toMatchObject({ state: "pass", word: "best" });
    expect(report.choice).toMatchObject({ named: "b", set: ["b"], level: { set: 0.05, name: 0.025 } });
    expect([report.choice.intervals.length, report.choice.ranks.length]).toEqual([4, 4]);
    expect(report.gates.every(({ state }) => state === null)).toBe(true);
  });

  test("ends with 1 where the baseline that is named is another one, and with 0 where it ties with another", async () => {
    const compare = "{ baseline: a, choose: best }";
    const changed = await choosing(sheet({ a: { fails: 30 }, b: { fails: 4 } }, { compare }));
    expect([changed.code, changed.report.verdict.word]).toEqual([1, "changed"]);
    expect(changed.out).toContain("expected was a");
    const alike = { a: { fails: 10 }, b: { fails: 8, from: 50 }, c: { fails: 60 } };
    const tie = await choosing(sheet(alike, { compare }), "--fail-on", "inconclusive");
    expect([tie.code, tie.report.verdict.word]).toEqual([0, "best"]);
    expect(tie.out).toContain("BEST take a or b: neither is surely better on `correct`; c is behind");
    expect(tie.report.choice).toMatchObject({ named: null, set: ["a", "b"] });
    // One that is behind is expected: that it is not the best is less sure than a name has to be.
    const other = await choosing(
      sheet(alike, { compare: "{ baseline: c, choose: best }" }),
      "--fail-on",
      "inconclusive",
    );
    expect([other.code, other.report.verdict.word]).toEqual([4, "too-few-cases"]);
    expect(other.out).toContain("a and b cannot be told apart as the best of 3 on `correct`; c is behind");
    const none = await choosing(sheet({ a: { fails: 10 }, b: { fails: 8, from: 50 } }, { compare }));
    expect([none.code, none.report.verdict.word]).toEqual([0, "too-few-cases"]);
  });

  test("stands beside gates that the suite asks for: a regression is said first, and the best one in the next sentence", async () => {
    const bots = { a: { fails: 10 }, b: { fails: 0 }, c: { fails: 60 } };
    const { code, out } = await choosing(
      sheet(bots, { compare: "{ choose: best }", more: "gates: [{ metric: correct, margin: 0.05 }]" }),
    );
    expect(code).toBe(1);
    expect(out).toContain("REGRESSION c is worse than a");
    expect(out).toContain("; b is better ");
  });

  test("stands beside a gate of rows: one that fails other rows, and no more of them, is not called worse", async () => {
    const bots = { a: { fails: 10 }, b: { fails: 10, from: 50 }, c: { fails: 60 } };
    const { code, out } = await choosing(
      sheet(bots, { compare: "{ choose: best }", more: "gates: [{ metric: correct, losses: 0 }]" }),
    );
    expect(code).toBe(1);
    expect(out).toMatch(/REGRESSION \d+ of \d+ rows newly fail .*; in b \d+ rows newly fail/);
    expect(out).not.toContain("b is worse");
  });

  test("is remembered: a baseline that was chosen by the same cases is said to be lucky among them", async () => {
    const bots = { a: { fails: 30 }, b: { fails: 4 }, c: { fails: 28, from: 50 }, d: { fails: 60 } };
    const tandem = sheet(bots, { compare: "{ choose: best }" });
    await choosing(tandem);
    tandem.file(
      "suite.yaml",
      tandem.text("suite.yaml").replace("{ choose: best }", "{ baseline: b, candidates: [a] }"),
    );
    const { out } = await choosing(tandem);
    expect(out).toContain("b was chosen as the best of 4 by these rows (suite-");
    // Beside another baseline there is nothing to say.
    tandem.file("suite.yaml", tandem.text("suite.yaml").replace("{ baseline: b, candidates: [a] }", "{ baseline: a }"));
    expect((await choosing(tandem)).out).not.toContain("was chosen as the best");
  });

  test.each([
    ["{ choose: cheapest }", "compare.choose is cheapest, and needs the loss that is accepted for it"],
    ["{ choose: best, margin: 0.02 }", "compare.margin is for `choose: cheapest` alone"],
    ["{ choose: fastest }", "compare.choose"],
  ])("%s is refused at its place", async (compare, message) => {
    const tandem = sheet({ a: { fails: 1 }, b: { fails: 1 } }, { compare });
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(2);
    expect(flat(err)).toContain(message);
    expect(err).toMatch(/suite\.yaml:\d+:\d+/);
  });
});
