import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { fastFolder } from "./test/fast-folder.ts";
import { LongestFirst } from "./test/longest-first.ts";

const folder = fastFolder();

/** How the tests of one run share a machine. */
export const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes at once, but on a machine that others share that may take a while.
  expect: { poll: { timeout: 20_000 } },
  // On a machine that others share, a test of timing may need a second chance; at a desk it gets none.
  retry: process.env["CI"] === undefined ? 0 : 2,
  env: {
    TMPDIR: folder,
    // The code that one process compiled is not compiled again by the hundreds that the tests start.
    NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/tandem-tests", import.meta.url)),
    // Folder of the one PostgreSQL that the tests of a run share, which the first who needs it starts (test/postgres.ts).
    TANDEM_TEST_POSTGRES: join(folder, `tandem-postgres-${process.pid}`),
  },
  // Vitest would take one process fewer than there are cores, but of five tests three wait for others.
  maxWorkers: Math.max(6, availableParallelism()),
  // Files share a process one after the other: what a test changes of it, it puts back.
  pool: "forks",
  isolate: false,
  // Room in which what a file makes is not collected at once: a twentieth of the work.
  execArgv: ["--min-semi-space-size=16"],
  sequence: { sequencer: LongestFirst },
} satisfies ViteUserConfig["test"];

export default defineConfig({ test: { ...shared, include: ["test/**/*.test.ts"] } });
