import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Properties are tested here with all their repetitions (test/often.ts).
    include: ["test/**/*.slow.ts", "test/stats/paired.test.ts", "test/runner/endpoint-queue.property.test.ts"],
    env: { TANDEM_TESTS: "slow" },
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
  },
});
