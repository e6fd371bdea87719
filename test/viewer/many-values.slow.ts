import { expect, test } from "vitest";
import type { RowPage } from "../../src/viewer/api.ts";
import { Tandem } from "../e2e/tandem.ts";
import { enter, json, opened, startView } from "./viewing.ts";

test("a tag with more than 100,000 values finds the rows of each", async () => {
  const rows = Array.from({ length: 100_050 }, (_, row) => `k${row},Question?,user-${row},yes,no`);
  const tandem = new Tandem().file("sheet.csv", ["id,question,user,before,after", ...rows].join("\n")).file(
    "suite.yaml",
    `name: stored
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, tags: [user] }
targets:
  before: { answers: before, endpoint: video-bots }
  after: { answers: after, endpoint: video-bots }
scorers: [{ name: says-something, type: not-empty, primary: true }]
compare: { baseline: before, candidates: [after] }
reports: [terminal]
`,
  );
  await tandem.run("run", "suite.yaml", "--quiet");
  const caller = await enter((await startView(tandem)).url);
  const { id } = await opened(caller);
  for (const row of [7, 100_049]) {
    const page = await json<RowPage>(caller.get(`/api/rows?id=${id}&limit=10&q=user:user-${row}`));
    expect(page.heads.map(({ key }) => key)).toEqual([`k${row}`]);
  }
});
