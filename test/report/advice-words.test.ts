import { describe, expect, test } from "vitest";
import type { GateAdvice, MarginGateResult } from "../../src/compare/summary/gate-shapes.ts";
import { adviceWords } from "../../src/report/model/model-gates.ts";
import { measure } from "../../src/report/words/figures.ts";
import { compareCases } from "../compare/compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "../compare/case-result.ts";

/** The gate of a hundred cases of which ten newly fail and five newly pass: the loss lies on its limit. */
function openGate(): MarginGateResult {
  const results = Array.from({ length: 100 }, (_, i) =>
    aCase(`k${i}`, [says(prod, "a", scored(i < 85 || i >= 90)), says(candidate, "a", scored(i < 80 || i >= 85))]),
  );
  const lost = results.map((each, i) =>
    i < 95 ? each : aCase(`k${i}`, [says(prod, "a", scored(true)), says(candidate, "a", scored(false))]),
  );
  const [gate] = compareCases(lost, { ...settings, metrics: [passing()] }).gates;
  if (gate?.kind !== "margin") throw new Error("no gate with a margin");
  return gate;
}

const none = { fewestToPass: null, instead: [] };

describe("advice for a gate that is open", () => {
  const gate = openGate();
  const said = (settle: GateAdvice): string | null => adviceWords({ ...gate, settle }, 58, measure("pass"));

  test("names no number of cases that nobody would write, and no limit that lets everything pass", () => {
    expect(gate.state).toBe("inconclusive");
    expect(gate.settle).toMatchObject({ kind: "too many" });
    const wider = gate.settle?.kind === "too many" ? gate.settle.wider : null;
    expect(wider?.margin ?? 0).toBeLessThanOrEqual(3 * gate.margin);
    expect(adviceWords(gate, 100, measure("pass"))).toMatch(
      /^(These 100 cases cannot|More cases would hardly) decide it: /,
    );
  });

  test("says that these cases cannot decide it, and by which to go instead", () => {
    expect(said({ kind: "too many", cases: 62_000, repeats: null, wider: null, ...none })).toBe(
      "These 58 cases cannot decide it: for a limit of 5 points it takes about 62,000; go by the rows that changed.",
    );
    expect(said({ kind: "too many", cases: 1_400, repeats: null, wider: { margin: 0.1, cases: 120 }, ...none })).toBe(
      "These 58 cases cannot decide it: for a limit of 5 points it takes about 1,400; for a limit of 10 points 120 are enough.",
    );
    expect(said({ kind: "too many", cases: null, repeats: null, wider: null, ...none })).toBe(
      "More cases would hardly decide it: the loss is so close to the limit of 5 points; go by the rows that changed.",
    );
  });

  test("asks the same cases more often where that does what more cases would", () => {
    expect(said({ kind: "too many", cases: 1_400, repeats: 24, wider: null, ...none })).toBe(
      "To decide it: 24 runs of each of these 58 cases.",
    );
  });
});
