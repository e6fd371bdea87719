import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { comparisonStream } from "../../src/compare/comparison.ts";
import { comparisonCsv } from "../../src/report/comparison-csv.ts";
import { columnNames, datasetColumns } from "../../src/report/dataset-columns.ts";
import { runsCsv } from "../../src/report/runs-csv.ts";
import type { CaseResult } from "../../src/store/results.ts";
import { aCase, answered, candidate, failed, prod, says, unfinished } from "../compare/case-result.ts";
import { readText } from "./read-stream.ts";

const plain = { excel: false, raw: false };
const targets = [prod, candidate];

/** Rows in many scripts, with cells that would do harm. */
const rows: CaseResult[] = [
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

const comparisonText = (results: Iterable<CaseResult>, candidates: string[]): Promise<string> => {
  const stream = comparisonStream({ targets, baseline: "prod", candidates, maxErrorShare: 0.05 });
  const table = { targets: ["prod", "test"], candidates, columns: ["question", "target"] };
  return readText(comparisonCsv(stream.cases(results), table, plain));
};

const headers = (names: string[]): string[] => datasetColumns(names, ["url", "dataset.x"]).map(({ header }) => header);

describe("runs.csv", () => {
  test("has a line per job, and the row's own columns behind", async () => {
    expect(await readText(runsCsv(rows, { targets, columns: columnNames(rows) }, plain))).toMatchSnapshot();
  });

  test("of an empty batch is its header", async () => {
    const text = await readText(runsCsv([], { targets, columns: ["question"] }, plain));
    expect(parse(text)).toEqual([
      [
        ..."case_key target repeat outcome answer run_id url created_at output_text latency_ms attempts error expected".split(
          " ",
        ),
        "question",
      ],
    ]);
  });

  test("holds what a function returned", async () => {
    const job = { targetId: 7, target: "price", endpoint: "functions" as const };
    const results = [aCase("a", [answered(job, { return_value: { b: 2, a: "é" }, logs: [] }, { repeat: 2 })])];
    const [, line] = parse(await readText(runsCsv(results, { targets: [job], columns: [] }, plain)));
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
    const stream = runsCsv(endless(), { targets, columns: [] }, plain);
    for (const chunk of stream) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(drawn).toBeLessThan(1_000);
  });
});

describe("comparison.csv", () => {
  test("has a line per case: its columns, each target, and what differs", async () => {
    expect(await comparisonText(rows, ["test"])).toMatchSnapshot();
  });

  test("names the candidate in the columns of what differs when there are several", async () => {
    const third = { targetId: 3, target: "third", endpoint: "video-bots" as const };
    const stream = comparisonStream({
      targets: [...targets, third],
      baseline: "prod",
      candidates: ["test", "third"],
      maxErrorShare: 0,
    });
    const results = [aCase("a", [says(prod, "x"), says(candidate, "x"), says(third, "y")])];
    const table = { targets: ["prod", "test", "third"], candidates: ["test", "third"], columns: [] };
    const [header, line] = parse(await readText(comparisonCsv(stream.cases(results), table, plain)));
    expect(header).toContain("third.answer_differs");
    expect(line?.slice(-8)).toEqual(["false", "0", "", "false", "true", "1", "", "false"]);
  });

  test("fills the summary while it is written", async () => {
    const stream = comparisonStream({ targets, baseline: "prod", candidates: ["test"], maxErrorShare: 1 });
    await readText(
      comparisonCsv(stream.cases(rows), { targets: ["prod", "test"], candidates: ["test"], columns: [] }, plain),
    );
    expect(stream.summary()).toMatchObject({
      cases: 5,
      candidates: [{ compared: 3, answerDiffers: 2, outcomeDiffers: 1 }],
    });
  });

  test("of a batch with only failures, and of an empty one, has no differences", async () => {
    const failures = [aCase("a", [failed(prod, "x"), failed(candidate, "x")])];
    const [, line] = parse(await comparisonText(failures, ["test"]));
    expect(line?.slice(-4)).toEqual(["", "", "", "false"]);
    expect(parse(await comparisonText([], ["test"]))).toHaveLength(1);
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
