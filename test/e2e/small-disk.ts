import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A file system that root mounts for the test, of so many KiB, at a folder of its own or a given one; null: this user may not. */
export function smallDisk(kib: number, folder = mkdtempSync(join(tmpdir(), "tandem-disk-"))): string | null {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", folder]);
  onTestFinished(() => {
    if (status === 0) execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return status === 0 ? folder : null;
}
