import { describe, expect, test } from "vitest";
import { compared } from "./stored-sides.ts";
import { Tandem } from "./tandem.ts";

interface Row {
  question: string;
  old?: string;
  now?: string;
  conversation?: string;
  turn?: number;
}

/** Stored answers, of which those that are not given are right. */
function sheet(rows: readonly Row[], mapping = ""): Tandem {
  const lines = rows.map(({ question, old = "yes", now = "yes", conversation = "", turn = 1 }, at) =>
    [`k${at}`, question, "yes", old, now, conversation, turn].join(","),
  );
  return new Tandem().file("sheet.csv", ["id,question,golden,old,new,talk,turn", ...lines].join("\n")).file(
    "suite.yaml",
    `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden${mapping} }
targets: { old: { answers: old }, new: { answers: new } }
scorers: [{ name: correct, type: equals }]
gates: [{ metric: correct, margin: 0.05 }]
`,
  );
}

const questions = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ question: `question ${at}?` }));

describe("rows that ask the same", () => {
  test("are one question: fifty-nine and one of them doubled pass, as fifty-nine do, by the same test", async () => {
    const { report } = await compared(sheet([...questions(59), { question: "question 0?" }]));
    expect(report.verdict).toMatchObject({ word: "pass", claim: "same" });
    expect(report.gates[0]).toMatchObject({ cases: 60, questions: 59, test: "Tango's score test" });
    // Three questions copied twenty times are three.
    const copied = Array.from({ length: 20 }, () => questions(3)).flat();
    expect((await compared(sheet(copied))).report.verdict).toMatchObject({ word: "too-few-cases", claim: "none" });
  });

  test("are not the turns of conversations that all begin with Hi", async () => {
    const talks = Array.from({ length: 30 }, (_, talk): Row[] => [
      { question: "Hi", conversation: `t${talk}`, turn: 1 },
      { question: `question ${talk}?`, conversation: `t${talk}`, turn: 2 },
    ]).flat();
    const { report } = await compared(sheet(talks, ", cluster: talk, turn: turn"));
    expect(report.gates[0]).toMatchObject({ cases: 60, clusters: 30 });
    expect(report.gates[0]).not.toHaveProperty("questions");
    expect(report.verdict).toMatchObject({ word: "too-few-cases", claim: "none" });
  });
});

test("answers of which a quarter is missing make a comparison invalid, and nothing is claimed", async () => {
  const rows = questions(80).map((row, at) => (at < 20 ? { ...row, now: "" } : row));
  const { code, report } = await compared(sheet(rows));
  expect([code, report.verdict.word, report.verdict.claim]).toEqual([4, "invalid", "none"]);
});
