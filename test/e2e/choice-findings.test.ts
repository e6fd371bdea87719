import { describe, expect, test } from "vitest";
import { hash32 } from "../../src/lib/random.ts";
import { flat, Tandem } from "./tandem.ts";

interface Reported {
  choice: {
    intervals: { target: string }[];
    nobody: { cases: number; first: { row: number | null; question: string }[] };
    disputed: { row: number | null; question: string; scores: number[] }[];
    slices?: { lines: { slice: { value: string } | null; cells: ({ mark: string | null } | null)[] }[] };
  };
}

/** A share of the rows, by a name of the draw: 0 to 99. */
const drawn = (name: string, row: number): number => hash32(`${name} ${row} ${row % 7}`) % 100;

/** Three bots of a help desk: prod is bad at billing, test is good at it and worse elsewhere, and row 9 is wrong in the sheet. */
function planted(): Tandem {
  const topics = ["billing", "cards", "fees", "login"];
  const lines = Array.from({ length: 600 }, (_, row) => {
    const topic = topics[row % 4] ?? "";
    const share = topic === "billing" ? { prod: 45, test: 4, mini: 40 } : { prod: 4, test: 25, mini: 40 };
    const answers = Object.entries(share).map(([name, fails]) =>
      row === 7 || drawn(name, row) < fails ? `no ${name}` : `answer ${row}`,
    );
    return [`k${row}`, `How does thing ${row} work?`, `answer ${row}`, topic, ...answers].join(",");
  });
  return new Tandem().file("sheet.csv", ["id,question,golden,topic,prod,test,mini", ...lines, ""].join("\n")).file(
    "suite.yaml",
    `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [topic] }
targets: { prod: { answers: prod }, test: { answers: test }, mini: { answers: mini } }
scorers: [{ name: correct, type: equals }]
compare: { choose: best }
`,
  );
}

async function chosen(tandem: Tandem) {
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--quiet", "-o", "all.json", "-o", "all.md");
  expect([0, 1], err).toContain(code);
  const { choice }: Reported = JSON.parse(tandem.text("all.json"));
  return { out: flat(out), markdown: tandem.text("all.md"), choice };
}

describe("beside a choice", () => {
  test("stands where each is good, and rows by their number and question", async () => {
    const { out, markdown, choice } = await chosen(planted());
    expect(out).toContain("prod 86.0 % 0.0 516 of 600 topic = billing: 53.3 %");
    const billing = choice.slices?.lines.find(({ slice }) => slice?.value === "billing");
    const marks = Object.fromEntries(choice.intervals.map(({ target }, at) => [target, billing?.cells[at]?.mark]));
    expect(marks).toMatchObject({ prod: "worse", test: "better" });
    expect(choice.nobody.first).toContainEqual({ key: "k7", row: 9, question: "How does thing 7 work?" });
    expect(choice.disputed.every(({ question, scores }) => question !== "" && scores.length === 3)).toBe(true);
    expect(markdown).toMatch(/### Where each is good[^]*billing[^]*▲/);
    expect(markdown).toContain("a gap of all, or a fault of the dataset");
  });
});
