import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { Comparison, ComparisonSettings } from "../../src/compare/comparison.ts";
import { hashText } from "../../src/lib/hash.ts";
import { randomStream } from "../../src/lib/random.ts";
import { drawnByColumns, nothingMeant, translations } from "../bench/simulation/dependence.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "./case-result.ts";

interface Row extends Partial<PairedResult> {
  now: boolean;
  key: string;
}

const open: Partial<ComparisonSettings> = { openColumns: { isOpen: () => true, key: "id" } };

const compared = (rows: readonly Row[], given: Partial<ComparisonSettings> = open): Comparison =>
  compareCases(
    rows.map(({ now, key, ...about }) =>
      aCase(key, [says(prod, "a", scored(true)), says(candidate, "a", scored(now))], {
        input: JSON.stringify({ input_prompt: key }),
        inputHash: hashText(key, 32),
        ...about,
      }),
    ),
    { ...settings, metrics: [passing()], ...given },
  );

const gateOf = ({ gates: [gate] }: Comparison) => (gate?.kind === "margin" ? gate : undefined);

describe("rows that go wrong together by a column that nobody named", () => {
  const byTopic = Array.from({ length: 200 }, (_, at): Row => {
    const topic = at % 20;
    return { key: `k${at}`, now: topic >= 2, columns: { topic: `t${topic}`, note: `n${at}` } };
  });

  test("are judged by it where that takes a claim away, and what the rows alone say is kept", () => {
    const found = compared(byTopic);
    expect(found.word).toBe("too-few-cases");
    expect(gateOf(found)?.dependence).toMatchObject({
      column: "topic",
      cluster: "topic",
      asTag: "topic",
      groups: 20,
      byRows: "regression",
      worst: [
        { worse: 10, rows: 10 },
        { worse: 10, rows: 10 },
      ],
    });
    expect(gateOf(found)?.dependence?.p).toBeLessThan(0.01);
  });

  test("are not looked for where nothing is compared, which would keep 8 bytes of every cell", () => {
    const asked: string[] = [];
    const isOpen = (name: string): boolean => asked.push(name) > 0;
    const openColumns = { isOpen, key: "id" };
    compared(byTopic, { openColumns, pairs: [] });
    expect(asked).toEqual([]);
    compared(byTopic, { openColumns });
    expect(asked).toEqual(["topic", "note"]);
  });

  test("are not where the suite says that rows are independent, or where they fail here and there", () => {
    expect(compared(byTopic, { ...open, isIndependent: true }).word).toBe("regression");
    const spread = byTopic.map((row, at) => ({ ...row, now: at % 21 >= 2 }));
    expect(compared(spread).word).toBe("regression");
    expect(gateOf(compared(spread))?.dependence).toBeUndefined();
  });

  test("are the translations of one question, told by their keys without the language", () => {
    const languages = ["en", "es", "hi"];
    const rows = Array.from({ length: 360 }, (_, at): Row => {
      const [question, language = ""] = [Math.floor(at / 3), languages[at % 3]];
      return { key: `q${question}-${language}`, now: question % 12 !== 0, columns: {}, tags: { language } };
    });
    const found = compared(rows);
    expect(compared(rows, {}).word).toBe("regression");
    expect(found.word).toBe("worse");
    expect(gateOf(found)?.dependence).toMatchObject({
      cluster: "{{ id | remove_last: language }}",
      asTag: null,
      groups: 120,
      byRows: "regression",
    });
  });

  test("are no rows of the input or the expected answer under another name", () => {
    const rows = byTopic.map(({ columns, ...row }) => ({ ...row, columns: {}, expected: columns?.["topic"] ?? null }));
    const named = rows.map((row) => ({ ...row, columns: { topic: row.expected ?? "" } }));
    expect(compared(rows).word).toBe("regression");
    expect(compared(named).word).toBe("regression");
  });
});

describe("simulated", () => {
  test("a column that means nothing changes the word in at most 2 % of the comparisons", () => {
    const repetitions = 40;
    const changed = nothingMeant.map(({ once, name }) => {
      const random = randomStream(name);
      return Array.from({ length: repetitions }, (_, at) => Object.values(once(random, at))).flat();
    });
    // 240 comparisons: 2 % are 5, and 11 are three standard deviations more.
    expect(changed.flat()).toHaveLength(6 * repetitions);
    expect(changed.flat().filter(Boolean).length).toBeLessThanOrEqual(11);
  });

  test("translations are found to belong together in most comparisons that they would change", () => {
    const random = randomStream("translations");
    const states = Array.from({ length: 60 }, (_, at) =>
      drawnByColumns(translations(120, 0.08, random).cases, `translations/${at}`),
    );
    const falsely = (of: "byRows" | "state") => states.filter((each) => each[of] === "regression").length;
    expect(falsely("byRows")).toBeGreaterThan(falsely("state"));
    expect(states.every(({ byRows, state }) => state === byRows || state === "inconclusive")).toBe(true);
  });
});
