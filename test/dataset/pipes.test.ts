import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collect, mapping } from "./reading.ts";

test.skipIf(process.platform === "win32")(
  "a pipe or a device in the place of a dataset is refused, not read",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "tandem-dataset-"));
    for (const name of ["pipe.csv", "pipe.xlsx"]) execFileSync("mkfifo", [join(folder, name)]);
    for (const path of [join(folder, "pipe.csv"), join(folder, "pipe.xlsx"), "/dev/zero", "/dev/null"]) {
      const reading = collect({ files: [path], mapping: mapping(), endpoints: ["video-bots"], folder });
      await expect(reading).rejects.toMatchObject({
        code: "DATASET_NOT_FOUND",
        message: expect.stringContaining("it is a pipe, a device or a socket"),
      });
    }
    await rm(folder, { recursive: true });
  },
);
