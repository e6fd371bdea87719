import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";
import { twoSides } from "./two-sides.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const csv = 'id,input_prompt,expected\nk1,"one,\nin two lines",blue\nk2,two,blue\nk3,three,blue\n';

const suite = (url: string, reports: string): string => `name: colours
dataset: prompts.csv
${twoSides(url)}
scorers: [{ type: contains }]
reports: ${reports}
`;

/** A suite of three cases of which the second gets worse. */
async function colours(reports = "[terminal, json]"): Promise<Tandem> {
  const service = await startService(({ path, prompt }) =>
    record(path.startsWith("/test") && prompt === "two" ? "=red()" : "It is blue."),
  );
  return new Tandem().file("prompts.csv", csv).file("suite.yaml", suite(service.url, reports));
}

const text = (tandem: Tandem, name: string): string => readFileSync(join(tandem.folder, name), "utf8");

describe("reports", () => {
  test("are those that the suite asks for, and others where the command is told to", async () => {
    const tandem = await colours();
    const ran = await tandem.run("run", "suite.yaml", "-o", "now.md", "-o", "junit.xml", "--quiet", "--details");
    expect(ran.err).toBe("");
    // With a line for each file where there is room, which a fact about times may take.
    expect(ran.out).toMatch(/report\.json( +the result for programs\n +|\n {2}there too: )now\.md/);
    expect(ran.out).not.toContain("report.html");
    // The row as a spreadsheet numbers it, wherever it is named.
    expect(ran.out).toContain("  row 3  newly fails  two");
    expect(text(tandem, "now.md")).toContain("<summary>row 3 · two · <code>k2</code>");
    expect(text(tandem, "junit.xml")).toContain("asked (row 3):");
    expect(text(tandem, "now.md")).toMatch(/^## /);
    expect(text(tandem, "junit.xml")).toContain('tests="3"');

    const files = ["again.html", "again.csv", "again.md", "again.xml", "again.json"];
    const again = await tandem.run("report", ...files.flatMap((file) => ["-o", file]));
    expect([again.code, again.out, again.err.trim().split("\n")]).toEqual([0, "", files]);
    // A report of a batch does not know by which file and flags it was run.
    const isNext = /^Next: .*<code>tandem run .*<\/code>$/m;
    expect(text(tandem, "again.md").replace(isNext, "")).toBe(text(tandem, "now.md").replace(isNext, ""));
    expect(text(tandem, "again.xml")).toBe(text(tandem, "junit.xml"));
    expect(text(tandem, "again.html")).toContain("Content-Security-Policy");

    const piped = await tandem.run("report", "-o", "-", "--format", "json");
    expect(piped.out).toBe(text(tandem, "again.json"));
    expect(JSON.parse(piped.out)).toMatchObject({ rows: [{ key: "k2", row: 3, file: null }] });
  });

  test("without the terminal among them print nothing, and a report on standard output stands alone", async () => {
    const tandem = await colours("[csv]");
    expect((await tandem.run("run", "suite.yaml", "--quiet")).out).toBe("");
    const compared = await tandem.run("compare", "-o", "-", "--format", "csv");
    expect(parse(compared.out)).toHaveLength(4);
  });

  test("to a place that cannot be written to, or of no known format, are refused before anything is sent", async () => {
    const tandem = await colours();
    for (const args of [
      ["-o", "report.docx"],
      ["-o", "suite.yaml/report.md"],
      ["-o", "-", "--format", "junit", "--json"],
      ["--notify", "http://example.test/sesame"],
    ]) {
      const ran = await tandem.run("run", "suite.yaml", ...args);
      expect([ran.code, ran.out.includes("sesame"), ran.err.includes("sesame")]).toEqual([2, false, false]);
    }
  });
});

describe("tables", () => {
  test("are exported by columns and filters, for any locale", async () => {
    const tandem = await colours();
    await tandem.run("run", "suite.yaml", "--quiet");
    const flags = ["--form", "comparison", "--columns", "case_key,row,*.answer", "--where", "verdict = worse"];
    expect((await tandem.run("export", ...flags)).out).toBe(
      'case_key,row,prod.answer,test.answer\n"k2",3,"It is blue.","\'=red()"\n',
    );
    expect((await tandem.run("export", ...flags, "--raw", "--delimiter", "tab")).out).toContain("\t=red()\n");
    expect((await tandem.run("export", ...flags, "--excel", "--locale", "de")).out).toMatch(/^\ufeffcase_key;row;prod/);
    // Beside the cells of a line a query asks about its row: alone, joined with cells, and of the lines of runs.
    const keys = ["export", "--columns", "case_key", "--where"];
    for (const [form, where, lines] of [
      ["comparison", "worse", 1],
      ["comparison", "worse and (row < 4 OR blue) and verdict = worse", 1],
      ["comparison", "not worse and -case_key:k2 labelled:no", 0],
      ["runs", "worse and target = test", 1],
      // Names mean what they mean on the page, also where a column is called alike.
      ["comparison", "row:3,14", 1],
      ["comparison", "change < 0", 1],
      ["comparison", "verdict = worse and not table.change = same", 1],
      ["runs", "outcome:answered and table.outcome:answered and row:3", 2],
    ] as const) {
      const { out } = await tandem.run(...keys, where, "--form", form);
      const found = out.split("\n").filter((line) => line === '"k2"').length;
      expect([where, found, out.startsWith("case_key\n")]).toEqual([where, lines, true]);
    }
    const wrong = await tandem.run("export", "--where", "outcom = ok");
    expect([wrong.code, wrong.err]).toEqual([
      2,
      'error --where, character 1: there is no such column.\n  outcom = ok\n  ^\nDid you mean "outcome"?\n',
    ]);
    const never = await tandem.run("export", "--form", "comparison", "--where", "row > 1 and verdict = worst");
    expect([never.code, never.out, never.err]).toEqual([
      2,
      "",
      `error --where, character 23: \`verdict\` is never \`worst\`.\n  row > 1 and verdict = worst\n  ${" ".repeat(22)}^\nDid you mean \`worse\`? There is: worse, better, same.\n`,
    ]);
    for (const where of ["outcome = foo", "table.outcome = foo", "target = tset", "attempts > many"])
      expect([where, (await tandem.run("export", "--where", where)).code]).toEqual([where, 2]);
  });
});

describe("those who are not there", () => {
  test("are told the verdict, and a failure to tell them changes nothing", async () => {
    const tandem = await colours();
    const hook = await startService(() => ({ status: 500, body: "no" }));
    const ways = ["--notify", `${hook.url}/secret`, "--notify-command", "cat > said.json"];
    const link = ["--notify-link", "https://ci.example.test/{batch}"];
    const ran = await tandem.run("run", "suite.yaml", "--quiet", ...ways, ...link);
    const plain = await tandem.run("compare");
    expect(ran.code).toBe(plain.code);
    expect(ran.err).toBe(`warning --notify (${hook.url}) failed: it answered 500\n`);
    expect(hook.received).toHaveLength(1);
    const said: unknown = JSON.parse(text(tandem, "said.json"));
    expect(said).toMatchObject({ suite: "colours", exitCode: ran.code });
    expect(said).toHaveProperty("report", expect.stringMatching(/^https:\/\/ci\.example\.test\/colours-\d/));
  });

  test("are told when nothing could be run, and only of problems where they want it so", async () => {
    const tandem = await colours();
    const ran = await tandem.run("run", "missing.yaml", "--notify-command", "cat > said.json");
    expect(ran.code).toBe(2);
    expect(JSON.parse(text(tandem, "said.json"))).toMatchObject({ state: "failed", exitCode: 2 });
    const quiet = ["--limit", "1", "--notify-on", "problem", "--notify-command", "cat > fine.json"];
    await tandem.run("run", "suite.yaml", ...quiet);
    expect(() => text(tandem, "fine.json")).toThrow("ENOENT");
  });

  test("are not told where the variable with the address is not set: the run goes on with a warning", async () => {
    const tandem = await colours();
    await tandem.run("run", "suite.yaml", "--quiet");
    const plain = await tandem.run("compare");
    const ran = await tandem.run("compare", "--notify", "env:NO_SUCH_WEBHOOK");
    expect([ran.code, ran.out]).toEqual([plain.code, plain.out]);
    expect(ran.err).toBe(
      "warning --notify: the environment variable NO_SUCH_WEBHOOK is not set: no notice will be sent\n",
    );
  });

  test("on GitHub find annotations, and the report in the summary of the step", async () => {
    const tandem = (await colours()).file("step.md", "before\n").env({
      TANDEM_API_KEY: "sk-test-0123456789",
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: "step.md",
    });
    const ran = await tandem.run("run", "suite.yaml", "--json");
    expect(ran.err).toMatch(/^::(?:error|warning|notice) title=colours%3A /m);
    expect(ran.err).toMatch(/^::warning file=prompts\.csv,line=\d+,title=colours%3A row \d+ /m);
    expect(JSON.parse(ran.out)).toHaveProperty("version");
    expect(text(tandem, "step.md")).toMatch(/^before\n## /);
    const lost = await tandem
      .env({ GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "no/such/folder/step.md" })
      .run("compare", "--json");
    expect(lost.err).toContain("warning GITHUB_STEP_SUMMARY cannot be written");
    expect([lost.code, JSON.parse(lost.out)]).toEqual([ran.code, expect.objectContaining({ version: storedVersion })]);
  });

  test("on GitHub name the file of a row by its place in the repository, also where its suite stands in a folder", async () => {
    const sheet = "question,expected,prod,test\na,1,1,1\nb,2,2,no\n";
    const answers = "targets: { prod: { answers: prod }, test: { answers: test } }";
    const rest = "scorers: [{ name: correct, type: equals }]\ncompare: { baseline: prod }";
    const tandem = new Tandem()
      .file("evals/sheet.csv", sheet)
      .file("evals/suite.yaml", `name: s\ndataset: sheet.csv\n${answers}\n${rest}\n`);
    tandem.env({ GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: tandem.folder });
    const above = await tandem.run("run", "evals/suite.yaml");
    expect(above.err).toMatch(/^::warning file=evals\/sheet\.csv,line=3,title=/m);
  });
});
