import { describe, expect, test } from "vitest";
import { pageSummary } from "../report/html-file.ts";
import { flat, Tandem } from "./tandem.ts";

const suite = `name: tags
dataset: rows.csv
case: { key: id, input: { input_prompt: question }, expected: wanted, tags: [intent] }
targets:
  prod: { answers: old }
  test: { answers: new }
scorers: [{ name: correct, type: equals }]
gates: [{ metric: correct, margin: 0.05 }]
`;

/** So many rows that both pass, of some intents, and rows of other intents that only prod does. */
function sheet(passing: number, lost: Record<string, number>, intents = 20): string {
  const rows = Array.from({ length: passing }, (_, at) => `${at},question ${at},a,a,a,i${at % intents}`);
  const dead = Object.entries(lost).flatMap(([intent, count]) =>
    Array.from({ length: count }, (_, at) => `${intent}-${at},${intent} ${at},a,a,no,${intent}`),
  );
  return ["id,question,wanted,old,new,intent", ...rows, ...dead, ""].join("\n");
}

/** A report of the only batch. */
function report(tandem: Tandem, name: string): string {
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
  return tandem.text(`results/${batch?.name}/${name}`);
}

describe("a tag that lost everything", () => {
  test("makes the word WORSE where rows alone would pass, and is named in the first block of every format", async () => {
    const tandem = new Tandem().file("rows.csv", sheet(396, { refund: 4 })).file("suite.yaml", suite);
    const { code, out, err } = await tandem.run("run", "suite.yaml");
    expect(code, err).toBe(0);
    const said =
      "all 4 rows of intent = refund newly fail; over all 400 rows test is as good as prod on `correct`, within the limit of 5 points";
    expect(flat(out)).toContain(`WORSE ${said}`);
    // Once: not as the worst value of a tag too.
    expect(flat(out).split("Next:")[0]?.split("intent = refund")).toHaveLength(2);
    expect(report(tandem, "report.md").slice(0, 1_500)).toContain("all 4 rows of intent = refund newly fail");
    const { verdict, lostTags } = JSON.parse(report(tandem, "report.json")) as {
      verdict: { state: string; sentence: string };
      lostTags: object[];
    };
    expect(verdict).toMatchObject({ state: "inconclusive", word: "worse", claim: "worse" });
    expect(verdict.sentence).toBe(said);
    expect(lostTags).toMatchObject([{ candidate: "test", metric: "correct", tag: "intent", value: "refund", lost: 4 }]);
    expect(pageSummary(report(tandem, "report.html")).summary.verdict.sentence).toBe(said);
  });

  test("is told once: in the line of the worst place where it is that one, and another one beside it", async () => {
    const rows = sheet(360, { refund: 12, cancel: 3 });
    const tandem = new Tandem().file("rows.csv", rows).file("suite.yaml", suite);
    const { out } = await tandem.run("run", "suite.yaml");
    const top = flat(out);
    expect(top).toContain("where intent = refund: 12 of 12 rows worse intent = cancel: 3 of 3");
  });

  test("stands above the other rows that passed: one that failed before could not be lost", async () => {
    const rows = `${sheet(18, { refund: 3, cancel: 1, move: 1 })}failed,question f,a,no,no,other\n`;
    const byRows = suite.replace("margin: 0.05", "losses: 0");
    const { out } = await new Tandem().file("rows.csv", rows).file("suite.yaml", byRows).run("run", "suite.yaml");
    expect(flat(out)).toContain("where intent = refund: 3 of 3 rows worse the other 20 rows that passed: 2");
  });

  test("is not told beside a gate that calls it a regression by itself", async () => {
    const byTag = suite.replace("margin: 0.05 }", "margin: 0.05 }, { metric: correct, margin: 0.3, by: intent }");
    const tandem = new Tandem().file("rows.csv", sheet(390, { refund: 40 }, 3)).file("suite.yaml", byTag);
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(1);
    expect(flat(out)).toMatch(/refund 100\.0 % 0\.0 % -100\.0 [^R]* REGRESSION/);
    expect(flat(out)).not.toContain("All 40 rows with intent");
  });

  test("of two tags together makes the word WORSE too, where each value alone does not show it", async () => {
    const languages = ["en", "ar", "hi", "de", "fr"];
    const products = ["card", "loan", "account"];
    const rows = Array.from({ length: 600 }, (_, at) => {
      const [language, product] = [languages[at % 5], products[Math.floor(at / 5) % 3]];
      const isDead = language === "ar" && product === "card";
      return `${at},question ${at},a,a,${isDead ? "no" : "a"},${language},${product}`;
    });
    const tandem = new Tandem()
      .file("rows.csv", ["id,question,wanted,old,new,language,product", ...rows, ""].join("\n"))
      .file("suite.yaml", suite.replace("[intent]", "[language, product]").replace("0.05 }", "0.15 }"));
    const { code, out } = await tandem.run("run", "suite.yaml", "--fail-on", "worse");
    expect(code).toBe(1);
    const said = "WORSE all 40 rows of language = ar and product = card newly fail; over all 600 rows";
    expect(flat(out)).toContain(`${said} test is as good as prod`);
  });
});
