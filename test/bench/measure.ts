import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

const usage = z.object({
  cpuUs: z.number(),
  /** Peak resident memory in KiB. */
  peakKb: z.number(),
  wallMs: z.number(),
  /** The 99th percentile of the delays of the event loop. */
  delayMs: z.number(),
});

/** The resources that one process used. */
export type Usage = z.infer<typeof usage>;

const usageModule = pathToFileURL(join(import.meta.dirname, "usage.mjs")).href;

/** Runs a Node program to its end and tells what it used. Rejects when it ends with another exit code than these. */
export async function measure(args: string[], options: { cwd?: string; codes?: number[] } = {}): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-usage-"));
  const file = join(folder, "usage.json");
  try {
    const child = spawn(process.execPath, ["--import", usageModule, ...args], {
      cwd: options.cwd,
      env: { ...process.env, BENCH_USAGE: file, CI: "true", TANDEM_API_KEY: "sk-bench" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-4_000)));
    const code = await new Promise<number | null>((resolve) => {
      child.once("close", resolve);
    });
    if (!(options.codes ?? [0]).includes(code ?? -1))
      throw new Error(`${args.join(" ")} ended with ${code}:\n${complaint}`);
    return usage.parse(JSON.parse(readFileSync(file, "utf8")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The middle of these numbers; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
