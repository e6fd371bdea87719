import { describe, expect, test } from "vitest";
import { strengthsOf } from "../../src/compare/choice/strengths.ts";
import { slicesOf } from "../../src/compare/tallies/slices.ts";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import { findingsTables } from "../../src/report/doc/choice-findings-tables.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import { aCase, aTarget, failed, passing, says, scored, settings } from "../compare/case-result.ts";
import { factTexts } from "../../src/report/say/findings.ts";
import { toldOf } from "./run-summary.ts";

/** For each configuration, by its name, which cases it passes: by their number and topic. */
type Passing = Record<string, (place: number, topic: string) => boolean>;

interface Given extends Partial<ComparisonSettings> {
  cases?: number;
  topicOf?: (place: number) => string;
}

const topics = ["billing", "cards", "fees", "login"];
const usualTopic = (place: number): string => topics[place % 4] ?? "";

/** The choice among some configurations, as a report says it. */
function chosen(passes: Passing, { cases = 400, topicOf = usualTopic, ...given }: Given = {}) {
  const names = Object.keys(passes);
  const sides = names.map((name, place) => aTarget(place + 1, name));
  const results = Array.from({ length: cases }, (_, place) => {
    const topic = topicOf(place);
    const jobs = sides.map((side) =>
      says(side, `${side.target} ${place}`, scored(passes[side.target]?.(place, topic) ?? false)),
    );
    const input = JSON.stringify({ input_prompt: `Question ${place}?` });
    return aCase(`k${place}`, jobs, {
      row: place + 2,
      tags: { topic },
      input,
      inputHash: String(place).padStart(12, "0").padEnd(32, "0"),
    });
  });
  const pairs = names.slice(1).map((_, at) => ({ baseline: 0, candidate: at + 1 }));
  const choice = { expected: null, margin: null };
  const metrics = [{ ...passing(), gates: [] }];
  const reported = toldOf(results, {}, { ...settings, sides, pairs, metrics, choice, ...given });
  const { model } = reported;
  return { reported, model, verdict: model.verdict, choice: model.choice };
}

/** Fails in so many of a hundred cases that have nothing to do with their topic. */
const failing =
  (share: number, from = 0) =>
  (place: number) =>
    (Math.floor(place / 4) * 37 + from) % 100 >= share;

test("an invalid comparison names nobody, and calls nothing sure", () => {
  const sides = ["a", "b", "c"].map((name, place) => aTarget(place + 1, name));
  const jobs = (at: number) =>
    sides.map((side, place) =>
      place === 2 && at % 3 === 0
        ? failed(side, "HTTP 400: no")
        : says(side, `${side.target} ${at}`, scored(place === 0)),
    );
  const results = Array.from({ length: 60 }, (_, at) => aCase(`k${at}`, jobs(at), { tags: { topic: usualTopic(at) } }));
  const pairs = [1, 2].map((candidate) => ({ baseline: 0, candidate }));
  const choice = { expected: null, margin: null };
  const metrics = [{ ...passing(), gates: [] }];
  const { model } = toldOf(results, {}, { ...settings, sides, pairs, metrics, choice });
  expect(model.verdict.state).toBe("invalid");
  expect(model.choice).toMatchObject({
    open: "invalid",
    set: ["a", "b", "c"],
    named: null,
    ahead: null,
    lead: null,
    ranks: [],
    fronts: [],
  });
  expect(model.choice?.intervals.map(({ lower, upper }) => [lower, upper])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
  expect(model.choice?.intervals[0]?.mean).toBe(1);
  expect(model.choice?.slices).toBeUndefined();
});

describe("where each is good", () => {
  const passes: Passing = {
    a: failing(10),
    b: (place, topic) => (topic === "billing" ? failing(2, 50)(place) : failing(35, 50)(place)),
    c: failing(20, 20),
  };

  test("is told of what stands out for sure, with its place there and elsewhere", () => {
    const { choice } = chosen(passes);
    const billing = choice?.slices?.lines.find(({ slice }) => slice?.value === "billing");
    expect(billing?.slice?.tag).toBe("topic");
    expect(billing?.cells.map((cell) => cell?.mark)).toEqual([expect.anything(), "better", expect.anything()]);
    expect(billing?.cells[1]).toMatchObject({ cases: 100, mean: 0.98, difference: expect.closeTo(0.13, 10) });
  });

  test("stands in a table by its marks, the surest first, whatever colours there are", () => {
    const { reported } = chosen(passes);
    const text = terminalText(reported, { width: 100, lines: 60, color: false, details: true });
    expect(text).toMatch(/Where each is good\nrows with +rows +a +c +b\ntopic = billing +100 .* 98 % ▲/);
    expect(text).toContain("▲ surely better there than elsewhere, beside the others; ▼ surely worse.");
  });

  test("is one question of two configurations: one is better by what the other is worse by", () => {
    const { a = failing(0), b = failing(0) } = passes;
    const { choice } = chosen({ a, b });
    const billing = choice?.slices?.lines.find(({ slice }) => slice?.value === "billing");
    expect(billing?.cells.map((cell) => cell?.mark)).toEqual(["worse", "better"]);
  });

  test("is nothing where a configuration is better or worse by as much everywhere", () => {
    const { choice } = chosen({ a: failing(5), b: failing(45), c: failing(20, 20) });
    expect(choice?.slices?.lines.flatMap(({ cells }) => cells.map((cell) => cell?.mark))).not.toContain("better");
  });

  test("looks at the hundred values with the most cases, of forty configurations too", () => {
    const values = Array.from({ length: 40 }, (_, at) =>
      Float64Array.from({ length: 750 }, (_place, place) => Number(failing(10 + at, at)(place))),
    );
    const codes = Int32Array.from({ length: 750 }, (_, place) => (place < 10 ? 150 : 1 + (place % 150)));
    const tags = [{ tag: "topic", values: Array.from({ length: 150 }, (_, at) => `t${at}`), codes }];
    const found = strengthsOf({ values, clusters: null, slices: tags.flatMap(slicesOf), range: 1, seed: "1" }, 1);
    expect(found?.lines).toHaveLength(100);
    expect(found?.left).toBe(40);
    expect(found?.lines.find(({ slice }) => slice?.value === "t149")?.cells[0]?.cases).toBe(15);
    expect(found?.lines.every(({ cells }) => cells.length === 40)).toBe(true);
  });
});

describe("cases that are worth a look", () => {
  const passes: Passing = {
    a: (place) => place >= 3 && failing(5)(place),
    b: (place) => place >= 3 && failing(5, 30)(place),
    c: (place) => place >= 3 && failing(50, 30)(place),
  };

  test("are those that pass with none, by row and question, with what that means", () => {
    const { choice, model } = chosen(passes);
    expect(choice?.nobody.first[0]).toEqual({ key: "k0", row: 2, question: "Question 0?" });
    expect(factTexts(model).at(-1)).toMatch(/^none passes: [\d]+ rows: 2, 3 and 4/);
    const found = findingsTables(model).find(({ table }) => table.name === "Cases that pass with none");
    expect(found?.about).toMatch(/a gap of all, or a fault of the dataset\.$/);
    expect(found?.table.rows[0]?.cells[1]?.text).toEqual({
      link: { name: "Question 0?", most: 120 },
      to: { row: "k0" },
    });
  });

  test("are those on which they disagree most, with the grade of each", () => {
    const { choice, model } = chosen(passes);
    const [first] = choice?.disputed ?? [];
    expect(first?.question).toMatch(/^Question \d+\?$/);
    expect(new Set(first?.scores)).toEqual(new Set([0, 1]));
    const found = findingsTables(model).find(({ table }) => table.name === "Where they disagree most");
    expect(found?.table.columns).toHaveLength(5);
    const texts = found?.table.rows[0]?.cells.slice(2).map(({ text }) => text);
    expect(new Set(texts)).toEqual(new Set(["pass", "fail"]));
  });
});
