import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { processesAbove } from "../../../src/cli/signals/counted-signals.ts";

test.skipIf(process.platform !== "linux" || spawnSync("ps", ["-V"]).error !== undefined)(
  "the processes above are the same by the file system of Linux and by ps",
  async () => {
    const above = await processesAbove("linux");
    expect(await processesAbove("darwin")).toEqual(above);
    expect(await processesAbove("win32")).toEqual({ count: 0, repeatsToGroup: false });
  },
);
