/** Milliseconds since the Unix epoch, with a fraction: wall time at start plus a clock that never goes back. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
