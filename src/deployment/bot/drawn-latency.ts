import { z } from "zod";
import type { Random } from "../../lib/random.ts";

/** Time that runs take: the distribution, its median and its 95th percentile in milliseconds. */
export const latencySettings = z
  .strictObject({
    distribution: z
      .enum(["fixed", "lognormal"])
      .default("fixed")
      .describe("fixed always takes the median; lognormal has the long tail of real services."),
    median_ms: z.number().min(0).max(3_600_000).default(0).describe("Half of the runs are faster than this."),
    p95_ms: z
      .number()
      .min(0)
      .max(3_600_000)
      .nullable()
      .default(null)
      .describe("Of 100 runs, 95 are faster than this; null is twice the median."),
  })
  .refine((latency) => latency.p95_ms === null || latency.p95_ms >= latency.median_ms, {
    path: ["p95_ms"],
    message: "p95_ms must not be below median_ms",
  });
export type LatencySettings = z.infer<typeof latencySettings>;

/** The 95th percentile of the standard normal distribution. */
const z95 = 1.6448536269514722;

/** Draws how many milliseconds one run takes. Always draws twice, so that settings do not shift what is drawn after it. */
export function drawLatency(settings: LatencySettings, random: Random): number {
  const [first, second] = [random(), random()];
  const { median_ms: median } = settings;
  const p95 = settings.p95_ms ?? 2 * median;
  if (settings.distribution === "fixed" || median === 0) return median;
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
  return median * Math.exp((normal * Math.log(p95 / median)) / z95);
}
