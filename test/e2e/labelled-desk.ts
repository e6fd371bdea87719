import type { Findings } from "../../src/report/shape/findings.ts";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { expect } from "vitest";
import { seededRandom } from "../../src/lib/random.ts";
import { flat, Tandem } from "./tandem.ts";

const rows = 200;
const topics = ["delivery", "refund", "invoice", "password", "opening", "warranty", "exchange", "payment"];
const expectedOf = (row: number): string =>
  `Your ${topics[row % topics.length] ?? ""} request number ${row} is settled today`;

/** Right answers that the local judge passes or fails, and wrong ones that it passes or fails. */
const said = {
  right: expectedOf,
  odd: (row: number): string => `Sure ${row}`,
  sly: (row: number): string => `${expectedOf(row)} never`,
  wrong: (row: number): string => `Unknown ${row}`,
};
type Kind = keyof typeof said;

/** People read the answers, and are not misled. */
const isGood = (answer: string): boolean => answer.startsWith("Sure") || answer.endsWith("is settled today");

/** `shares`: of each kind; the others are right. */
function column(seed: string, shares: Partial<Record<Kind, number>>): Kind[] {
  const random = seededRandom(seed);
  return Array.from({ length: rows }, () => {
    let left = random();
    for (const [kind, share] of Object.entries(shares)) {
      if (left < share) return kind as Kind;
      left -= share;
    }
    return "right";
  });
}

export const suite = (gate: string): string => `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "local:./bots" } }
targets:
  old: { answers: old }
  new: { answers: new }
judges: { grader: { deployment: here, endpoint: video-bots, example_id: grader } }
scorers: [{ name: helpful, type: judge, target: grader }]
gates: [{ metric: helpful, margin: 0.1${gate} }]
`;

/** The judge fails right answers of the old bot in other words, and passes wrong ones of the new bot that sound right. */
export function biased(gate = ""): Tandem {
  const old = column("old", { odd: 0.2, wrong: 0.1 });
  const now = column("new", { sly: 0.3, wrong: 0.02 });
  const lines = Array.from({ length: rows }, (_, row) =>
    [
      `k${row}`,
      `question ${row}?`,
      expectedOf(row),
      said[old[row] ?? "right"](row),
      said[now[row] ?? "right"](row),
    ].join(","),
  );
  return new Tandem()
    .file("sheet.csv", ["id,question,golden,old,new", ...lines].join("\n"))
    .file("bots/bots/grader.yaml", "judge: { pass_score: 0.5 }\n")
    .file("suite.yaml", suite(gate));
}

type Ends = { lower: number; upper: number } | null;

export interface Reported {
  findings: Findings;
  verdict: { state: string; word: string | null; sentence: string; details: string[] };
  gates: {
    state: string | null;
    advice: string | null;
    difference: number | null;
    people?: {
      labels: number;
      examples: number;
      lambda: number | null;
      cases: number;
      refused: string | null;
      judge: { difference: number | null; interval: Ends };
      alone: { difference: number; interval: Ends } | null;
      interval: Ends;
    };
  }[];
}

export async function compared(tandem: Tandem): Promise<{ code: number | null; out: string; model: Reported }> {
  const { code, out, err } = await tandem.run("compare", "latest", "-o", "all.json", "-o", "all.md", "-o", "all.xml");
  expect([0, 1, 4], err).toContain(code);
  return { code, out: flat(out), model: JSON.parse(tandem.text("all.json")) as Reported };
}

/** Runs the suite; the exit code is that of the judge's own verdict. */
export async function ran(tandem: Tandem): Promise<void> {
  const { code, err } = await tandem.run("run", "suite.yaml", "--quiet");
  expect([0, 1], err).toContain(code);
}

/** Fills in a sheet as people who know the truth. */
export function filledIn(sheet: string): string {
  const labels: Record<string, string>[] = parse(sheet, { columns: true, bom: true });
  return stringify(
    labels.map((row) => ({ ...row, label: isGood(row["answer"] ?? "") ? "good" : "bad" })),
    { header: true },
  ).trim();
}

export async function labelled(tandem: Tandem, labels: number): Promise<void> {
  const drawn = await tandem.run("label", "draw", "latest", "--labels", String(labels), "-o", "labels.csv");
  expect(drawn.code, drawn.err).toBe(0);
  tandem.file("labels.csv", filledIn(tandem.text("labels.csv")));
  const { code, err } = await tandem.run("label", "import", "latest", "labels.csv", "--author", "ana");
  expect(code, err).toBe(0);
}

export async function refused(tandem: Tandem, ...args: string[]): Promise<string> {
  const { code, err } = await tandem.run("label", "draw", "latest", ...args);
  expect(code).toBe(2);
  return flat(err);
}
