import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a file of this program in a thread of its own, with nothing of its environment, where there may be keys: `bundled`
 * is its name beside the bundle, `source` its place below `src/`. The build has to know of it.
 */
export function startOwnThread(
  file: { bundled: string; source: string },
  options: Omit<WorkerOptions, "env" | "execArgv" | "argv">,
): Worker {
  return new Worker(placeOf(file), { ...options, env: cacheOfCode(), execArgv: [], argv: [] });
}

/** The variable by which Node finds code that it compiled before: to load that takes a thread a quarter less. */
function cacheOfCode(): Record<string, string> {
  const folder = process.env["NODE_COMPILE_CACHE"];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

/** The descriptor under which the process finds the file that it was given. */
export const givenDescriptor = 4;

/**
 * Starts a file of this program in a process of its own, which has an open file and nothing else of ours: no environment,
 * no output. Work that may take any amount of memory belongs there, because a thread that runs out of it ends the program.
 */
export function startOwnProcess(
  file: { bundled: string; source: string },
  { descriptor, memoryMb }: { descriptor: number; memoryMb: number },
): ChildProcess {
  return fork(fileURLToPath(placeOf(file)), [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // Windows starts no process without it.
    env: process.env["SystemRoot"] === undefined ? {} : { SystemRoot: process.env["SystemRoot"] },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc", descriptor],
  });
}

/** The file beside the bundle, or one folder up when the bundler puts shared chunks into a folder. Node strips the types of sources itself. */
function placeOf({ bundled, source }: { bundled: string; source: string }): URL {
  if (import.meta.url.endsWith(".ts")) return new URL(`../${source}`, import.meta.url);
  const beside = new URL(`./${bundled}.js`, import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL(`../${bundled}.js`, import.meta.url);
}
