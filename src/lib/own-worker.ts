import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a file of this program in a thread of its own: `bundled` is its name beside the bundle, `source` its place
 * below `src/`. The build has to know of it.
 */
export function startOwnThread(file: { bundled: string; source: string }, options: WorkerOptions): Worker {
  const source = new URL(`../${file.source}`, import.meta.url);
  if (!import.meta.url.endsWith(".ts")) return new Worker(bundledFile(file.bundled), options);
  return new Worker(loadTypeScript(source), { ...options, eval: true });
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
  const isSource = import.meta.url.endsWith(".ts");
  const path = isSource ? new URL(`../${file.source}`, import.meta.url) : bundledFile(file.bundled);
  const loader = isSource ? ["--import", import.meta.resolve("tsx")] : [];
  return fork(fileURLToPath(path), [], {
    execArgv: [...loader, `--max-old-space-size=${memoryMb}`],
    // Windows starts no process without it.
    env: process.env["SystemRoot"] === undefined ? {} : { SystemRoot: process.env["SystemRoot"] },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc", descriptor],
  });
}

/** Finds a file beside the bundle, or one folder up when the bundler puts shared chunks into a folder. */
function bundledFile(name: string): URL {
  const beside = new URL(`./${name}.js`, import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL(`../${name}.js`, import.meta.url);
}

/** Loads a thread from sources (tests, tsx), which needs a loader of its own: tsx, a development dependency. */
function loadTypeScript(source: URL): string {
  const loader = import.meta.resolve("tsx/esm/api");
  return `import(${JSON.stringify(loader)}).then((tsx) => tsx.tsImport(${JSON.stringify(source.href)}, ${JSON.stringify(source.href)}))`;
}
