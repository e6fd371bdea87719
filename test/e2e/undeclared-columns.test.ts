import { describe, expect, test } from "vitest";
import { flat, Tandem } from "./tandem.ts";

interface Sheet {
  rows: number;
  /** Rows that are wrong on each side, and blank on the new one. */
  old?: (row: number) => boolean;
  now?: (row: number) => boolean;
  blank?: (row: number) => boolean;
  gate?: string;
  more?: string;
}

/** Stored answers of two bots, with a column of 20 intents that the suite does not name. */
function sheet({ rows, old, now, blank, gate = "margin: 0.05", more = "" }: Sheet): Tandem {
  const lines = Array.from({ length: rows }, (_, row) => {
    const answers = [
      old?.(row) === true ? "no" : `answer ${row}`,
      blank?.(row) === true ? "" : now?.(row) === true ? "no" : `answer ${row}`,
    ];
    return [`k${row}`, `question ${row}?`, `answer ${row}`, ...answers, `i${row % 20}`].join(",");
  });
  return new Tandem().file("sheet.csv", ["id,question,golden,old,new,intent", ...lines].join("\n")).file(
    "suite.yaml",
    `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { old: { answers: old }, new: { answers: new } }
scorers: [{ name: correct, type: equals }]
gates: [{ metric: correct, ${gate} }]
${more}
`,
  );
}

async function verdictOf(tandem: Tandem) {
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--quiet", "-o", "all.json");
  expect([0, 1, 4], err).toContain(code);
  const { verdict } = JSON.parse(tandem.text("all.json")) as { verdict: { word: string; claim: string } };
  return { code, out: flat(out), verdict };
}

const isDead = (row: number): boolean => row % 20 === 3 || row % 20 === 7;

describe("rows of a column that nobody named", () => {
  test("that go wrong together open a regression, with both ways to paste", async () => {
    const { code, out, verdict } = await verdictOf(sheet({ rows: 200, now: isDead }));
    expect([code, verdict.word]).toEqual([0, "too-few-cases"]);
    expect(out).toContain("Rows of the same `intent` go wrong together (i3: 10 of 10 got worse, i7: 10 of 10)");
    expect(out).toContain("By rows alone it is a regression");
    expect(out).toContain("If these are a sample: `cluster: intent`. If they are all there are: `tags: [intent]`");
  });

  test("that go right together make no gain sure", async () => {
    const few = await verdictOf(sheet({ rows: 200, old: isDead }));
    // Twenty intents that stand or fall as a whole are too few for a limit of 5 points, and for a gain.
    expect([few.code, few.verdict.word, few.verdict.claim]).toEqual([0, "too-few-cases", "none"]);
    expect(few.out).toContain("Rows of the same `intent` come out alike. By rows alone it passes");
    expect(few.out).toContain("`cluster: intent`");
    expect(few.out).not.toContain("is better than");
    const wide = await verdictOf(sheet({ rows: 200, old: isDead, gate: "margin: 0.2" }));
    expect([wide.code, wide.verdict.word, wide.verdict.claim]).toEqual([0, "pass", "same"]);
  });

  test("are heeded too where the run may stop when it is decided", async () => {
    const more = "compare: { stop_when: decided }";
    const { verdict } = await verdictOf(sheet({ rows: 200, now: isDead, more }));
    expect(verdict.word).not.toBe("regression");
  });
});

describe("rows that are counted (`losses`)", () => {
  const gate = "losses: 0";

  test("newly fail where the candidate has no answer, as where it is wrong", async () => {
    const gaps = await verdictOf(sheet({ rows: 100, blank: (row) => row < 3, gate }));
    expect([gaps.code, gaps.verdict.word]).toEqual([1, "regression"]);
    expect(gaps.out).toContain(
      "3 of 100 rows newly fail in new on `correct`; the limit is 0. 3 of them have no answer",
    );
    expect((await verdictOf(sheet({ rows: 100, gate }))).verdict.word).toBe("pass");
    const lost = await verdictOf(sheet({ rows: 100, now: (row) => row === 5, gate }));
    expect([lost.code, lost.verdict.word]).toEqual([1, "regression"]);
  });
});
