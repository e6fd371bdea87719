import type { Comparison } from "../../src/compare/comparison.ts";
import { binomialCdf } from "../../src/stats/distributions/binomial.ts";

/** Alarms that a comparison of the help desk can raise, each by itself: none may be raised when nothing has changed. */
export const cries: Record<string, (comparison: Comparison) => boolean> = {
  "the verdict is a regression": ({ verdict }) => verdict === "regression",
  "the behaviour is called changed": ({ candidates }) => candidates[0]?.behaviour.state === "changed",
  "a value of a tag is called worse or better": ({ candidates }) =>
    (candidates[0]?.slices ?? []).some(({ adjusted }) => isFound(adjusted)),
  "a member of the output is called changed": ({ candidates }) =>
    (candidates[0]?.behaviour.paths ?? []).some(({ adjusted }) => isFound(adjusted)),
};

/** Places that a comparison calls worse, such as `kind=typo`. */
export function calledWorse({ candidates }: Comparison): string[] {
  return (candidates[0]?.places ?? []).map(({ tag, value, and }) =>
    and === null ? `${tag}=${value}` : `${tag}=${value} and ${and.tag}=${and.value}`,
  );
}

function isFound(p: number | null): boolean {
  return p !== null && p <= 0.05;
}

/**
 * Number of comparisons that may raise a false alarm at 5 % each: more than that comes by chance in less than one of
 * fifty series.
 */
export function mostCries(comparisons: number): number {
  let most = 0;
  while (1 - binomialCdf(most, comparisons, 0.05) > 0.02) most += 1;
  return most;
}
