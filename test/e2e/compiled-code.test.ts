import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { command } from "./tandem.ts";

test("a command keeps its compiled code beside the code", () => {
  const compiled = join(dirname(command), "compiled");
  rmSync(compiled, { recursive: true, force: true });
  // The tests keep it elsewhere, and so does whoever says where.
  const { NODE_COMPILE_CACHE: _elsewhere, ...env } = process.env;
  execFileSync(process.execPath, [command, "--help"], { env });
  expect(existsSync(compiled)).toBe(true);
});
