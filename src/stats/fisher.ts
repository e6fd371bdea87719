/** Rows of a group and of everything, and how many of each fail. */
export interface Twofold {
  failing: number;
  rows: number;
  allFailing: number;
  allRows: number;
}

/**
 * R. A. Fisher's exact test (1935), one-sided: the chance that at least so many of a group's rows are among the failing ones,
 * were these drawn from all rows by lot. The terms are added from the largest group down, in logarithms.
 */
export function fisherMore({ failing, rows, allFailing, allRows }: Twofold): number {
  const most = Math.min(rows, allFailing);
  if (failing > most) return 0;
  if (failing <= Math.max(0, allFailing - (allRows - rows))) return 1;
  let term = Math.exp(
    logChoose(rows, failing) + logChoose(allRows - rows, allFailing - failing) - logChoose(allRows, allFailing),
  );
  let total = 0;
  for (let count = failing; count <= most && term > total * 1e-17; count++) {
    total += term;
    term *= ((rows - count) * (allFailing - count)) / ((count + 1) * (allRows - rows - allFailing + count + 1));
  }
  return Math.min(1, total);
}

/** Logarithm of the number of ways to choose k of n. */
function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const logs = [0, 0];

/** Added up for small numbers, by Stirling's series for others. */
function logFactorial(n: number): number {
  if (n >= 256) {
    const square = 1 / (n * n);
    return (n + 0.5) * Math.log(n) - n + logRootTwoPi + (1 / 12 - square * (1 / 360 - square / 1260)) / n;
  }
  for (let at = logs.length; at <= n; at++) logs.push((logs[at - 1] ?? 0) + Math.log(at));
  return logs[n] ?? 0;
}

const logRootTwoPi = 0.9189385332046727;
