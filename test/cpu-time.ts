/** Milliseconds of CPU that this process takes for the work: as many on a busy machine as on an idle one. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return since(before);
}

/** Milliseconds of CPU that this process took since then. */
export function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
