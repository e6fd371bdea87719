import { describe, expect, test } from "vitest";
import { hash32 } from "../../src/lib/random.ts";
import { record, type Service, startService } from "./service.ts";
import { flat } from "./stored-sides.ts";
import { Tandem } from "./tandem.ts";

interface Reported {
  choice: {
    intervals: { target: string }[];
    nobody: { cases: number; first: { row: number | null; question: string }[] };
    disputed: { row: number | null; question: string; scores: number[] }[];
    tags?: { values: { tag: string; value: string; cells: { stands: string | null }[] }[] };
    routing?: { tag: string; routes: { value: string; target: string }[]; rest: string; cases: number };
    dimensions?: {
      effects: {
        dimension: string;
        from: string;
        to: string;
        difference: number;
        holds: boolean;
        everywhere: boolean;
      }[];
      interactions: unknown[];
    };
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
  test("stands where each is good, a routing that was tested, and rows by their number and question", async () => {
    const { out, markdown, choice } = await chosen(planted());
    expect(out).toMatch(/Send topic = billing to test; and all else to prod: 9[\d.]+ % instead of [78][\d.]+ %/);
    expect(out).toContain("Where each is good");
    expect(choice.routing).toMatchObject({
      tag: "topic",
      routes: [{ value: "billing", target: "test" }],
      rest: "prod",
    });
    const billing = choice.tags?.values.find(({ value }) => value === "billing");
    const stands = Object.fromEntries(choice.intervals.map(({ target }, at) => [target, billing?.cells[at]?.stands]));
    expect(stands).toMatchObject({ prod: "worse", test: "better" });
    expect(choice.nobody.first).toContainEqual({ key: "k7", row: 9, question: "How does thing 7 work?" });
    expect(choice.disputed.every(({ question, scores }) => question !== "" && scores.length === 3)).toBe(true);
    expect(markdown).toMatch(/### Where each is good[^]*billing[^]*▲/);
    expect(markdown).toContain("a gap of all, or a fault of the dataset");
  });

  test("stands what each dimension of a matrix makes different, as the targets were asked", async () => {
    const services = await Promise.all([bot(5), bot(35)]);
    const tandem = new Tandem().file("p.csv", sheetOfRows(200)).file("suite.yaml", matrixSuite(services));
    const { out, choice } = await chosen(tandem);
    const { effects = [], interactions } = choice.dimensions ?? {};
    expect(effects.map(({ dimension, from, to, holds }) => ({ dimension, from, to, holds }))).toEqual([
      { dimension: "deployment", from: "old", to: "new", holds: true },
      { dimension: "example_id", from: "x", to: "y", holds: false },
    ]);
    expect(effects[0]?.everywhere).toBe(true);
    expect(interactions).toEqual([]);
    expect(out).toMatch(
      /deployment new instead of old costs [23][\d.]* percentage points \([\d.]+ to [\d.]+ points\), whatever the example_id\./,
    );
    expect(out).toContain("What each makes different");
  });
});

/** A bot that gets this share of the questions wrong, other ones with each configuration. */
const bot = (wrong: number): Promise<Service> =>
  startService(({ prompt, path, body }) => {
    const row = Number(/\d+/.exec(prompt)?.[0] ?? "0");
    const id = /example_id=(\w+)/.exec(`${path} ${body}`)?.[1] ?? "";
    return record(drawn(id, row) < wrong ? "no idea" : `right${row}`);
  });

const sheetOfRows = (count: number): string =>
  `id,question,golden\n${Array.from({ length: count }, (_, row) => `k${row},question ${row},right${row}`).join("\n")}\n`;

const matrixSuite = ([old, own]: readonly Service[]): string => `dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments:
  old: { base_url: "${old?.url}", concurrency: 8 }
  new: { base_url: "${own?.url}", concurrency: 8 }
matrix: { deployments: [old, new], endpoint: video-bots, example_ids: [x, y] }
scorers: [{ name: correct, type: equals }]
compare: { choose: best }
`;
