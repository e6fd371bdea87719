import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };

/**
 * Packs the built checkout into `tandem-VERSION.tgz`, in a folder that is named or in the working one. What only a
 * checkout needs is not in its package.json: npm would ask its users about scripts that never run.
 */
const [target = "."] = process.argv.slice(2);
const path = resolve(target, `tandem-${manifest.version}.tgz`);
const staging = mkdtempSync(join(tmpdir(), "tandem-tarball-"));
try {
  const whole = pack(fileURLToPath(new URL("../", import.meta.url)));
  execFileSync("tar", ["-xzf", whole.file, "-C", staging]);
  const manifestPath = join(staging, "package/package.json");
  const { scripts: _scripts, devDependencies: _development, allowScripts: _allowed, ...rest } = manifest;
  writeFileSync(manifestPath, `${JSON.stringify(rest, null, 2)}\n`);
  const { file, size, unpackedSize } = pack(join(staging, "package"));
  renameSync(file, path);
  console.log(`${path}: ${megabytes(size)}, ${megabytes(unpackedSize)} unpacked`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function pack(folder: string): { file: string; size: number; unpackedSize: number } {
  const text = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", staging], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const packed = z.object({ filename: z.string(), size: z.number(), unpackedSize: z.number() });
  const [made] = z.array(packed).parse(JSON.parse(text));
  if (made === undefined) throw new Error(`npm packed nothing: ${text}`);
  return { ...made, file: join(staging, made.filename) };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
