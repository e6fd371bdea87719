import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

/** Tests of workers on the PostgreSQL of the machine, with the settings of its packager: what they see of the package they see in `npm test`. */
export default defineConfig({
  test: {
    ...shared,
    include: ["test/worker/**/*.test.ts", "test/contract/*.test.ts"],
    env: { ...shared.env, TANDEM_TEST_SERVER: "installed" },
  },
});
