/** P(Z <= x) of the standard normal distribution: W. J. Cody's rational approximations (1969), accurate in both tails. */
export function normalCdf(x: number): number {
  return x > 0 ? 1 - upperTail(x) : upperTail(-x);
}

/** P(Z > x), without the loss of 1 - cdf. */
export function normalSurvival(x: number): number {
  return normalCdf(-x);
}

/**
 * The x with P(Z <= x) = p: M. J. Wichura, algorithm AS 241 (1988), about 16 digits. Finite for all p: 0 and 1 have the
 * quantiles of the smallest tail that a number can tell, about 38 deviations out.
 */
export function normalQuantile(p: number): number {
  const centre = p - 0.5;
  if (Math.abs(centre) <= 0.425) {
    const r = 0.180625 - centre * centre;
    return (centre * polynomial(nearTop, r)) / polynomial(nearBottom, r);
  }
  const r = Math.sqrt(-Math.log(Math.max(Number.MIN_VALUE, Math.min(p, 1 - p))));
  const tail =
    r <= 5
      ? polynomial(middleTop, r - 1.6) / polynomial(middleBottom, r - 1.6)
      : polynomial(farTop, r - 5) / polynomial(farBottom, r - 5);
  return centre < 0 ? -tail : tail;
}

/** The z of a two-sided interval of this level, as 1.96 of 0.95. */
export function twoSidedZ(level: number): number {
  return -normalQuantile((1 - level) / 2);
}

/** P(Z > x) for x >= 0. */
function upperTail(x: number): number {
  if (x < 0.67448975) {
    const square = x * x;
    return 0.5 - (x * polynomial(centreTop, square)) / polynomial(centreBottom, square);
  }
  // Less than the smallest number, also where x is infinite.
  if (x > 40) return 0;
  // exp(-x^2/2) in two factors: the first exponent is exact, so that no digit is lost far out.
  const near = Math.trunc(x * 16) / 16;
  const density = Math.exp((-near * near) / 2) * Math.exp((-(x - near) * (x + near)) / 2);
  if (x < 5.656854249492381) return (density * polynomial(bodyTop, x)) / polynomial(bodyBottom, x);
  const inverse = 1 / (x * x);
  const correction = (inverse * polynomial(outerTop, inverse)) / polynomial(outerBottom, inverse);
  return (density * (0.3989422804014327 - correction)) / x;
}

/** Horner's rule; coefficients from the lowest power. */
function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let index = coefficients.length - 1; index >= 0; index--) value = value * x + (coefficients[index] ?? 0);
  return value;
}

const centreTop = [18154.98125334356, 1067.6894854603709, 161.02823106855587, 2.2352520354606837, 0.06568233791820745];
const centreBottom = [45507.78933502673, 10260.932208618979, 976.0985517377767, 47.202581904688245, 1];
const bodyTop = [
  9842.714838383978, 11602.65143764735, 6848.190450536283, 2494.5375852903726, 597.2702763948002, 93.50665613217785,
  8.883149794388377, 0.39894151208813466, 1.0765576773720192e-8,
];
const bodyBottom = [
  19685.429676859992, 38912.00328609327, 34900.95272114598, 18615.571640885097, 6485.558298266761, 1519.3775994075547,
  235.387901782625, 22.266688044328117, 1,
];
const outerTop = [
  2.9112874951168793e-5, 0.0014216191932278934, 0.022235277870649807, 0.12740116116024736, 0.215898534057957,
  0.023073441764940174,
];
const outerBottom = [
  7.297515550839662e-5, 0.0037823963320275824, 0.06598813786892856, 0.4682382124808651, 1.284260096144911, 1,
];
const nearTop = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const nearBottom = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852854,
];
const middleTop = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const middleBottom = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const farTop = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const farBottom = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
