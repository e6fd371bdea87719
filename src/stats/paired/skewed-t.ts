import type { ClusterEstimate } from "./cluster-t.ts";
import { chance } from "./mcnemar.ts";
import { tSurvival } from "../distributions/student-t.ts";
import { tTest } from "./t-estimate.ts";
import { finite } from "../sum.ts";

/**
 * Student's t corrected for the skewness of what is averaged (P. Hall 1992): with w = t / sqrt(C) and skewness g the
 * statistic is sqrt(C) (w + g w^2 / 3 + g^2 w^3 / 27 + g / (6 C)), which rises with w. Where rare large drops carry a
 * difference, t is far too ready to say that there is none; this is not. Null without variation.
 */
export function skewedTTest(estimate: ClusterEstimate, value: number): { pGreater: number; pLess: number } | null {
  const { t } = tTest(estimate, value);
  const { skewness: g, clusters, df } = estimate;
  if (t === null || g === null) return null;
  const w = t / Math.sqrt(clusters);
  const corrected = finite(Math.sqrt(clusters) * (w + (g * w * w) / 3 + (g * g * w ** 3) / 27 + g / (6 * clusters)));
  return { pGreater: chance(tSurvival(corrected, df)), pLess: chance(tSurvival(-corrected, df)) };
}
