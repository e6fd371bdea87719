import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Bench, prompts, runTandem, tandem } from "./bench.ts";
import { startDelayedServer } from "./delayed-server.ts";
import { withFastServer } from "./fast-server.ts";
import { type Figure, figure, notMeasured } from "./figure.ts";
import { measure } from "./measure.ts";

const rows = 1_000_000;
const concurrency = 64;

const memory = { name: "peak memory at 1,000,000 rows", reach: 220, aim: 160, unit: " MB", digits: 0 };
const growth = { name: "its growth from 100,000 rows", reach: 15, aim: 5, unit: " %", digits: 0 };
const resume = {
  name: "resume of 1,000,000 jobs, half done: until the first request",
  reach: 5,
  aim: 1,
  unit: " s",
  digits: 1,
};

/**
 * One batch of a million rows: stopped half-way, resumed until its first request and killed there, and resumed to its end,
 * reports included. Once, because it takes many minutes.
 */
export async function million(bench: Bench): Promise<Figure[]> {
  const left = ({ name, reach, aim, unit }: typeof memory): Figure =>
    notMeasured(name, `${reach}${unit}`, `${aim}${unit}`, "--quick");
  if (bench.quick) return [left(memory), left(growth), left(resume)];
  bench.note("1,000,000 rows, the first half");
  const dataset = await prompts(bench, rows);
  const more = ["--budget", String(rows / 2)];
  const { first, port } = await withFastServer(async ({ url }) => ({
    first: await runTandem(bench, { dataset, url, concurrency, reports: true, more, codes: [3] }),
    port: Number(new URL(url).port),
  }));
  bench.note("1,000,000 rows, resume to the first request");
  const firstRequestMs = await resumeToFirstRequest(bench, port);
  bench.note("1,000,000 rows, the second half");
  const second = await withFastServer(() => measure([tandem, "resume", "--quiet"], { cwd: bench.folder }), port);
  const peakMb = Math.max(first.peakKb, second.peakKb) / 1024;
  return [
    figure(memory, peakMb),
    bench.peakKb === null
      ? notMeasured(growth.name, "15 %", "5 %", "without the 100,000 rows")
      : figure(growth, (peakMb / (bench.peakKb / 1024) - 1) * 100),
    figure(resume, firstRequestMs / 1000),
  ];
}

/** Milliseconds from the start of the process until a server at that port is asked for the first time; then kills it. */
async function resumeToFirstRequest(bench: Bench, port: number): Promise<number> {
  const server = await startDelayedServer(60_000, { port });
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
