import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Properties and simulations that `npm test` repeats less often (test/often.ts). */
const repeated = [
  "test/app/read-results.test.ts",
  "test/compare/{behaviour,calibration,chance-of-change}.test.ts",
  "test/dataset/{parquet,time}.test.ts",
  "test/datasets/help-desk-runs.test.ts",
  "test/e2e/{broken-database,judge}.test.ts",
  "test/hostile/{databases,files,functions,sql}.test.ts",
  "test/public-types.test.ts",
  "test/runner/endpoint-queue.property.test.ts",
  "test/stats/{paired,skewed-t}.test.ts",
  "test/text/pattern.test.ts",
];

export default defineConfig({
  test: {
    include: ["test/**/*.slow.ts", ...repeated],
    env: { TANDEM_TESTS: "slow", TANDEM_TEST_POSTGRES: join(tmpdir(), `tandem-postgres-${process.pid}`) },
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
  },
});
