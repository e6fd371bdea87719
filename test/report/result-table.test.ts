import { expect, test } from "vitest";
import { resultTable } from "../../src/report/doc/result-table.ts";
import { syntheticSummary } from "./synthetic.ts";

test("a gate for each value of a tag shows the gravest values, and counts the passes beyond the first few", () => {
  const summary = syntheticSummary(60);
  const [gate] = summary.gates;
  if (gate === undefined) throw new Error("no gate");
  const valued = (words: readonly ("pass" | "regression" | "too-few-cases")[]): string[] => {
    const gates = words.map((word, at) => ({
      ...gate,
      name: `correct where topic is t${at}`,
      slice: { tag: "topic", value: `t${at}` },
      word,
    }));
    const table = resultTable({ ...summary, gates });
    return (table?.rows ?? []).map(({ cells }) => JSON.stringify([cells[0]?.text, cells.at(-1)?.text]));
  };
  expect(valued(["pass", "pass", "pass", "pass", "pass", "regression", "pass"])).toEqual([
    '[{"name":"correct, t5"},"REGRESSION"]',
    '[{"name":"correct, t0"},"PASS"]',
    '[{"name":"correct, t1"},"PASS"]',
    '[{"name":"correct, t2"},"PASS"]',
    '["3 other values","PASS"]',
  ]);
  // None that decides is left out.
  expect(
    valued(["regression", "regression", "regression", "too-few-cases", "regression", "too-few-cases"]),
  ).toHaveLength(6);
});
