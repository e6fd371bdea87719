import { describe, expect, test } from "vitest";
import { strengthsOf } from "../../src/compare/choice/strengths.ts";
import type { VariedDimension } from "../../src/compare/choice/dimension-effects.ts";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import { findingsTables } from "../../src/report/doc/choice-findings-tables.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import { aCase, aTarget, failed, passing, says, scored, settings } from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

/** For each configuration, by its name, which cases it passes: by their number and topic. */
type Passing = Record<string, (place: number, topic: string) => boolean>;

interface Given extends Partial<ComparisonSettings> {
  cases?: number;
  topicOf?: (place: number) => string;
  /** A second tag with the values of the first. */
  alsoTag?: string;
}

const topics = ["billing", "cards", "fees", "login"];
const usualTopic = (place: number): string => topics[place % 4] ?? "";

/** The choice among some configurations, as a report says it. */
function chosen(passes: Passing, { cases = 400, topicOf = usualTopic, alsoTag, ...given }: Given = {}) {
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
      tags: { topic, ...(alsoTag !== undefined && { [alsoTag]: topic }) },
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
  const dimensions: VariedDimension[] = [{ name: "model", values: ["a", "b", "c"], of: [0, 1, 2] }];
  const choice = { expected: null, margin: null, dimensions };
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
  expect(model.choice?.tags).toBeUndefined();
  expect(model.choice?.dimensions).toBeUndefined();
});

describe("where each is good", () => {
  const passes: Passing = {
    a: failing(10),
    b: (place, topic) => (topic === "billing" ? failing(2, 50)(place) : failing(35, 50)(place)),
    c: failing(20, 20),
  };

  test("is told of what stands out for sure, with its place there and elsewhere", () => {
    const { verdict, choice } = chosen(passes);
    expect(verdict.details.find((line) => line.includes("than elsewhere"))).toBe(
      "b does better on topic = billing than elsewhere: 98 % there, 13.0 points better than the others; elsewhere 20.0 points worse than the others.",
    );
    const billing = choice?.tags?.values.find(({ value }) => value === "billing");
    expect(billing).toMatchObject({ tag: "topic", cases: 100 });
    expect(billing?.cells.map(({ stands }) => stands)).toEqual([expect.anything(), "better", expect.anything()]);
    expect(billing?.cells[1]).toMatchObject({
      mean: 0.98,
      here: expect.closeTo(0.13, 10),
      elsewhere: expect.closeTo(-0.2, 10),
    });
  });

  test("stands in a table by its marks, the surest first, whatever colours there are", () => {
    const { reported } = chosen(passes);
    const text = terminalText(reported, { width: 100, lines: 60, color: false });
    expect(text).toMatch(/Where each is good\ncases with +cases +a +c +b\ntopic = billing +100 .* 98 % ▲/);
    expect(text).toContain("▲ surely better there than elsewhere, beside the others; ▼ surely worse.");
  });

  test("is told once of two configurations, by the one that is better there", () => {
    const { a = failing(0), b = failing(0) } = passes;
    const { verdict, choice } = chosen({ a, b });
    const told = verdict.details.filter((line) => line.includes("than elsewhere"));
    expect(told).toEqual([
      "b does better on topic = billing than elsewhere: 98 % there, 8.0 points better than a; elsewhere 25.0 points worse than a.",
    ]);
    const billing = choice?.tags?.values.find(({ value }) => value === "billing");
    expect(billing?.cells.map(({ stands }) => stands)).toEqual(["worse", "better"]);
  });

  test("says it once of each configuration, and once of two tags with the same rows", () => {
    const worseOn =
      (bad: string) =>
      (place: number, topic: string): boolean =>
        topic === bad ? place % 9 === 0 : place % 20 !== 0;
    const { verdict } = chosen(
      { a: failing(5), b: worseOn("billing"), c: worseOn("cards"), d: worseOn("fees") },
      { alsoTag: "subject" },
    );
    const said = verdict.details.filter((line) => line.includes("than elsewhere"));
    expect(said.map((line) => line.replace(/ (?:topic|subject) = (\w+) .*/, " $1")).toSorted()).toEqual([
      "b does worse on billing",
      "c does worse on cards",
      "d does worse on fees",
    ]);
  });

  test("is nothing where a configuration is better or worse by as much everywhere", () => {
    const { verdict, choice } = chosen({ a: failing(5), b: failing(45), c: failing(20, 20) });
    expect(choice?.tags?.values.flatMap(({ cells }) => cells.map(({ stands }) => stands))).not.toContain("better");
    expect(verdict.details.join(" ")).not.toContain("elsewhere");
  });

  test("looks at the hundred values with the most cases, of forty configurations too", () => {
    const values = Array.from({ length: 40 }, (_, at) =>
      Float64Array.from({ length: 750 }, (_place, place) => Number(failing(10 + at, at)(place))),
    );
    const codes = Int32Array.from({ length: 750 }, (_, place) => (place < 10 ? 150 : 1 + (place % 150)));
    const tags = [{ tag: "topic", values: Array.from({ length: 150 }, (_, at) => `t${at}`), codes }];
    const found = strengthsOf({ values, clusters: null, tags, range: 1, seed: "1" }, 1);
    expect(found?.values).toHaveLength(100);
    expect(found?.left).toBe(40);
    expect(found?.values.find(({ value }) => value === "t149")?.cases).toBe(15);
    expect(found?.values.every(({ cells }) => cells.length === 40)).toBe(true);
  });
});

describe("a routing", () => {
  const passes: Passing = {
    a: (place, topic) => (topic === "billing" ? failing(60)(place) : failing(4)(place)),
    b: (place, topic) => (topic === "billing" ? failing(4, 50)(place) : failing(40, 50)(place)),
  };

  test("is told with a gain of the cases that it was not chosen by", () => {
    const { verdict, choice } = chosen(passes);
    const line = verdict.details.find((each) => each.startsWith("Send"));
    expect(line).toMatch(
      /^Send topic = billing to b; and all else to a: 9[\d.]+ % instead of [78][\d.]+ % with a alone, a gain of [\d.]+ to [\d.]+ points\. It was chosen by one half of the cases and measured on the other, (\d+) cases\.$/,
    );
    const { routing } = choice ?? {};
    expect(routing).toMatchObject({
      tag: "topic",
      routes: [{ value: "billing", target: "b" }],
      rest: "a",
      single: "a",
    });
    expect(routing?.cases).toBeGreaterThan(150);
    expect(routing?.cases).toBeLessThan(250);
    const gain = (routing?.mean ?? 0) - (routing?.singleMean ?? 0);
    expect(routing?.lower).toBeLessThan(gain);
    expect(routing?.upper).toBeGreaterThan(gain);
  });

  test("is none where one is the best everywhere, though it is better by less in some cases", () => {
    const best: Passing = {
      a: failing(5),
      b: (place, topic) => (topic === "billing" ? failing(8, 50)(place) : failing(60, 50)(place)),
    };
    expect(chosen(best).choice?.routing).toBeUndefined();
  });

  test("is none where as much is gained by the better configuration alone", () => {
    const { a = failing(0), b = failing(0) } = passes;
    expect(chosen({ a, b, c: failing(0) }).choice?.routing).toBeUndefined();
  });

  test("is none of cases that are too few to choose and to test", () => {
    expect(chosen(passes, { cases: 24 }).choice?.routing).toBeUndefined();
  });
});

describe("cases that are worth a look", () => {
  const passes: Passing = {
    a: (place) => place >= 3 && failing(5)(place),
    b: (place) => place >= 3 && failing(5, 30)(place),
    c: (place) => place >= 3 && failing(50, 30)(place),
  };

  test("are those that pass with none, by row and question, with what that means", () => {
    const { verdict, choice, model } = chosen(passes);
    expect(choice?.nobody.first[0]).toEqual({ key: "k0", row: 2, question: "Question 0?" });
    expect(verdict.details.join(" ")).toMatch(
      /cases pass with none of them \(such as rows 2, 3 and 4\): a gap of all, or a fault of the dataset\./,
    );
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

describe("the dimensions of a matrix", () => {
  const grid: VariedDimension[] = [
    { name: "temperature", values: ["0", "0.5"], of: [0, 0, 1, 1] },
    { name: "model", values: ["x", "y"], of: [0, 1, 0, 1] },
  ];
  const dimensions = { choice: { expected: null, margin: null, dimensions: grid } };

  test("are told with the effect of each, and that it holds whatever the others are", () => {
    const passes = { x0: failing(5), y0: failing(15), x5: failing(25), y5: failing(35) };
    const { verdict, choice } = chosen(passes, dimensions);
    const told = verdict.details.filter((line) => / instead of /.test(line));
    expect(told).toEqual([
      expect.stringMatching(
        /^temperature 0\.5 instead of 0 costs 20 percentage points \(1[\d.]+ to 2[\d.]+ points\), whatever the model\.$/,
      ),
      expect.stringMatching(
        /^model y instead of x costs 10 points \([\d.]+ to 1[\d.]+ points\), whatever the temperature\.$/,
      ),
    ]);
    expect(choice?.dimensions?.interactions).toEqual([]);
    expect(choice?.dimensions?.effects[0]).toMatchObject({ holds: true, everywhere: true, combinations: 2, of: 2 });
  });

  test("are told to depend on one another where that holds, and an effect of one combination is none of all", () => {
    const passes = { x0: failing(30), y0: failing(30), x5: failing(5), y5: failing(33) };
    const { verdict, choice } = chosen(passes, dimensions);
    const lines = [...verdict.details, ...(verdict.further ?? [])].join("\n");
    expect(lines).toMatch(
      /temperature 0\.5 instead of 0 helps with model x \(25\.0 points better\) and not with model y \(3\.0 points worse\): a difference of [\d.]+ to [\d.]+ points\./,
    );
    expect(lines).toMatch(/temperature 0\.5 instead of 0 gains 11 points .* on average over model\./);
    expect(choice?.dimensions?.effects.some(({ everywhere }) => everywhere)).toBe(false);
  });

  test("are told in five lines at the most with all else, and the rest is a step further down", () => {
    const passes = { x0: failing(30), y0: failing(30), x5: failing(5), y5: failing(33) };
    const { verdict, reported } = chosen(passes, dimensions);
    const { details, further = [] } = verdict;
    expect(details).toHaveLength(5);
    expect(further.length).toBeGreaterThan(0);
    const shown = (isDetailed: boolean): string[] =>
      terminalText(reported, { width: 400, lines: 200, color: false, details: isDetailed })
        .split("\n")
        .map((line) => line.trim());
    expect(shown(false)).toEqual(expect.arrayContaining(details));
    expect(shown(false).filter((line) => further.includes(line) || line.includes("more reason"))).toEqual([]);
    expect(shown(true)).toEqual(expect.arrayContaining([...details, ...further]));
  });

  test("have no sure effect among equal configurations, and it says so", () => {
    const passes = { x0: failing(20), y0: failing(20, 25), x5: failing(20, 50), y5: failing(20, 75) };
    const { verdict, choice } = chosen(passes, dimensions);
    expect(verdict.details).toContain("No effect of temperature or model is sure.");
    expect(choice?.dimensions?.effects.every(({ holds }) => !holds)).toBe(true);
  });

  test("stand in a table with their ranges", () => {
    const passes = { x0: failing(5), y0: failing(15), x5: failing(25), y5: failing(35) };
    const { model } = chosen(passes, dimensions);
    const found = findingsTables(model).find(({ table }) => table.name === "What each makes different");
    expect(found?.table.rows.map(({ key }) => key)).toEqual(["temperature 0 0.5", "model x y"]);
    expect(found?.about).toBe("All ranges hold at once with 95 %.");
  });
});
