import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import type { ReportJson } from "../../src/report/formats/json/report-json.ts";
import { reportFrom } from "../report/report-file.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** Puts a person's score in the place of the scorer's, of the last answer that did not pass: it does not, for another reason. */
function editAnAnswer(tandem: Tandem): void {
  const db = new Database(join(tandem.folder, "results", "tandem.db"));
  db.exec(
    `INSERT INTO label (job_id, scorer, label, value, note, author, at, edits)
     SELECT job_id, 'correct', 'bad', 0, 'it is said on page two', 'Ada', 1000, 1 FROM score
     WHERE pass = 0 ORDER BY job_id DESC LIMIT 1`,
  );
  db.close();
}

test("report.json has nothing that its schema does not know, with all that it rarely holds: medians, edited scores, names of other nights, a regression that is left open", async () => {
  let failing = 60;
  const prod = await startService(() => record("yes"));
  const candidate = await startService(({ body }) => {
    const row = Number(/prompt (\d+)/.exec(body)?.[1]);
    return record(row < failing ? "no" : "yes");
  });
  const rows = Array.from({ length: 60 }, (_, row) => `k${row},prompt ${row},yes,${row % 2 === 0 ? "a" : "b"}`);
  const tandem = new Tandem().file("p.csv", `id,input_prompt,expected,kind\n${rows.join("\n")}\n`).file(
    "tandem.yaml",
    `name: nightly
dataset: p.csv
case: { tags: [kind] }
deployments:
  prod: { base_url: "${prod.url}", api_key_env: TANDEM_API_KEY }
  test: { base_url: "${candidate.url}", api_key_env: TANDEM_API_KEY }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers:
  - { name: correct, type: contains }
  - { name: quick, type: latency }
  - { name: both, type: all-of, of: [correct], primary: true }
compare: { baseline: prod }
gates: [{ metric: correct, margin: 0.05 }, { metric: quick, of: median, margin: 60000 }]
`,
  );
  const reported = async (): Promise<ReportJson> => {
    const { code, err } = await tandem.run("report", "-o", "report.json");
    expect(code, err).toBe(0);
    return reportFrom(tandem.text("report.json"));
  };
  expect((await tandem.run("run", "--quiet")).code).toBe(1);
  failing = 5;
  expect((await tandem.run("run", "--quiet")).code).toBe(0);

  const open = await reported();
  expect(open.stillOn?.began.batch).toMatch(/^nightly-/);
  expect(open.metrics.filter(({ isMedian }) => isMedian === true)).toHaveLength(1);

  editAnAnswer(tandem);
  const edited = (await reported()).rows.flatMap(({ now }) => now?.scores ?? []);
  expect(edited.filter((score) => score?.edited !== undefined)).toMatchObject([
    { value: 0, edited: { from: ["correct"] } },
    { value: 0, edited: { author: "Ada", was: { value: 0 } } },
  ]);

  await tandem.run("compare", "nightly~1:prod", "nightly:test");
  const folder = `results/${open.batch}`;
  const against = readdirSync(join(tandem.folder, folder)).find((name) => name.startsWith("against-"));
  const crossed = reportFrom(tandem.text(`${folder}/${against}/report.json`));
  expect(crossed.targets[0]?.label).toMatch(/^prod of /);
});
