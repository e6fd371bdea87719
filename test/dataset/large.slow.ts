import { execFile } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const size = 2_000_000_000;
const reader = fileURLToPath(new URL("./large-reader.mjs", import.meta.url));
const read = z.object({ cases: z.number(), peakBytes: z.number() });

/** Writes a sheet of about 2 GB; gives its number of rows. */
async function writeSheet(path: string): Promise<number> {
  const file = await open(path, "w");
  await file.write("id,question,golden_answer,language\n");
  const text = "मुफ़्त में, कितना? ".repeat(18);
  let rows = 0;
  for (let written = 0; written < size;) {
    const lines = Array.from({ length: 2_000 }, (_, i) => `q${rows + i},"${text}${rows + i}",उत्तर ${i},hi\n`);
    written += (await file.write(lines.join(""))).bytesWritten;
    rows += lines.length;
  }
  await file.close();
  return rows;
}

describe("a sheet of 2 GB", () => {
  // Inspecting remembers the inputs beside the keys, 12 bytes each.
  test.each([
    ["read", 220],
    ["inspect", 270],
  ] as const)("streams through %s in under %i MB", async (how, megabytes) => {
    const folder = await mkdtemp(join(tmpdir(), "tandem-large-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const rows = await writeSheet(join(folder, "large.csv"));
    // The shipped form is measured: a loader of TypeScript would be in its memory as well.
    const program = join(folder, "reader.mjs");
    await build({
      entryPoints: [reader],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    const { stdout } = await promisify(execFile)(process.execPath, [program, how, join(folder, "large.csv")]);
    const { cases, peakBytes } = read.parse(JSON.parse(stdout));
    expect(cases).toBe(rows);
    expect(peakBytes).toBeLessThan(megabytes * 1e6);
  });
});
