import { join } from "node:path";
import { expect, test } from "vitest";
import { headOf, searchText } from "../../src/report/model/row-figures.ts";
import { groupCondition } from "../../src/report/query/query-edit.ts";
import { type Query, readQuery } from "../../src/report/query/query-text.ts";
import { queryFrame, type RowCondition, rowVocabulary } from "../../src/report/query/row-conditions.ts";
import { frameGroups, groupName, rowGroup } from "../../src/report/model/row-groups.ts";
import type { ReportFrame } from "../../src/report/shape/reporter.ts";
import type { ReportRow } from "../../src/report/shape/row.ts";
import type { RowGroup } from "../../src/report/shape/row-group.ts";
import { groupWords } from "../../src/report/say/changes.ts";
import { findRows } from "../../src/viewer/app/data/query.ts";
import type { ListQuery } from "../../src/viewer/app/data/source.ts";
import { RowIndexWriter } from "../../src/report/row-index/index-writer.ts";
import { RowIndex } from "../../src/report/row-index/row-index.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { temporaryFolder } from "../store/batch.ts";

const summary = syntheticSummary(90);
const frame: ReportFrame = { ...summary, targets: summary.targets.map(({ name }) => name) };

/** Errors that differ in a number, an id or a time, as services write them. */
const errors = [
  "500: no model after 1200 ms",
  "500: no model after 900 ms",
  "429: request req_8Fk2mZ1q failed at 2026-11-22T19:00:01Z",
  "429: request req_77aMx0Pw failed at 2026-11-21T01:59:58.031Z",
  "502: upstream 6f9619ff-8b86-d011-b42d-00c04fc964ff is gone",
  "502: upstream 0e984725-c51c-4bf4-9960-e1c80e27aba0 is gone",
];

const rows: ReportRow[] = [...syntheticRows(90)].map((row, place) => ({
  ...row,
  changes: row.changes.map((change) => ({ ...change, ...(place % 9 === 0 && { flips: ["pass-to-fail" as const] }) })),
  sides: row.sides.map((side) => ({
    ...side,
    runs: side.runs.map((run) => (run.failed ? { ...run, error: errors[place % errors.length] ?? "" } : run)),
  })),
}));

const query: ListQuery = { text: "", sort: "place", candidate: 0 };
/** The query that a count of a group writes. */
const read = (group: RowGroup): Query<RowCondition> => {
  const { query: asked, fault } = readQuery(groupCondition(group), rowVocabulary(queryFrame(summary), 0));
  if (fault !== null) throw new Error(fault.message);
  return asked;
};
const inFile = (group: RowGroup): string[] => {
  const held = rows.map((row) => ({ row, head: headOf(row), words: searchText(row), said: new Set<never>() }));
  return findRows(held, query, { asked: read(group), frame }).found.map(({ key }) => key);
};

function index(): (group: RowGroup) => Promise<string[]> {
  const folder = join(temporaryFolder(), "index");
  const writer = new RowIndexWriter(folder, frame, []);
  for (const [caseId, row] of rows.entries()) writer.add(caseId, row);
  writer.end(summary);
  const opened = new RowIndex(folder);
  return async (group) => {
    const asked = { pair: 0, sort: "dataset", text: groupCondition(group) };
    const { places } = await opened.list(asked, {
      query: read(group),
      said: { stamp: "", has: () => false },
      keys: null,
      signal: null,
    });
    return Array.from(places, (place) => rows[place]?.key ?? "");
  };
}

test("each group finds its rows, alike in a file and in the viewer, and nothing finds none", async () => {
  const byGroup = new Map<string, { group: RowGroup; keys: Set<string> }>();
  const groups = frameGroups(frame);
  for (const row of rows) {
    for (const group of [...groups.ofAnswers(row), ...groups.ofChange(row, 0)]) {
      const known = byGroup.get(groupName(group)) ?? { group, keys: new Set<string>() };
      byGroup.set(groupName(group), known);
      known.keys.add(row.key);
    }
  }
  const viewed = index();
  expect(new Set(Array.from(byGroup.values(), ({ group: [kind] }) => kind))).toEqual(
    new Set(["outcome", "nobody", "error", "change", "flip", "field", "paired", "metric", "said"]),
  );
  for (const { group, keys } of byGroup.values()) {
    expect(inFile(group), groupWords(group)).toEqual([...keys]);
    expect(await viewed(group), groupWords(group)).toEqual([...keys]);
  }
  expect(() => read(["constructor"])).toThrow("there is no group `constructor`");
  for (const group of [["error", "test"], rowGroup.flip("newly-stable")]) {
    expect([inFile(group), await viewed(group)]).toEqual([[], []]);
  }
});

test("errors that differ in a number, an id or a time are one group, whichever of them leads to it", () => {
  const found = errors.map((message) => inFile(rowGroup.error("test", "run-failed", message)));
  expect(found[0]?.length).toBeGreaterThan(0);
  expect([found[1], found[3], found[5]]).toEqual([found[0], found[2], found[4]]);
  expect(found[0]).not.toEqual(found[2]);
  expect(groupWords(rowGroup.error("test", "run-failed", errors[2] ?? ""))).toBe(
    "test, run-failed: #: request # failed at #-#-#T#Z",
  );
});

test("a metric's groups are those whose rows say so, and an error counts as worse than an answer", () => {
  const worse = inFile(rowGroup.metric(summary.metrics[0]?.name ?? "", "worse"));
  expect(worse).toEqual(rows.filter(({ changes }) => changes[0]?.trend === "worse").map(({ key }) => key));
  const second = summary.metrics[1];
  const flipped = rows.filter(({ changes }) => changes[0]?.kind === "error-appeared").map(({ key }) => key);
  expect(second).toBeDefined();
  expect(inFile(rowGroup.metric(second?.name ?? "", "worse"))).toEqual(expect.arrayContaining(flipped));
});
