import { normalCdf } from "./normal.ts";
import { deviance, stirlingError } from "./saddle-point.ts";

const nodesPerPanel = 24;
const panels = 48;

/** P(T > t). */
export function noncentralTSurvival(t: number, df: number, ncp: number): number {
  return df <= 0 ? normalCdf(ncp) : overDeviation(df, (s) => normalCdf(ncp - t * s));
}

/**
 * The mean of a probability over s = sqrt(chi^2 / df), the estimated deviation as a multiple of the true one, by
 * Gauss-Legendre in panels over twelve deviations of s. Nothing overflows for a large ncp or df, where the series of
 * R. Lenth (algorithm AS 243, 1989) fails; right to about 12 digits.
 */
function overDeviation(df: number, probability: (s: number) => number): number {
  // A search for a root asks again and again with the same degrees.
  if (grid?.df !== df) grid = gridOf(df);
  const { places, shares, width } = grid;
  let total = 0;
  for (let index = 0; index < places.length; index++) {
    total += (shares[index] ?? 0) * probability(places[index] ?? 0);
  }
  return Math.min(1, Math.max(0, (total * width) / 2));
}

/** The places at which a probability is asked for, and what each of them counts. */
interface Grid {
  df: number;
  places: Float64Array;
  shares: Float64Array;
  width: number;
}

let grid: Grid | null = null;

function gridOf(df: number): Grid {
  const reach = 12 / Math.sqrt(2 * df);
  // The integral is over the cube root of s, in which the density is smooth at 0 for any number of degrees from 1 on.
  const from = Math.cbrt(Math.max(0, 1 - reach));
  const width = (Math.cbrt(1 + reach) - from) / panels;
  const places = new Float64Array(panels * nodesPerPanel);
  const shares = new Float64Array(panels * nodesPerPanel);
  for (let panel = 0; panel < panels; panel++) {
    for (const [index, { node, weight }] of legendre().entries()) {
      const root = from + width * (panel + (1 + node) / 2);
      const s = root ** 3;
      places[panel * nodesPerPanel + index] = s;
      shares[panel * nodesPerPanel + index] = weight * 3 * root * root * density(s, df / 2);
    }
  }
  return { df, places, shares, width };
}

/** Density of s with half as many degrees of freedom: a Poisson term by its saddle point. */
function density(s: number, half: number): number {
  const poisson = Math.exp(-stirlingError(half) - deviance(half, half * s * s)) / Math.sqrt(2 * Math.PI * half);
  return (2 * half * poisson) / s;
}

interface Node {
  node: number;
  weight: number;
}

let nodes: Node[] | null = null;

/** Nodes and weights on [-1, 1]: the zeros of the Legendre polynomial by Newton's method. */
function legendre(): Node[] {
  nodes ??= Array.from({ length: nodesPerPanel }, (_, index) => {
    let x = Math.cos((Math.PI * (index + 0.75)) / (nodesPerPanel + 0.5));
    let slope = 1;
    for (let step = 0; step < 100; step++) {
      let [value, before] = [1, 0];
      for (let degree = 1; degree <= nodesPerPanel; degree++) {
        [value, before] = [((2 * degree - 1) * x * value - (degree - 1) * before) / degree, value];
      }
      slope = (nodesPerPanel * (x * value - before)) / (x * x - 1);
      const next = x - value / slope;
      if (Math.abs(next - x) < 1e-16) break;
      x = next;
    }
    return { node: x, weight: 2 / ((1 - x * x) * slope * slope) };
  });
  return nodes;
}
