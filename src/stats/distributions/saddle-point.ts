/*
 * C. Loader, "Fast and accurate computation of binomial probabilities" (2000): a density as exp(-deviance) times
 * corrections of Stirling's formula, so that nothing large is subtracted from something large. Nearly all digits
 * stay at n = 1,000,000, where differences of log gammas lose nine of them.
 */

const logRootTwoPi = 0.9189385332046727;

/** ln(n!) - ln(sqrt(2 pi n) (n/e)^n), for any n > 0. */
export function stirlingError(n: number): number {
  if (n < 16) return errorsOfFew[n] ?? errorOfFew(n);
  const square = 1 / (n * n);
  const series =
    1 / 12 -
    square *
      (1 / 360 -
        square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360360 - square / 156)))));
  return series / n;
}

/** x ln(x/m) + m - x, the deviance of x against its mean m; without cancellation where they are close. */
export function deviance(x: number, m: number): number {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  let total = (x - m) * v;
  let power = 2 * x * v;
  for (let odd = 3; odd < 1000; odd += 2) {
    power *= v * v;
    const next = total + power / odd;
    if (next === total) return next;
    total = next;
  }
  return total;
}

/** Gamma(n+1) / (Gamma(x+1) Gamma(n-x+1)) p^x q^(n-x), for real 0 <= x <= n; q is 1 - p given with all its digits. */
export function binomialTerm(x: number, n: number, { p, q }: { p: number; q: number }): number {
  if (p === 0) return x === 0 ? 1 : 0;
  if (q === 0) return x === n ? 1 : 0;
  const rest = n - x;
  if (x === 0) return Math.exp(n * logOf(q, p));
  if (rest === 0) return Math.exp(n * logOf(p, q));
  const log =
    stirlingError(n) -
    stirlingError(x) -
    stirlingError(rest) -
    deviance(x, n * p) -
    deviance(rest, n * q) -
    logRootTwoPi;
  return Math.exp(log) * Math.sqrt(n / x / rest);
}

/** The logarithm of a number whose complement is known with more digits where it is near 1. */
function logOf(value: number, complement: number): number {
  return value > 0.5 ? Math.log1p(-complement) : Math.log(value);
}

const errorOfFew = (n: number): number => logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - logRootTwoPi;

/** Logarithm of the gamma function for x > 0: C. Lanczos's series with g = 607/128 and 15 terms, about 15 digits. */
function logGamma(x: number): number {
  let series = lanczos[0] ?? 0;
  for (let index = 1; index < lanczos.length; index++) series += (lanczos[index] ?? 0) / (x + index);
  const shifted = x + 5.2421875;
  return (x + 0.5) * Math.log(shifted) - shifted + Math.log((2.5066282746310007 * series) / x);
}

const lanczos = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202,
  3.399464998481189e-5, 4.652362892704858e-5, -9.837447530487956e-5, 0.0001580887032249125, -0.00021026444172410488,
  0.00021743961811521265, -0.0001643181065367639, 8.441822398385275e-5, -2.6190838401581408e-5, 3.6899182659531625e-6,
];

/** The errors of whole numbers, which are asked for again and again. */
const errorsOfFew = Array.from({ length: 16 }, (_, n) => errorOfFew(n));
