import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { comparisonStream, type ComparisonSettings } from "../../src/compare/comparison.ts";
import { comparisonTable } from "../../src/report/tables/comparison-table.ts";
import { datasetColumns } from "../../src/report/tables/sheet-columns.ts";
import { runsTable } from "../../src/report/tables/runs-table.ts";
import type { Cell } from "../../src/report/tables/spreadsheet.ts";
import type { Table } from "../../src/report/tables/table.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import {
  aCase,
  answered,
  aTarget,
  candidate,
  failed,
  prod,
  says,
  settings,
  unfinished,
} from "../compare/case-result.ts";
import { readText } from "./read-stream.ts";
import { csvOf } from "./read-table.ts";

const targets = [
  { targetId: 1, target: "prod", endpoint: "video-bots" as const },
  { targetId: 2, target: "test", endpoint: "video-bots" as const },
];

/** Rows in many scripts, with cells that would do harm. */
const rows: PairedResult[] = [
  aCase("hindi", [says(prod, "१० सेमी रखें [1]"), says(candidate, "२० सेमी रखें")], {
    expected: "१० सेमी",
    columns: { question: "कितनी दूरी?", target: "x" },
  }),
  aCase("arabic", [says(prod, "اترك عشرة\nسنتيمترات"), failed(candidate, "ValueError: boom")], {
    columns: { question: "كم المسافة؟" },
  }),
  aCase("amharic", [says(prod, "10 ሴ.ሜ"), unfinished(candidate)], { columns: { question: "ስንት?" } }),
  aCase("=cmd()", [says(prod, '=HYPERLINK("http://evil.test")'), says(candidate, '👩🏽‍🌾 \u001b[31mred\u0000, "quoted"')], {
    columns: { question: "-5" },
  }),
  aCase("members", [
    answered(prod, { output_text: ["a"], references: [1, 2, 3] }),
    answered(candidate, { output_text: ["a"], references: null }),
  ]),
];

function* linesOf(results: Iterable<PairedResult>, linesIn: (result: PairedResult) => Cell[][]): Generator<Cell[]> {
  for (const result of results) yield* linesIn(result);
}

const tableOfRuns = (results: Iterable<PairedResult>, about: Parameters<typeof runsTable>[0]): Table => {
  const table = runsTable(about);
  return { columns: table.columns, rows: linesOf(results, (result) => table.linesOf(result, null)) };
};

const tableOfComparison = (
  results: Iterable<PairedResult>,
  about: Parameters<typeof comparisonTable>[0],
  stream: ReturnType<typeof comparisonStream>,
): Table => {
  const table = comparisonTable(about);
  return { columns: table.columns, rows: linesOf(results, (result) => table.linesOf(result, stream.add(result))) };
};

const comparisonText = (results: Iterable<PairedResult>, given: Partial<ComparisonSettings> = {}): Promise<string> => {
  const comparisonPlan = { ...settings, ...given };
  const stream = comparisonStream(comparisonPlan);
  const table = { comparisonPlan, columns: ["question", "target"], asked: ["question"] };
  return readText(csvOf(tableOfComparison(results, table, stream)));
};

/** Which of the runs it is depends on the tests before. */
const withoutNumbers = (text: string): string => text.replaceAll(/(run\d)-\d+/g, "$1");

const headers = (names: string[]): string[] => datasetColumns(names, ["url", "dataset.x"]).map(({ header }) => header);

describe("runs.csv", () => {
  test("has a line per job, and the row's own columns behind", async () => {
    const columns = Object.keys(rows[0]?.columns ?? {});
    expect(withoutNumbers(await readText(csvOf(tableOfRuns(rows, { targets, columns }))))).toMatchSnapshot();
  });

  test("of an empty batch is its header", async () => {
    const text = await readText(csvOf(tableOfRuns([], { targets, columns: ["question"] })));
    expect(parse(text)).toEqual([
      [
        ..."case_key row target repeat outcome answer_kind run_id url created_at output_text latency_ms attempts error expected".split(
          " ",
        ),
        "question",
      ],
    ]);
  });

  test("holds what a function returned", async () => {
    const job = { targetId: 7, target: "price", endpoint: "functions" as const };
    const price = aTarget(7, "price", { endpoint: "functions" });
    const results = [aCase("a", [answered(price, { return_value: { b: 2, a: "é" }, logs: [] }, { repeat: 2 })])];
    const [, line] = parse(await readText(csvOf(tableOfRuns(results, { targets: [job], columns: [] }))));
    expect(line).toEqual(expect.arrayContaining(["a", "price", "2", '{"a":"é","b":2}']));
  });

  test("is written as it is read: rows are drawn only when the reader wants more", () => {
    let drawn = 0;
    const endless = function* () {
      for (;;) {
        drawn += 1;
        yield aCase(`k${drawn}`, [says(prod, "x".repeat(1_000))]);
      }
    };
    const stream = csvOf(tableOfRuns(endless(), { targets, columns: [] }));
    for (const chunk of stream) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(drawn).toBeLessThan(1_000);
  });
});

describe("comparison.csv", () => {
  test("has a line per case: its columns, each target, and what differs", async () => {
    expect(withoutNumbers(await comparisonText(rows))).toMatchSnapshot();
  });

  test("names the candidate in the columns of what differs when there are several", async () => {
    const third = aTarget(3, "third");
    const pairs = [1, 2].map((place) => ({ baseline: 0, candidate: place }));
    const comparisonPlan = { ...settings, sides: [prod, candidate, third], pairs };
    const stream = comparisonStream(comparisonPlan);
    const results = [aCase("a", [says(prod, "x"), says(candidate, "x"), says(third, "y")])];
    const [header, line] = parse(
      await readText(csvOf(tableOfComparison(results, { comparisonPlan, columns: [], asked: [] }, stream))),
    );
    expect(header).toContain("third.answer_differs");
    expect(line?.slice(-14).join("|")).toBe("same|false|0||||false|differs|true|1||||false");
  });

  test("fills the summary while it is written", async () => {
    const stream = comparisonStream(settings);
    await readText(csvOf(tableOfComparison(rows, { comparisonPlan: settings, columns: [], asked: [] }, stream)));
    expect(stream.summary()).toMatchObject({
      cases: 5,
      candidates: [{ compared: 3, answerDiffers: 2, outcomeDiffers: 1 }],
    });
  });

  test("of a batch with only failures, and of an empty one, has no differences", async () => {
    const failures = [aCase("a", [failed(prod, "x"), failed(candidate, "x")])];
    const [, line] = parse(await comparisonText(failures));
    expect(line?.slice(-7)).toEqual(["same", "", "", "", "", "", "false"]);
    expect(parse(await comparisonText([]))).toHaveLength(1);
  });
});

test("a column whose name is taken gets a prefix until it is free", () => {
  expect(headers(["a", "url", "dataset.url", "dataset.x"])).toEqual([
    "a",
    "dataset.dataset.url",
    "dataset.url",
    "dataset.dataset.x",
  ]);
});
