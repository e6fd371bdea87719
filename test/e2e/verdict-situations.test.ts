import { describe, expect, test, vi } from "vitest";
import { startService } from "./service.ts";
import { compared, flat, sheetOf } from "./stored-sides.ts";
import { Tandem } from "./tandem.ts";

// Many commands one after the other, perhaps on a machine that others share.
vi.setConfig({ testTimeout: 240_000 });

/** A sheet of stored answers: whether each row is right on both sides, one letter a row of `+`, `-` and a blank for no answer. */
function sheet(old: string, now: string, more: Record<string, (row: number) => string> = {}): string {
  const extra = Object.entries(more);
  const rows = Array.from(old, (_, row) => {
    const said = (right: string | undefined): string => (right === "+" ? `answer ${row}` : right === " " ? "" : "no");
    return [
      `k${row}`,
      `question ${row}?`,
      `answer ${row}`,
      said(old[row]),
      said(now[row]),
      ...extra.map(([, cell]) => cell(row)),
    ].join(",");
  });
  return [["id", "question", "golden", "old", "new", ...extra.map(([name]) => name)].join(","), ...rows].join("\n");
}

const suite = (mapping = ""): string => `name: situations
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden${mapping} }
targets: { old: { answers: old }, new: { answers: new } }
scorers: [{ name: correct, type: equals }]
gates: [{ metric: correct, margin: 0.05 }]
`;

const of = (text: string, mapping = ""): Tandem =>
  new Tandem().file("sheet.csv", text).file("suite.yaml", suite(mapping));
const some = (count: number, lost: (row: number) => boolean): string =>
  Array.from({ length: count }, (_, row) => (lost(row) ? "-" : "+")).join("");
const isDead = (row: number): boolean => row % 20 === 3 || row % 20 === 7;
const intents = { intent: (row: number) => `i${row % 20}` };

describe("a gap of stored answers", () => {
  test("counts as a fail of its side: ten empty cells and three wrong rows of 200 are no pass", async () => {
    const { report } = await compared(of(sheet("+".repeat(200), `${" ".repeat(10)}---${"+".repeat(187)}`)));
    expect(report.verdict).toMatchObject({ word: "cannot-tell", claim: "none" });
  });
});

describe("a score with two ends", () => {
  test("does not pass by losing: twelve rows of `wer` with one difference of .1 say no more than twelve equal ones", async () => {
    const words = "a b c d e f g h i j";
    const rows = Array.from({ length: 12 }, (_, i) => ({
      expected: words,
      prod: words,
      test: i === 0 ? "a b c d e f g h i x" : words,
    }));
    const { report } = await compared(
      sheetOf({ rows, scorer: "{ name: w, type: wer }", gate: "{ metric: w, margin: 0.1 }" }),
    );
    expect(report.verdict.word).not.toBe("pass");
  });
});

describe("rows that belong together", () => {
  test("by their key without the value of a tag are heeded: six of sixty questions in three languages are no regression", async () => {
    const rows = Array.from({ length: 60 }, (_, question) =>
      ["en", "es", "hi"].map((language) => {
        const right = `a${question}${language}`;
        return [
          `c${question}-${language}`,
          `q${question} ${language}?`,
          right,
          right,
          question % 10 === 3 ? "no" : right,
          language,
        ].join(",");
      }),
    ).flat();
    const { report } = await compared(
      of(["id,question,golden,old,new,language", ...rows].join("\n"), ", tags: [language]"),
    );
    expect(report.verdict.word).not.toBe("regression");
  });

  test("under a declared column that is small have the line beside a pass", async () => {
    const { out, report } = await compared(
      of(
        sheet(
          some(200, () => false),
          some(200, (row) => row === 0),
          intents,
        ),
        ", cluster: intent",
      ),
    );
    expect(report.verdict.word).toBe("pass");
    expect(out).toMatch(/counted by `?intent`? \(20\) a loss of up to 13/i);
  });

  test("under a named column that nobody declared have the line beside a pass, and are proposed before anything is sent", async () => {
    const tandem = of(sheet("+".repeat(200), "+".repeat(200), { article: (row) => `a${row % 20}` }));
    const { out } = await compared(tandem);
    expect(out).toMatch(/counted by `?article`? \(20\)/i);
    for (const command of ["validate", "plan"]) {
      const { out: told, err } = await tandem.run(command, "suite.yaml");
      expect(told + err, command).toContain("cluster: article");
    }
  });

  test("make no gain sure that nobody could tell by the column", async () => {
    const { report } = await compared(of(sheet(some(200, isDead), "+".repeat(200), intents)));
    expect(report.verdict.word).not.toBe("better");
  });

  test("are told at night, with the intents that are dead", async () => {
    const service = await startService(() => ({ body: "{}" }));
    const fine = "+".repeat(200);
    const tandem = of(sheet(fine, fine, intents));
    const night = async () =>
      tandem.run("night", "suite.yaml", "--quiet", "--notify", `${service.url}/hook`, "--notify-on", "change");
    await night();
    tandem.file("sheet.csv", sheet(fine, some(200, isDead), intents));
    await night();
    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.body).toContain("intent = i3");
  });
});

describe("a tag that lost everything", () => {
  const kinds = { kind: (row: number) => `t${Math.floor(row / 4)}` };
  const lost = sheet("+".repeat(400), `----${"+".repeat(396)}`, kinds);

  test("is named in the notice, and is no `nothing has to be done`", async () => {
    const service = await startService(() => ({ body: "{}" }));
    const tandem = of(lost, ", tags: [kind]");
    const { out } = await tandem.run("run", "suite.yaml", "--notify", `${service.url}/hook`, "--notify-on", "problem");
    expect(flat(out)).not.toContain("nothing has to be done");
    expect(service.received[0]?.body).toContain("kind = t0");
  });

  test("is told in the night in which it is new", async () => {
    const service = await startService(() => ({ body: "{}" }));
    const tandem = of(sheet("+".repeat(400), "+".repeat(400), kinds), ", tags: [kind]");
    const night = async () =>
      tandem.run("night", "suite.yaml", "--quiet", "--notify", `${service.url}/hook`, "--notify-on", "change");
    await night();
    tandem.file("sheet.csv", lost);
    await night();
    expect(service.received).toHaveLength(1);
  });
});

describe("a sentence that cannot tell", () => {
  test("names its target and its gate", async () => {
    const rows = Array.from({ length: 60 }, (_, row) => `k${row},q ${row}?,a,b,b,a`);
    const tandem = new Tandem()
      .file("sheet.csv", ["id,question,golden,old,first,second", ...rows].join("\n"))
      .file(
        "suite.yaml",
        suite().replace("new: { answers: new }", "first: { answers: first }, second: { answers: second }"),
      );
    const { report } = await compared(tandem);
    expect(report.verdict).toMatchObject({ word: "cannot-tell", sentence: expect.stringContaining("first") });
  });
});

describe("a cluster column", () => {
  test("with as many values as rows is said before anything is sent", async () => {
    const tandem = of(sheet("+".repeat(60), "+".repeat(60), { each: (row) => `v${row}` }), ", cluster: each");
    for (const command of ["validate", "plan"]) {
      const { out, err } = await tandem.run(command, "suite.yaml");
      expect(flat(out + err).replace(/cluster <- each/g, ""), command).toMatch(/\beach\b/);
    }
  });
});
