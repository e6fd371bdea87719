import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { rawWorkbook } from "../dataset/raw-workbook.ts";
import { read } from "../dataset/reading.ts";
import { readWorkbook } from "../report/read-workbook.ts";
import { record, startService } from "./service.ts";
import { compareShipped } from "./shipped-workbook.ts";
import { endOfFile, Tandem } from "./tandem.ts";
import { twoSides } from "./two-sides.ts";
import { asCsv, cellsOf, hasOffice, type Office, officeReader } from "./workbook-cells.ts";

const suite = (url: string, more = ""): string => `name: colours
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: expected, tags: [lang] }
${twoSides(url)}
scorers: [{ type: contains }, { type: chrf }]
reports: [csv, excel]
${more}`;

const answers: Record<string, string> = {
  one: '=HYPERLINK("http://evil.test","blue")',
  two: "+cmd|' /C calc'!A0",
  three: 'नमस्ते, 👩‍🌾 blue\nالسلام عليكم; "q" _x0041_',
  four: "-12,5",
};

/** A run whose answers a spreadsheet would take for more than texts. */
async function colours(tandem: Tandem): Promise<string> {
  const service = await startService(({ path, prompt }) =>
    record(path.startsWith("/test") ? (answers[prompt] ?? "@SUM(1)") : "It is blue."),
  );
  const sheet =
    "id,question,expected,lang,note\n007,one,blue,hi,0012\nk2,two,blue,en,=1+1\nk3,three,blue,,\nk4,four,12,x,1e5\n";
  tandem.file("prompts.csv", sheet).file("suite.yaml", suite(service.url));
  expect((await tandem.run("run", "suite.yaml", "--quiet")).code).toBeLessThan(3);
  return join("results", String(JSON.parse((await tandem.run("batches", "--json")).out).batches[0].name));
}

test("a suite whose reports leave the terminal out still says what was decided, and where the files are", async () => {
  const service = await startService(() => record("It is blue."));
  const tandem = new Tandem()
    .file("prompts.csv", "id,question,expected,lang\nk1,one,blue,en\nk2,two,blue,en\n")
    .file("suite.yaml", suite(service.url));
  const { out, err } = await tandem.run("run", "suite.yaml");
  expect(out).toBe("");
  expect(err).toMatch(/\nno difference in 2 rows .*\nFiles: \S+comparison\.csv, \S+runs\.csv, \S+comparison\.xlsx, /);
});

describe("a workbook", () => {
  test("has what comparison.csv and runs.csv have, cell by cell, with the summary before them", async () => {
    const tandem = new Tandem();
    const folder = await colours(tandem);
    const { Summary, Rows, Runs, ...others } = readWorkbook(
      readFileSync(join(tandem.folder, folder, "comparison.xlsx")),
    );
    expect(others).toEqual({});
    for (const [name, sheet] of [["comparison.csv", Rows] as const, ["runs.csv", Runs] as const]) {
      const like = cellsOf(tandem.text(join(folder, name)));
      expect(asCsv(sheet?.rows ?? [], like)).toEqual(like);
      expect(sheet?.elements.has("f")).toBe(false);
    }
    const summary = Array.from(Summary?.rows ?? [], (row) => (row ?? []).filter((cell) => cell !== null));
    const report = await tandem.run("report", "-o", "-", "--format", "json");
    expect(summary[1]).toEqual([`${JSON.parse(report.out).verdict.sentence}.`]);
    expect(summary).toContainEqual(["rows", 4]);
    expect(summary).toContainEqual(["How it was measured"]);
    // The number of cases is one to calculate with, and what a p asks is said below it.
    const head = summary.find((row) => row.includes("p lost more")) ?? [];
    const metric = summary[summary.indexOf(head) + 1] ?? [];
    expect([head.at(-1), metric.at(-1)]).toEqual(["rows", 4]);
    expect(summary.flat().some((cell) => String(cell).startsWith("P lost more: how likely so large a loss"))).toBe(
      true,
    );
  });

  test("of a shipped suite has every cell of its CSVs", async () => {
    await expect(compareShipped("functions/read-date.yaml", null)).resolves.toBeUndefined();
  });

  test("is the sheet of nights, whose later one is compared with the one before", async () => {
    const service = await startService(({ prompt }) => record(`blue ${prompt}`));
    const rows = [
      ["Colours"],
      ["id", "question", "expected"],
      ["007", "one", "blue"],
      ["k2", "two", { formula: "1+1", result: 2 }],
    ];
    const tandem = new Tandem().file("prompts.xlsx", rawWorkbook([{ name: "Prompts", rows }])).file(
      "suite.yaml",
      suite(service.url)
        .replace("prompts.csv", "prompts.xlsx")
        .replace(", tags: [lang]", "")
        .replace(/^reports:.*\n/m, ""),
    );
    for (const asked of [4, 8]) {
      const night = await tandem.run("night", "suite.yaml", "--quiet");
      expect(night.code, night.err).toBeLessThan(3);
      expect(service.received).toHaveLength(asked);
    }
    const keys = tandem.query('SELECT DISTINCT key, "row" AS row FROM "case" ORDER BY row');
    expect(keys).toEqual([
      { key: "007", row: 3 },
      { key: "k2", row: 4 },
    ]);
    const { nights } = JSON.parse((await tandem.run("history", "colours", "--json")).out);
    expect(nights).toHaveLength(2);
    // The tables come in the form of the sheet; the first columns of a row are those that a person reads.
    const files = readdirSync(join(tandem.folder, "results", String(nights[1].batch)));
    expect([files.includes("comparison.xlsx"), files.includes("comparison.csv")]).toEqual([true, false]);
    const book = readFileSync(join(tandem.folder, "results", String(nights[1].batch), "comparison.xlsx"));
    expect(readWorkbook(book)["Rows"]?.rows[0]?.slice(0, 8)).toEqual([
      "row",
      "question",
      "expected",
      "prod.answer",
      "test.answer",
      "verdict",
      "prod.contains",
      "test.contains",
    ]);
  });

  test("is written wherever a table is, the same again, and is read by tandem itself", async () => {
    const tandem = new Tandem();
    await colours(tandem);
    const book = (name: string) => readFileSync(join(tandem.folder, name));
    for (const name of ["one.xlsx", "again.xlsx"]) await tandem.run("report", "-o", name);
    expect(book("again.xlsx").equals(book("one.xlsx"))).toBe(true);
    await tandem.run("export", "-o", "runs.xlsx", "--where", "target = test");
    expect(readWorkbook(book("runs.xlsx"))["Runs"]?.rows).toHaveLength(5);
    await tandem.run("export", "--form", "comparison", "--columns", "case_key,test.answer", "-o", "rows.xlsx");
    expect(readWorkbook(book("rows.xlsx"))["Rows"]?.rows).toEqual([
      ["case_key", "test.answer"],
      ["007", answers["one"]],
      ["k2", answers["two"]],
      ["k3", answers["three"]],
      ["k4", answers["four"]],
    ]);
    await tandem.run("history", "colours", "-o", "nights.xlsx");
    expect(readWorkbook(book("nights.xlsx"))["Nights"]?.cells["A1"]).toBe("night");
    expect(await tandem.run("export", "-o", "x.xlsx", "--excel")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--excel is for CSV"),
    });
    const cases = await read(book("rows.xlsx"), { name: "rows.xlsx", input: { input_prompt: "test.answer" } });
    expect(cases.map(({ columns }) => columns["test.answer"])).toEqual(Object.values(answers));
  });
});

test("a cell with an error of a formula that a template of a request or of a check names is refused", async () => {
  const broken = { error: "#N/A" };
  const rows = [
    ["id", "question", "policy", "house rules", "owner"],
    ["a", "Who?", broken, "be kind", broken],
    ["b", "When?", "as written", broken, broken],
  ];
  const tandem = new Tandem()
    .file("p.xlsx", rawWorkbook([{ name: "S", rows }]))
    .file("prompt.txt", "By {{ policy }}: {{ question }}")
    .file(
      "suite.yaml",
      `dataset: p.xlsx
case: { key: id, input: { input_prompt: question } }
deployments: { d: { base_url: "http://127.0.0.1:9/" } }
targets: { one: { deployment: d, endpoint: chat-completions, model: m, prompt: prompt.txt, body: { user: '{{ row["house rules"] }}' } } }
`,
    );
  const { out } = await tandem.run("check", "--offline", "suite.yaml");
  const run = await tandem.run("run", "suite.yaml");
  for (const text of [out, run.err]) {
    expect(text).toContain('column "policy": the cell C2 shows the error #N/A');
    expect(text).toContain('column "house rules": the cell D3 shows the error #N/A');
    expect(text).toContain("2 faults");
  }
  const checks = JSON.stringify([{ set: [{ type: "contains", value: "{{ policy }}" }] }, { type: "is-json" }]);
  const checked = [
    ["id", "question", "policy", "checks"],
    ["a", "Who?", broken, ""],
    ["b", "When?", broken, checks],
  ];
  tandem.file("c.xlsx", rawWorkbook([{ name: "S", rows: checked }])).file(
    "checks.yaml",
    `dataset: c.xlsx
case: { key: id, input: { input_prompt: question }, scorers: checks }
deployments: { d: { base_url: "http://127.0.0.1:9/" } }
targets: { one: { deployment: d, endpoint: chat-completions, model: m } }
`,
  );
  const ofCheck = (await tandem.run("check", "--offline", "checks.yaml")).out;
  expect(ofCheck).toContain('(row 3): column "policy": the cell C3 shows the error #N/A');
  expect(ofCheck).toContain("1 fault:");
  tandem.file("p.xlsx", rawWorkbook([{ name: "S", rows: [rows[0] ?? [], ["a", "Who?", "p", "be kind", broken]] }]));
  expect((await tandem.run("check", "--offline", "suite.yaml")).out).toMatch(/^ {2}not used: owner$/m);
});

describe.skipIf(!hasOffice)("LibreOffice", () => {
  const home = new Tandem(endOfFile());
  const shows = async (locale: Office["locale"]): Promise<void> => {
    const tandem = new Tandem();
    const folder = await colours(tandem);
    const shown = officeReader(join(tandem.folder, folder, "comparison.xlsx"), { home: home.folder, locale });
    for (const [name, sheet] of [["comparison.csv", "Rows"] as const, ["runs.csv", "Runs"] as const]) {
      const like = cellsOf(tandem.text(join(folder, name)));
      expect(shown(sheet, like)).toEqual(like);
    }
  };

  slowTest("shows every cell of a workbook as the CSV has it", () => shows("en-US"));
  slowTest("shows numbers as numbers where they have a comma", () => shows("de-DE"));
});
