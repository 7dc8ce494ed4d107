/** Coefficients of Lanczos' approximation, g = 7, n = 9. */
const lanczos = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
];

/** Natural logarithm of the gamma function, for x > 0.5. */
function logGamma(x: number): number {
  const [first = 0, ...others] = lanczos;
  const series = others.reduce((total, coefficient, index) => total + coefficient / (x + index), first);
  const shifted = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(shifted) - shifted + Math.log(series);
}

const precision = 1e-14;
const maxSteps = 300;

/** Continued fraction of the incomplete beta function, after Lentz. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const nonZero = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= maxSteps; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    result *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    result *= c * d;
    if (Math.abs(c * d - 1) < precision) break;
  }
  return result;
}

/** Regularised incomplete beta function. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** Probability that a t-distributed value is at most `t`. */
function cumulative(t: number, degrees: number): number {
  const tail = incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

function density(t: number, degrees: number): number {
  const scale = Math.exp(logGamma((degrees + 1) / 2) - logGamma(degrees / 2)) / Math.sqrt(degrees * Math.PI);
  return scale * (1 + t ** 2 / degrees) ** (-(degrees + 1) / 2);
}

/**
 * The value that a t-distributed variable stays below with this probability, from 0.5 to 1. Newton's method: the distribution is
 * concave from 0 on, so the steps never go too far.
 */
export function studentQuantile(probability: number, degrees: number): number {
  let t = 0;
  for (let step = 0; step < 100; step++) {
    const next = t + (probability - cumulative(t, degrees)) / density(t, degrees);
    if (next - t <= 1e-12 * next) return next;
    t = next;
  }
  return t;
}
