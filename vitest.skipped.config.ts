import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

const tests = new URL("test/", import.meta.url);

/** Files with tests that `npm test` skips (test/often.ts); of each, those tests alone are run. */
const include = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts") && /\bslowTest[.(]/.test(readFileSync(new URL(file, tests), "utf8")))
  .map((file) => `test/${file}`);

export default defineConfig({
  test: { ...shared, include, allowOnly: true, env: { ...shared.env, TANDEM_TESTS: "skipped" } },
});
