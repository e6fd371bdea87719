/** L. Kish (1965): how many times clusters of m cases with this intraclass correlation multiply the variance. */
export function designEffect(meanClusterSize: number, icc: number): number {
  return 1 + (meanClusterSize - 1) * icc;
}
