import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { hasProcessAbove } from "../../../src/cli/signals/counted-signals.ts";

test.skipIf(process.platform !== "linux" || spawnSync("ps", ["-V"]).error !== undefined)(
  "a process above in the same group is the same by the file system of Linux and by ps",
  async () => {
    const above = await hasProcessAbove("linux");
    expect(await hasProcessAbove("darwin")).toBe(above);
    expect(await hasProcessAbove("win32")).toBe(false);
  },
);
