import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Bench, prompts, runTandem, tandem } from "./bench.ts";
import { startDelayedServer } from "./delayed-server.ts";
import type { FastServer } from "./fast-server.ts";
import { startFastServer } from "./fast-server.ts";
import { type Figure, figure } from "./figure.ts";
import { measure } from "./measure.ts";

const rows = 1_000_000;
const concurrency = 64;

/**
 * One batch of a million rows: stopped half-way, resumed until its first request and killed there, and resumed to its end,
 * reports included. Once, because it takes many minutes.
 */
export async function million(bench: Bench, server: FastServer, peakKbBefore: number): Promise<Figure[]> {
  bench.note("1,000,000 rows, the first half");
  const dataset = await prompts(bench, rows);
  const more = ["--budget", String(rows / 2)];
  const first = await runTandem(bench, { dataset, url: server.url, concurrency, more, codes: [3] });
  await server.stop();
  bench.note("1,000,000 rows, resume to the first request");
  const firstRequestMs = await resumeToFirstRequest(bench, Number(new URL(server.url).port));
  const again = await startFastServer(Number(new URL(server.url).port));
  try {
    bench.note("1,000,000 rows, the second half");
    const second = await measure([tandem, "resume", "--quiet"], { cwd: bench.folder });
    const peakMb = Math.max(first.peakKb, second.peakKb) / 1024;
    const growth = (peakMb / (peakKbBefore / 1024) - 1) * 100;
    return [
      figure({ name: "peak memory at 1,000,000 rows", reach: 220, aim: 160, unit: " MB", digits: 0 }, peakMb),
      figure({ name: "its growth from 100,000 rows", reach: 15, aim: 5, unit: " %", digits: 0 }, growth),
      figure(
        {
          name: "resume of 1,000,000 jobs, half done: until the first request",
          reach: 5,
          aim: 1,
          unit: " s",
          digits: 1,
        },
        firstRequestMs / 1000,
      ),
    ];
  } finally {
    await again.stop();
  }
}

/** Milliseconds from the start of the process until a server at that port is asked for the first time; then kills it. */
async function resumeToFirstRequest(bench: Bench, port: number): Promise<number> {
  const server = await startDelayedServer(60_000, port);
  try {
    const start = performance.now();
    const child = spawn(process.execPath, [tandem, "resume", "--quiet"], {
      cwd: bench.folder,
      env: { ...process.env, TANDEM_API_KEY: "sk-bench" },
      stdio: "ignore",
    });
    await server.asked;
    const tookMs = performance.now() - start;
    child.kill("SIGKILL");
    await once(child, "exit");
    return tookMs;
  } finally {
    await server.stop();
  }
}
