import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { ComparedMetric } from "../../src/compare/comparison-plan.ts";
import type { Comparison, ComparisonSettings } from "../../src/compare/comparison.ts";
import { gateWatch } from "../../src/compare/stopping/gate-watch.ts";
import type { GateState } from "../../src/compare/verdict-word.ts";
import { often } from "../often.ts";
import { aCase, aTarget, failed, passing, says, scored, settings, unfinished } from "./case-result.ts";
import { compareCases } from "./compare-cases.ts";

/** What became of a run: right, wrong, answered without a grade, failed, or never asked, as a row without a stored answer. */
type Run = "+" | "-" | "?" | "!" | " ";
interface Row {
  before: Run[];
  now: Run[];
  kind: string;
}

const [prod, other] = [aTarget(1, "prod", { repeats: 2 }), aTarget(2, "test", { repeats: 2 })];

const jobOf = (target: typeof prod, run: Run, at: number) => {
  const repeat = { repeat: at + 1 };
  if (run === "!") return failed(target, "down", repeat);
  if (run === " ") return unfinished(target, { ...repeat, outcome: "missing" });
  const none = { scores: [{ value: null, pass: null, reason: "no verdict" }] };
  return says(target, "a", { ...repeat, ...(run === "?" ? none : scored(run === "+")) });
};

const results = (rows: readonly Row[]): PairedResult[] =>
  rows.map(({ before, now, kind }, place) =>
    aCase(
      `k${place}`,
      [...before.map((run, at) => jobOf(prod, run, at)), ...now.map((run, at) => jobOf(other, run, at))],
      { caseId: place, tags: { kind } },
    ),
  );

const counting = (losses: number, by: string | null): ComparisonSettings => {
  const metric: ComparedMetric = { ...passing(), gates: [{ kind: "losses", losses, by }] };
  // Too many gaps make data invalid: here it is about the gates alone.
  return { ...settings, sides: [prod, other], metrics: [metric], maxErrorShare: 1 };
};

/** Away from a pass, each is further than the one before. */
const away: readonly GateState[] = ["pass", "inconclusive", "invalid", "regression"];

function stateOf({ gates }: Pick<Comparison, "gates">): number {
  return Math.max(
    -1,
    ...gates.map(({ state }) => (state === "invalid" ? away.indexOf("inconclusive") : away.indexOf(state))),
  );
}

const lostIn = ({ gates }: Pick<Comparison, "gates">): number =>
  gates.reduce((sum, gate) => sum + (gate.kind === "losses" ? (gate.decided?.lost ?? 0) : 0), 0);

function watched(rows: readonly Row[], given: ComparisonSettings): string | null {
  const watch = gateWatch(given, { planned: rows.length, most: 1, values: new Map() });
  for (const result of results(rows)) {
    watch.add([result]);
    if (watch.settled() !== null) return watch.settled();
  }
  return watch.standing().gates[0]?.state ?? null;
}

const run = fc.constantFrom<Run>("+", "+", "+", "-", "?", "!", " ");
const row = fc.record({
  before: fc.array(run, { minLength: 1, maxLength: 2 }),
  now: fc.array(run, { minLength: 1, maxLength: 2 }),
  kind: fc.constantFrom("a", "b", "c"),
});

describe("a gate that counts rows", () => {
  test.each([null, "kind"])("never comes nearer to a pass when the candidate loses one more (by: %s)", (by) => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 2 }),
        fc.constantFrom<Run>("-", "?", "!", " "),
        fc.nat(),
        (rows, losses, lost, at): void => {
          const right = rows.flatMap(({ now }, place) =>
            now.flatMap((each, of) => (each === "+" ? [{ place, of }] : [])),
          );
          const taken = right[at % Math.max(1, right.length)];
          if (taken === undefined) return;
          const fewer = rows.map((each, place) =>
            place === taken.place ? { ...each, now: each.now.with(taken.of, lost) } : each,
          );
          const given = counting(losses, by);
          const [all, less] = [rows, fewer].map((each) => compareCases(results(each), given));
          if (all === undefined || less === undefined) return;
          // Without one answer on both sides nothing is told of any gate, and that is no pass.
          if (less.validity?.state === "invalid") {
            expect(less.verdict).toBe("invalid");
            return;
          }
          expect(lostIn(less)).toBeGreaterThanOrEqual(lostIn(all));
          expect(stateOf(less)).toBeGreaterThanOrEqual(stateOf(all));
          if (by !== null) return;
          // The same row by row: a run that stops early decides by the same count.
          for (const [each, comparison] of [
            [rows, all],
            [fewer, less],
          ] as const) {
            const [gate] = comparison.gates;
            if (gate?.state === "regression") expect(watched(each, given)).toBe("regression");
            else expect(watched(each, given)).not.toBe("regression");
          }
        },
      ),
      { numRuns: often(150, 3_000) },
    );
  });

  test("counts a row that the candidate left out, whatever the baseline left out in others", () => {
    const rows = (lost: Run): Row[] => [
      { before: ["+"], now: [lost], kind: "golden" },
      ...Array.from({ length: 4 }, (): Row => ({ before: [" "], now: ["+"], kind: "a" })),
      ...Array.from({ length: 4 }, (): Row => ({ before: ["?"], now: ["+"], kind: "a" })),
      ...Array.from({ length: 20 }, (): Row => ({ before: ["+"], now: ["+"], kind: "a" })),
    ];
    const decided = (lost: Run, by: string | null = null) => compareCases(results(rows(lost)), counting(0, by)).gates;
    expect(decided("+")).toMatchObject([{ state: "pass", decided: { lost: 0, cases: 21 } }]);
    expect(decided(" ")).toMatchObject([{ state: "regression", decided: { lost: 1, cases: 21, unanswered: 1 } }]);
    expect(decided("!")).toMatchObject([{ state: "regression", decided: { lost: 1, cases: 21, unanswered: 1 } }]);
    expect(decided("?")).toMatchObject([{ state: "regression", decided: { lost: 1, cases: 21, ungraded: 1 } }]);
    // The only row of its value is asked about too.
    expect(decided("?", "kind").map(({ slice, state }) => [slice?.value, state])).toEqual([
      ["golden", "regression"],
      ["a", "pass"],
    ]);
  });

  test("goes by the runs that are left: one that passes is enough, and a baseline that failed once lost nothing", () => {
    const state = (before: Run[], now: Run[]) =>
      compareCases(
        results([
          { before, now, kind: "a" },
          { before: ["+", "+"], now: ["+", "+"], kind: "a" },
        ]),
        counting(0, null),
      ).gates[0]?.state;
    expect(state(["+", "+"], ["?", "+"])).toBe("pass");
    expect(state(["+", "+"], ["?", "-"])).toBe("regression");
    expect(state(["+", "?"], ["?", "?"])).toBe("regression");
    expect(state(["+", "-"], ["?", "?"])).toBe("pass");
    expect(state(["-", "-"], [" ", " "])).toBe("pass");
  });
});
