import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { methods, type Input } from "./vector-methods.ts";

interface Vector {
  id: string;
  method: string;
  input: Input;
  expected: unknown;
  /** Absolute or relative, whichever is met. */
  tol: number;
  /** True for a method that is not built. */
  extra?: boolean;
}

const file = new URL("../fixtures/statistics.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: Vector[] };

/** Methods and results that nothing here decides or plans by: they are not built. */
const notBuilt =
  /^(wilcoxon|signTest|bootstrap|hodgesLehmann|tost|pairwiseJudgeSwap|sampleSize|power|minimumDetectableEffect\(Miller|repeatVarianceComponents\(binary)/;
const variance = ["MSB", "MSW", "withinVar", "betweenVar", "icc1k"];
const notBuiltResults = new Set(["newcombe10", "clopperPearson", "by", "bonferroni", "hochberg", ...variance]);

/** The metrics of texts are tested with their scorers. */
const ofTexts = /^(levenshtein|rouge|squadNormalizedMatch|wordErrorRate|chrF2|bleu)\b/;

describe("the reference values of the statistics", () => {
  const statistical = vectors.filter(
    ({ method, extra }) => extra !== true && !ofTexts.test(method) && !notBuilt.test(method),
  );

  test("are there, and each has a method that this code knows", () => {
    expect(statistical.length).toBe(45);
    expect(statistical.filter(({ method }) => methods[method] === undefined).map(({ id }) => id)).toEqual([]);
  });

  test.each(statistical.map((vector) => [vector.id, vector] as const))("%s", (_, { method, input, expected, tol }) => {
    const found = methods[method]?.(input);
    expect(differences(found, expected, tol), `got ${JSON.stringify(found)}`).toEqual([]);
  });
});

/**
 * Differences between found and expected results, beyond the tolerance; results that were not asked for are not looked
 * at.
 */
function differences(found: unknown, expected: unknown, tol: number, at = "result"): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return [`${at} is not a list of ${expected.length}`];
    return expected.flatMap((value, index) => differences(found[index], value, tol, `${at}[${index}]`));
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof found !== "object" || found === null) return [`${at} is ${String(found)}`];
    return Object.entries(expected).flatMap(([key, value]) =>
      notBuiltResults.has(key) ? [] : differences((found as Record<string, unknown>)[key], value, tol, `${at}.${key}`),
    );
  }
  if (typeof expected === "number" && typeof found === "number" && Number.isFinite(found)) {
    const apart = Math.abs(found - expected);
    return apart <= tol || apart <= tol * Math.abs(expected) ? [] : [`${at} is ${found}, not ${expected}`];
  }
  // A result without bound is never said as a number: it is null.
  if (expected === "Infinity") return found === null ? [] : [`${at} is ${JSON.stringify(found)}, not null`];
  return found === expected ? [] : [`${at} is ${String(found)}, not ${String(expected)}`];
}
