import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Loaded into a measured process with --import: writes what it used when it ends. */
const file = process.env["BENCH_USAGE"];
if (file !== undefined) {
  const resolution = 10;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = {
      cpuUs: userCPUTime + systemCPUTime,
      peakKb: maxRSS,
      wallMs: performance.now(),
      // The monitor counts its own interval too.
      delayMs: Math.max(0, delay.percentile(99) / 1e6 - resolution),
    };
    writeFileSync(file, JSON.stringify(usage));
  });
}
