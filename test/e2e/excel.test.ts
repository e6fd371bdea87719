import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { type Cell, cellFromSheet } from "../../src/report/tables/spreadsheet.ts";
import { microsecondsOf } from "../../src/report/tables/moment.ts";
import { slowTest } from "../often.ts";
import { read } from "../dataset/reading.ts";
import { readWorkbook } from "../report/read-workbook.ts";
import { record, startService } from "./service.ts";
import { endOfFile, Tandem } from "./tandem.ts";
import { twoSides } from "./two-sides.ts";

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

/** The cells of a CSV, without what protects them from being run. */
const cellsOf = (csv: string): string[][] => parse(csv).map((row: string[]) => row.map(cellFromSheet));

/** The cells of a sheet as CSV has them. */
function asCsv(rows: readonly (readonly Cell[])[], like: readonly (readonly string[])[]): string[][] {
  return rows.map((row, at) =>
    (like[at] ?? []).map((text, place) => {
      const cell = row[place] ?? null;
      const isTime = at > 0 && typeof cell === "number" && like[0]?.[place] === "created_at";
      const same = isTime && Math.abs((cell - 25_569) * 86_400_000 - Number(microsecondsOf(text)) / 1000) < 1;
      return same ? text : cell === null ? "" : String(cell).replace(/^created_at \(UTC\)$/, "created_at");
    }),
  );
}

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
    const summary = (Summary?.rows ?? []).map((row) => row.filter((cell) => cell !== null));
    const report = await tandem.run("report", "-o", "-", "--format", "json");
    expect(summary[1]).toEqual([`${JSON.parse(report.out).verdict.sentence}.`]);
    expect(summary).toContainEqual(["cases", 4]);
    expect(summary).toContainEqual(["How it was measured"]);
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

const isSameTime = (shown: string, own: string): boolean => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(shown) ?? [];
  return own.startsWith(`${day}T${time}`);
};

/** Not a part of a build machine: `apt-get install libreoffice-calc-nogui`. */
const hasOffice = spawnSync("soffice", ["--version"]).status === 0;

describe.skipIf(!hasOffice)("LibreOffice", () => {
  const home = new Tandem(endOfFile());
  const shows = async (locale: string): Promise<void> => {
    const tandem = new Tandem();
    const folder = await colours(tandem);
    // 44, 34: commas and quotes; 76: UTF-8; cells as they are stored and not as they look; every sheet a file.
    const form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1";
    const profile = `-env:UserInstallation=file://${join(home.folder, locale)}`;
    const env = { ...process.env, LC_ALL: `${locale.replace("-", "_")}.UTF-8`, LANG: locale };
    execFileSync(
      "soffice",
      [profile, "--headless", "--convert-to", form, "--outdir", tandem.folder, join(folder, "comparison.xlsx")],
      { cwd: tandem.folder, env, stdio: "ignore" },
    );
    for (const [name, sheet] of [["comparison.csv", "Rows"] as const, ["runs.csv", "Runs"] as const]) {
      const like = cellsOf(tandem.text(join(folder, name)));
      const shown: string[][] = parse(tandem.text(`comparison-${sheet}.csv`));
      expect(shown).toHaveLength(like.length);
      const told = shown.map((row, at) =>
        row.map((text, place) => {
          const own = like[at]?.[place] ?? "";
          if (/^(TRUE|FALSE|WAHR|FALSCH)$/.test(text)) return text === "TRUE" || text === "WAHR" ? "true" : "false";
          if (at === 0) return text.replace(" (UTC)", "");
          if (like[0]?.[place] === "created_at") return isSameTime(text, own) ? own : text;
          // A number has the sign of the country, and the 15 digits that a spreadsheet keeps.
          if (!/^\d+\.\d+$/.test(own)) return text;
          const number = Number(locale === "de-DE" ? text.replace(",", ".") : text);
          return number === Number(Number(own).toPrecision(15)) ? own : text;
        }),
      );
      expect(told).toEqual(like);
    }
  };

  slowTest("shows every cell of a workbook as the CSV has it", () => shows("en-US"));
  slowTest("shows numbers as numbers where they have a comma", () => shows("de-DE"));
});
