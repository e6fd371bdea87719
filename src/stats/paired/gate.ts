import type { Bounds } from "../interval.ts";
import { normalQuantile } from "../distributions/normal.ts";

/** Greatest factor on the number of cases given as advice. */
const affordable = 50;

/** A bound this close to the margin lies on it, but for rounding. */
const slack = 1e-12;

type GateState = "regression" | "pass" | "inconclusive";

/** The numbers that a gate looks at: the difference, its one-sided bounds, and the drop that is still accepted. */
export interface GateInput {
  /** Cases. */
  n: number;
  estimate: number | null;
  bounds: Bounds;
  /** Margin, not negative, in the score's own unit. */
  margin: number;
  /**
   * P of H0: the difference is at least -margin, adjusted for the other gates. When given, the claim of a regression
   * needs it to be at most `alpha` too.
   */
  adjustedP?: number | null;
  /** The same before it was adjusted; as `adjustedP` when left out. */
  regressionP?: number | null;
  /** P of H0: the difference is at most -margin. When given, a pass needs it to be at most `alpha` too. */
  passP?: number | null;
  /** 0.05 when left out. */
  alpha?: number;
  /** Level of a pass, where it is another; as `alpha` when left out. */
  passAlpha?: number;
}

export interface GateVerdict {
  state: GateState;
  /** The cases or runs that would settle it, were the difference to stay; null when it is settled. */
  settle: Settle | null;
}

export type Settle =
  | { kind: "cases"; cases: number; times: number }
  /** A number of cases so large that only a wider margin helps; null when the difference lies on the margin. */
  | { kind: "not affordable"; cases: number | null }
  | { kind: "unknown"; reason: string };

/**
 * Regression when the upper bound is below -margin, pass when the lower bound is above it, and the p values that are
 * given hold; else inconclusive with what would settle it: n (half-width / |d + margin|)^2 cases, or as many more as the
 * z of a p that stood in the way lacks.
 */
export function regressionGate(input: GateInput): GateVerdict {
  const { bounds, margin, adjustedP, passP, alpha = 0.05, passAlpha = alpha } = input;
  const { lower, upper } = bounds;
  const line = slack * Math.max(1, margin);
  if (upper !== null && upper < -margin - line && holds(adjustedP, alpha)) return { state: "regression", settle: null };
  if (lower !== null && lower > -margin + line && holds(passP, passAlpha)) return { state: "pass", settle: null };
  return { state: "inconclusive", settle: settleOf(input) };
}

function holds(p: number | null | undefined, level: number): boolean {
  return p === undefined || p === null || p <= level;
}

function settleOf(input: GateInput): Settle {
  const { n, estimate, bounds, margin } = input;
  if (estimate === null) return { kind: "unknown", reason: "there is no difference to go by" };
  const distance = estimate + margin;
  const bound = distance > 0 ? bounds.lower : bounds.upper;
  if (bound === null) return { kind: "unknown", reason: "there is no bound to go by" };
  const times = Math.max((Math.abs(bound - estimate) / Math.abs(distance)) ** 2, timesFor(input, distance > 0));
  if (Math.abs(distance) <= slack || !Number.isFinite(times)) return { kind: "not affordable", cases: null };
  const cases = Math.max(n + 1, Math.ceil(n * times * (1 - 1e-12)));
  return times > affordable ? { kind: "not affordable", cases } : { kind: "cases", cases, times };
}

/** Factor on the number of cases that the p in the way needs: z grows with their root. */
function timesFor(input: GateInput, isBetter: boolean): number {
  const { adjustedP, regressionP, passP, alpha = 0.05, passAlpha = alpha } = input;
  const [adjusted, level] = isBetter ? [passP, passAlpha] : [adjustedP, alpha];
  if (adjusted === undefined || adjusted === null || adjusted <= level) return 0;
  const p = isBetter ? adjusted : (regressionP ?? adjusted);
  const z = -normalQuantile(p);
  return z > 0 ? (normalQuantile((level * p) / adjusted) / z) ** 2 : 0;
}
