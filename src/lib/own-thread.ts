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
