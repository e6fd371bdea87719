import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { read } from "../dataset/reading.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";
import { twoSides } from "./two-sides.ts";

const suite = (url: string, more = ""): string => `name: farben
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: expected }
${twoSides(url)}
scorers: [{ type: chrf }]
reports: [csv]
${more}`;

const sheet = '\ufeffid;question;expected;anteil\nk1;Wie?;blau;0,5\nk2;Wer?;"rot; gelb";1,25\n';

async function farben(more = "", content = sheet) {
  const service = await startService(() => record("Es ist blau; ganz blau."));
  const tandem = new Tandem().file("prompts.csv", content).file("suite.yaml", suite(service.url, more));
  const run = await tandem.run("run", "suite.yaml", "--json");
  const folder = join("results", String(JSON.parse((await tandem.run("batches", "--json")).out).batches[0].name));
  return { tandem, run, file: (name: string) => tandem.text(join(folder, name)) };
}

test("a sheet of a German Excel leaves as it came, in every table, which is said, and is read again", async () => {
  const { tandem, run, file } = await farben();
  expect(run.err).toContain(
    "written like the dataset, with semicolons between cells, decimal commas and a byte order mark; for others: csv:",
  );
  await tandem.run("export", "-o", "export.csv");
  await tandem.run("history", "farben", "-o", "nights.csv");
  await tandem.run("label", "export", "latest", "-o", "labels.csv");
  for (const text of [
    ...["comparison.csv", "runs.csv"].map(file),
    ...["export.csv", "nights.csv", "labels.csv"].map((name) => tandem.text(name)),
  ]) {
    expect(text).toMatch(/^\ufeff[^,\n]+;/);
    expect(text).not.toMatch(/;\d+\.\d+;/);
  }
  const rows: Record<string, string>[] = parse(file("comparison.csv"), { delimiter: ";", bom: true, columns: true });
  expect(rows[1]).toMatchObject({ case_key: "k2", expected: "rot; gelb", anteil: "1,25" });
  expect(rows[0]?.["prod.chrf"]).toMatch(/^\d+,\d+$/);
  const cases = await read(file("comparison.csv"), { input: { input_prompt: "question" } });
  expect(cases.map(({ columns }) => columns["prod.answer"])).toEqual(Array(2).fill("Es ist blau; ganz blau."));
  // A flag goes before what is found.
  await tandem.run("export", "-o", "plain.csv", "--delimiter", ",");
  expect(tandem.text("plain.csv")).toMatch(/^case_key,row,/);
});

test("the suite says it in so many words, and is refused where a number would be two cells", async () => {
  const { run, file } = await farben('csv: { separator: "," }');
  expect(run.err).not.toContain("written like");
  expect(file("comparison.csv")).toMatch(/^row,question,expected,prod.answer,/);
  const other = await farben('csv: { decimal: ",", bom: true }', sheet.slice(1).replaceAll(";", "|"));
  expect(other.file("runs.csv")).toMatch(/^\ufeffcase_key;row;/);
  const tandem = new Tandem().file("prompts.csv", sheet);
  tandem.file("suite.yaml", suite("http://127.0.0.1:9", 'csv: { separator: ",", decimal: "," }'));
  expect(await tandem.run("check", "--offline", "suite.yaml")).toMatchObject({
    code: 2,
    out: expect.stringMatching(/suite\.yaml:12:\d+.*separator and decimal are both ",": a number would be two cells/s),
  });
});
