import { type Tails, betaTails } from "../../../src/stats/distributions/beta.ts";

/** The x with I_x(a, b) = p: bisection that ends between two neighbouring numbers, from the nearer end of the interval. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const half = betaTails({ x: 0.5, y: 0.5 }, a, b);
  // Both tails are compared, each with its own digits: 1 - 1e-12 is as well told as 1e-12.
  const isBelow = ({ lower, upper }: Tails): boolean => (p <= 0.5 ? lower < p : upper > 1 - p);
  if (isBelow(half)) return 1 - smallRoot((y) => !isBelow(betaTails({ x: 1 - y, y }, a, b)));
  return smallRoot((x) => isBelow(betaTails({ x, y: 1 - x }, a, b)));
}

/** The x in (0, 1/2] up to which something holds; halves the exponent first, so that 1e-300 is found as well as 0.3. */
function smallRoot(holds: (x: number) => boolean): number {
  let low = Math.log(Number.MIN_VALUE);
  let high = Math.log(0.5);
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (holds(Math.exp(middle))) low = middle;
    else high = middle;
  }
  return bisect(holds, { low: Math.exp(low), high: Math.min(0.5, Math.exp(high)) });
}

function bisect(holds: (x: number) => boolean, bracket: { low: number; high: number }): number {
  let { low, high } = bracket;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
