import { describe, expect, test } from "vitest";
import { hintedSegments, segmentDecision } from "../../src/report/model/segment-decision.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import type { MetricGate } from "../../src/compare/comparison-plan.ts";
import { accepting, aCase, candidate, passing, prod, says, scored } from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

/** Topics of ten rows each, of which the candidate loses so many. */
function reported(
  lost: Record<string, number>,
  { topics, gates = accepting(0.4) }: { topics: number; gates?: MetricGate[] },
) {
  const names = [...Object.keys(lost), ...Array.from({ length: topics - Object.keys(lost).length }, (_, i) => `t${i}`)];
  const results = names.flatMap((topic) =>
    Array.from({ length: 10 }, (_, i) =>
      aCase(`${topic}-${i}`, [says(prod, "a", scored(true)), says(candidate, "b", scored(i >= (lost[topic] ?? 0)))], {
        tags: { topic, wording: topic === "typo" ? "odd" : "plain" },
      }),
    ),
  );
  return toldOf(results, {}, { metrics: [{ ...passing(), gates }] });
}

const screen = { width: 400, lines: 60, color: false, links: false, details: false };
const hints = ({ model }: ReturnType<typeof reported>) =>
  model.verdict.details.filter((line) => line.startsWith("Also look at"));
const line =
  /^Also look at topic = lost-card: 5 of 10 cases got worse \(100 % -> 50 %\)\. This may be chance \(up to (\d+) in 100\)\. Add more rows with topic = lost-card\.$/;

describe("a group that lost much, but may have by chance", () => {
  test("is a hint in the details that every format tells, with why it is not sure and what would tell, and no finding", () => {
    const found = reported({ "lost-card": 5, fees: 1 }, { topics: 4 });
    const [hint = "", ...others] = hints(found);
    expect(hint).toMatch(line);
    expect(Number(line.exec(hint)?.[1])).toBeGreaterThan(5);
    expect(others).toEqual([]);
    expect(terminalText(found, screen)).toContain("Also look at topic = lost-card");
    const { model } = found;
    expect(model.verdict.state).toBe("pass");
    expect(model.verdict.details.some((each) => each.startsWith("Worst"))).toBe(false);
    const [segment] = hintedSegments(model.slices, "test", model.metrics);
    expect(segment).toMatchObject({ value: "lost-card", worse: 5, better: 0, isHint: true });
    expect(segment && segmentDecision(segment, model)).toBeNull();
  });

  test("that chance does not explain is a finding, and no hint", () => {
    const found = reported({ "lost-card": 9 }, { topics: 4 });
    expect(hints(found)).toEqual([]);
    expect(found.model.slices.find(({ value }) => value === "lost-card")).toMatchObject({ isHint: false });
  });

  test("of which chance makes more than one in five is not told: it takes more to be a hint among many groups", () => {
    expect(hints(reported({ "lost-card": 5 }, { topics: 20 }))).toEqual([]);
    expect(hints(reported({ "lost-card": 7 }, { topics: 20 }))).toHaveLength(1);
  });

  test("only because of a finding, or that a gate asks about, is no hint", () => {
    expect(hints(reported({ typo: 10, "lost-card": 5 }, { topics: 4 })).join()).not.toContain("wording");
    const gates: MetricGate[] = [{ kind: "margin", margin: 0.2, by: "topic" }];
    expect(hints(reported({ "lost-card": 5 }, { topics: 4, gates }))).toEqual([]);
  });
});
