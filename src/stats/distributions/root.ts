/**
 * Finds the place where a continuous function crosses 0 between two ends: R. Brent's method (1973), as in netlib's
 * zeroin. Ends when the root is enclosed to `tolerance`, or to the last digit. Null when both ends have the same sign.
 */
export function rootOf(
  of: (x: number) => number,
  { low, high }: { low: number; high: number },
  tolerance = 0,
): number | null {
  let [a, b] = [low, high];
  let [fa, fb] = [of(a), of(b)];
  if (fa === 0) return a;
  if (fb !== 0 && fa > 0 === fb > 0) return null;
  let [c, fc] = [a, fa];
  for (let step = 0; step < 1000 && fb !== 0; step++) {
    const before = b - a;
    if (Math.abs(fc) < Math.abs(fb)) {
      [a, b, c] = [b, c, b];
      [fa, fb, fc] = [fb, fc, fb];
    }
    const close = 2 * Number.EPSILON * Math.abs(b) + tolerance / 2;
    const half = (c - b) / 2;
    if (Math.abs(half) <= close || fb === 0) break;
    let move = half;
    if (Math.abs(before) >= close && Math.abs(fa) > Math.abs(fb)) {
      const { p, q } = interpolation({ a, b, c, fa, fb, fc });
      const within = p < 0.75 * (c - b) * q - Math.abs(close * q) / 2 && p < Math.abs((before * q) / 2);
      if (within) move = p / q;
    }
    if (Math.abs(move) < close) move = half > 0 ? close : -close;
    [a, fa] = [b, fb];
    b += move;
    fb = of(b);
    if (fb > 0 === fc > 0) [c, fc] = [a, fa];
  }
  return b;
}

interface Points {
  a: number;
  b: number;
  c: number;
  fa: number;
  fb: number;
  fc: number;
}

/** The step p / q of the secant, or of the inverse parabola through three points; p is not negative. */
function interpolation({ a, b, c, fa, fb, fc }: Points): { p: number; q: number } {
  const across = c - b;
  if (a === c) {
    const ratio = fb / fa;
    const p = across * ratio;
    return p > 0 ? { p, q: ratio - 1 } : { p: -p, q: 1 - ratio };
  }
  const [qa, ra, sa] = [fa / fc, fb / fc, fb / fa];
  const p = sa * (across * qa * (qa - ra) - (b - a) * (ra - 1));
  const q = (qa - 1) * (ra - 1) * (sa - 1);
  return p > 0 ? { p, q: -q } : { p: -p, q };
}
