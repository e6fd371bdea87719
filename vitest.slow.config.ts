import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const tests = new URL("test/", import.meta.url);
const isRepeated = (file: string): boolean =>
  file.endsWith(".test.ts") && readFileSync(new URL(file, tests), "utf8").includes('often.ts"');

/** Files with properties and simulations that `npm test` repeats less often (test/often.ts). */
const repeated = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter(isRepeated)
  .map((file) => `test/${file}`);

export default defineConfig({
  test: {
    include: ["test/**/*.slow.ts", ...repeated],
    env: { TANDEM_TESTS: "slow", TANDEM_TEST_POSTGRES: join(tmpdir(), `tandem-postgres-${process.pid}`) },
    // As in vitest.config.ts: what is waited for comes at once, but on a machine that others share that may take a while.
    expect: { poll: { timeout: 20_000 } },
    retry: process.env["CI"] === undefined ? 0 : 2,
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
  },
});
