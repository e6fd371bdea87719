import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes at once, but on a machine that others share that may take a while.
    expect: { poll: { timeout: 20_000 } },
    pool: "forks",
    // On a machine that others share, a test of timing may need a second chance; at a desk it gets none.
    retry: process.env["CI"] === undefined ? 0 : 2,
  },
});
