import { noncentralTSurvival } from "../distributions/noncentral-t.ts";
import { rootOf } from "../distributions/root.ts";
import { tQuantile } from "../distributions/student-t.ts";

/** Reliability asked of a test: its level, its power against the difference in question, and its number of sides. */
export interface Sureness {
  /** 0.05 when left out. */
  alpha?: number;
  /** 0.8 when left out. */
  power?: number;
  /** 2 when left out. */
  sides?: 1 | 2;
}

/** The smallest difference that a t test of a mean with this standard error finds. Null without variation. */
export function detectable({ se, df }: { se: number; df: number }, sureness: Sureness = {}): number | null {
  const { alpha = 0.05, power = 0.8, sides = 2 } = sureness;
  if (df < 1 || !(se > 0)) return null;
  const critical = tQuantile(1 - alpha / sides, df);
  const ncp = rootOf((shift) => noncentralTSurvival(critical, df, shift) - power, { low: 0, high: 4 * critical + 40 });
  return ncp === null ? null : ncp * se;
}
