import { z } from "zod";

/** Limits of one function run. */
export const sandboxLimits = z.strictObject({
  time_ms: z.int().min(1).max(600_000).default(1000).describe("Milliseconds a function may run."),
  memory_bytes: z
    .int()
    .min(1_000_000)
    .max(1_000_000_000)
    .default(32 * 1024 * 1024)
    .describe("Bytes of memory a function may hold."),
  output_bytes: z
    .int()
    .min(1)
    .max(100_000_000)
    .default(1024 * 1024)
    .describe("Bytes of JSON that a return value may have, and bytes that all log messages together may have."),
  log_entries: z.int().min(0).max(100_000).default(1000).describe("How many log entries are kept."),
});
export type SandboxLimits = z.infer<typeof sandboxLimits>;
