import type { Clustered } from "../clusters.ts";
import { sumOf } from "../sum.ts";

function ratio(top: number, bottom: number): number | null {
  return bottom > 0 ? top / bottom : null;
}

/**
 * Likeness of the cases of one cluster: ICC(1) of cases within clusters, as `repeatTally` has it of runs within cases,
 * from sums by cluster. Null for fewer than two clusters, clusters of one case each, and without variation.
 */
export function clusterIcc({ n, sums, sizes, mean, deviation, scale }: Clustered): number | null {
  const clusters = sums.length;
  if (mean === null || deviation === null || clusters < 2 || clusters === n) return null;
  const centre = mean / scale;
  const between = sumOf(clusters, (place) => {
    const size = sizes[place] ?? 1;
    return size * ((sums[place] ?? 0) / size - centre) ** 2;
  });
  const all = (deviation / scale) ** 2 * (n - 1);
  const [msBetween, msWithin] = [between / (clusters - 1), Math.max(0, all - between) / (n - clusters)];
  const k = (n - sumOf(clusters, (place) => (sizes[place] ?? 0) ** 2) / n) / (clusters - 1);
  return ratio(msBetween - msWithin, msBetween + (k - 1) * msWithin);
}

/**
 * The chance that at least one of k runs passes, from n runs with c passes: M. Chen et al. (2021),
 * 1 - C(n-c, k) / C(n, k). Null for more runs than there are.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  const none = allOfK(n, n - c, k);
  return none === null ? null : 1 - none;
}

/** The chance that all of k runs pass: S. Yao et al. (2024), C(c, k) / C(n, k). Null for more runs than there are. */
export function passHatK(n: number, c: number, k: number): number | null {
  return allOfK(n, c, k);
}

/** C(c, k) / C(n, k) as a product of small fractions. */
function allOfK(n: number, c: number, k: number): number | null {
  if (!(n >= 1 && k >= 1 && k <= n && c >= 0 && c <= n)) return null;
  if (c < k) return 0;
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn++) chance *= (c - drawn) / (n - drawn);
  return chance;
}
