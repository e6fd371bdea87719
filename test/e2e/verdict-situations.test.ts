import { describe, expect, test } from "vitest";
import { startService } from "./service.ts";
import { compared } from "./stored-sides.ts";
import { flat, Tandem } from "./tandem.ts";

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

describe("rows that belong together", () => {
  test("under a declared column that is small are too few for a pass, and how many it takes is said", async () => {
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
    expect(report.verdict.word).toBe("too-few-cases");
    expect(flat(out)).toContain("103 groups by intent");
  });

  test("under a named column that nobody declared are proposed before anything is sent", async () => {
    const tandem = of(sheet("+".repeat(200), "+".repeat(200), { article: (row) => `a${row % 20}` }));
    const check = await tandem.run("check", "--offline", "suite.yaml");
    expect(check.out + check.err).toContain("cluster: article");
  });

  test("are told at night, with the intents that are dead and both ways out, until they are over", async () => {
    const service = await startService(() => ({ body: "{}" }));
    const fine = "+".repeat(200);
    const tandem = of(sheet(fine, fine, intents));
    const night = async (now: string) => {
      tandem.file("sheet.csv", sheet(fine, now, intents));
      return tandem.run("night", "suite.yaml", "--quiet", "--notify", `${service.url}/hook`, "--notify-on", "change");
    };
    await night(fine);
    await night(some(200, isDead));
    expect(service.received).toHaveLength(1);
    const told = service.received[0]?.body ?? "";
    expect(told).toContain("TOO FEW ROWS - ");
    expect(told).toContain("all 10 rows of intent = i3 newly fail");
    expect(told).toContain("Problem (new): Where: intent = i7: 10 of 10 rows worse");
    expect(told).toContain("By rows alone it is a regression");
    expect(told).toContain("`cluster: intent`");
    const { err } = await night(some(200, isDead));
    expect(flat(err)).toContain(
      "No notice: the regression of correct (new) by its rows alone and 2 more are still open",
    );
    await night(fine);
    expect(service.received).toHaveLength(2);
    expect(service.received[1]?.body).toContain("were not found again. ");
  });
});

describe("a tag that lost everything", () => {
  const kinds = { kind: (row: number) => `t${Math.floor(row / 4)}` };
  const lost = sheet("+".repeat(400), `----${"+".repeat(396)}`, kinds);

  test("is named in the notice, and is no `nothing has to be done`", async () => {
    const service = await startService(() => ({ body: "{}" }));
    const tandem = of(lost, ", tags: [kind]");
    const { out } = await tandem.run("run", "suite.yaml", "--notify", `${service.url}/hook`, "--notify-on", "problem");
    expect(flat(out)).toContain("Next: look at all 4: tandem view");
    expect(service.received[0]?.body).toContain(
      "WORSE (new) - all 4 rows of kind = t0 newly fail; over all 400 rows new is as good as old on `correct`",
    );
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
    expect(report.verdict.word).toBe("cannot-tell");
    expect(report.verdict.sentence).toContain("first against old: Both bots pass 0 of 60, so `correct` cannot tell");
  });

  test("names the one of several gates that it is of", async () => {
    const words = ["a b c", "d e f"];
    const rows = Array.from({ length: 60 }, (_, row) => {
      const text = `${words[row % 2] ?? ""} ${row}`;
      return `k${row},q ${row}?,${text},${text},${text}`;
    });
    const tandem = new Tandem()
      .file("sheet.csv", ["id,question,golden,old,new", ...rows].join("\n"))
      .file(
        "suite.yaml",
        suite()
          .replace(
            "{ name: correct, type: equals }",
            "{ name: correct, type: equals }, { name: size, type: length, unit: words }",
          )
          .replace("margin: 0.05 }", "margin: 0.05 }, { metric: size, margin: 1 }"),
      );
    const { report } = await compared(tandem);
    expect(report.verdict.word).toBe("cannot-tell");
    expect(report.verdict.sentence).toContain("`size`: Nothing varied in 60 rows");
  });
});

describe("a cluster column", () => {
  test("with as many values as rows is said before anything is sent", async () => {
    const tandem = of(sheet("+".repeat(60), "+".repeat(60), { each: (row) => `v${row}` }), ", cluster: each");
    const { out, err } = await tandem.run("check", "--offline", "suite.yaml");
    expect(flat(out + err).replace(/cluster <- each/g, "")).toMatch(/\beach\b/);
  });

  test("with one value is said by everything that comes before the first request, and by the run", async () => {
    const tandem = of(sheet("+".repeat(60), "+".repeat(60), { all: () => "one" }), ", cluster: all");
    for (const command of ["check --offline", "run"]) {
      const { out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(flat(out + err), command).toContain("`cluster: all` puts all 60 rows into one group");
    }
  });
});
