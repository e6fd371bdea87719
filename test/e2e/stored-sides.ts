import { flat, Tandem } from "./tandem.ts";

/** A row with what is expected, and the stored answers of both sides. */
export interface StoredRow {
  expected?: string;
  prod: string;
  test: string;
}

export interface StoredSides {
  rows: readonly StoredRow[];
  /** An entry of the suite. */
  scorer: string;
  gate: string;
}

/** The parts of report.json that say what is known. */
interface Report {
  verdict: { state: string; word: string; claim: string; sentence: string };
  gates: {
    state: string;
    word: string;
    now: number | null;
    advice: string | null;
    details: string[];
    interval: { lower: number } | null;
  }[];
}

const cell = (text: string): string => JSON.stringify(text).replaceAll('\\"', '""');

/** A sheet with the answers of both sides as columns, and a suite that compares them. */
export function sheetOf({ rows, scorer, gate }: StoredSides): Tandem {
  const lines = rows.map(({ expected = "x", prod, test: other }, i) =>
    [`Question ${i}?`, expected, prod, other].map(cell).join(","),
  );
  return new Tandem().file("s.csv", ["question,expected,prod,test", ...lines, ""].join("\n")).file(
    "suite.yaml",
    `name: s
dataset: s.csv
targets: { prod: { answers: prod }, test: { answers: test } }
compare: { baseline: prod }
scorers: [${scorer}]
gates: [${gate}]
`,
  );
}

/** Runs the suite of a sheet, and reads its latest report. */
export async function compared(tandem: Tandem): Promise<{ code: number | null; out: string; report: Report }> {
  const { code, out } = await tandem.run("run", "suite.yaml");
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id DESC LIMIT 1");
  const report: Report = JSON.parse(tandem.text(`results/${batch?.name}/report.json`));
  return { code, out: flat(out), report };
}
