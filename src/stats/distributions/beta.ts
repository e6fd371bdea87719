import { binomialTerm } from "./saddle-point.ts";

/** A point of the unit interval with its complement, each with all its digits. */
export interface Point {
  x: number;
  /** 1 - x. */
  y: number;
}

/** P(X <= x) and P(X > x). */
export interface Tails {
  lower: number;
  upper: number;
}

/**
 * Both tails of the beta distribution. The continued fraction (Abramowitz and Stegun 26.5.8, by Lentz's method)
 * converges fast on the shorter side; the other tail is its complement.
 */
export function betaTails(point: Point, a: number, b: number): Tails {
  const { x, y } = point;
  if (x <= 0) return { lower: 0, upper: 1 };
  if (y <= 0) return { lower: 1, upper: 0 };
  // Without a parameter everything lies at the end of the other.
  if (a <= 0 || b <= 0)
    return a <= 0 && b <= 0 ? { lower: 0.5, upper: 0.5 } : { lower: a <= 0 ? 1 : 0, upper: a <= 0 ? 0 : 1 };
  if (x <= (a + 1) / (a + b + 2)) {
    const lower = Math.min(1, tail(point, a, b));
    return { lower, upper: 1 - lower };
  }
  const upper = Math.min(1, tail({ x: y, y: x }, b, a));
  return { lower: 1 - upper, upper };
}

function tail({ x, y }: Point, a: number, b: number): number {
  // x^a y^b / (a B(a, b)) as a term of the binomial distribution.
  const front = (b / (a + b)) * binomialTerm(a, a + b, { p: x, q: y });
  return front * fraction(x, a, b);
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let c = 1;
  let result = d;
  // The number of terms needed is about sqrt(max(a, b)); the limit is far more than any size of experiment asks for.
  for (let m = 1; m < 1_000_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    result *= step;
    if (!(Math.abs(step - 1) >= 1e-15)) break;
  }
  return result;
}
