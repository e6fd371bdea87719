import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };

/**
 * Packs the built checkout into `tandem-VERSION.tgz`, in a folder that is named or in the working one. What only a
 * checkout needs is not in its package.json: npm would ask its users about scripts that never run. `--for linux-x64`,
 * which may be given more than once, leaves out SQLite for every other platform. A package that grew beyond its limit
 * ends with 1, and with a list of what weighs.
 */
const most = 26e6;

const { values, positionals } = parseArgs({
  options: { for: { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});
const path = resolve(positionals[0] ?? ".", ["tandem", manifest.version, ...values.for].join("-") + ".tgz");
const staging = mkdtempSync(join(tmpdir(), "tandem-tarball-"));
try {
  const whole = pack(fileURLToPath(new URL("../", import.meta.url)));
  execFileSync("tar", ["-xzf", whole.file, "-C", staging]);
  const folder = join(staging, "package");
  const { scripts: _scripts, devDependencies: _development, allowScripts: _allowed, ...rest } = manifest;
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(rest, null, 2)}\n`);
  if (values.for.length > 0) leaveOut(folder, values.for);
  const { file, size, unpackedSize, files } = pack(folder);
  renameSync(file, path);
  console.log(`${path}: ${megabytes(size)}, ${megabytes(unpackedSize)} unpacked`);
  if (unpackedSize > most) {
    console.error(`The package may have ${megabytes(most)} (scripts/tarball.ts). This is in it:\n${weights(files)}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(staging, { recursive: true, force: true });
}

interface PackedFile {
  path: string;
  size: number;
}

function pack(folder: string): { file: string; size: number; unpackedSize: number; files: PackedFile[] } {
  const text = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", staging], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1e8,
  });
  const [made] = z
    .array(
      z.object({
        filename: z.string(),
        size: z.number(),
        unpackedSize: z.number(),
        files: z.array(z.object({ path: z.string(), size: z.number() })),
      }),
    )
    .parse(JSON.parse(text));
  if (made === undefined) throw new Error(`npm packed nothing: ${text}`);
  return { ...made, file: join(staging, made.filename) };
}

/** Takes the binaries of other platforms, and what the bill of materials says of them, out of an unpacked package. */
function leaveOut(folder: string, platforms: readonly string[]): void {
  const all = readdirSync(join(folder, "dist/prebuilds"));
  const unknown = platforms.filter((platform) => !all.includes(`${platform}.node`));
  if (unknown.length > 0) {
    throw new Error(
      `--for takes ${all.map((name) => name.replace(".node", "")).join(", ")}; got ${unknown.join(", ")}`,
    );
  }
  const others = all.filter((name) => !platforms.includes(name.replace(".node", "")));
  for (const name of others) rmSync(join(folder, "dist/prebuilds", name));
  const gone = new Set(others.map((name) => `file:dist/prebuilds/${name}`));
  const billPath = join(folder, "dist/bom.cdx.json");
  const bill = z
    .looseObject({
      components: z.array(z.looseObject({ "bom-ref": z.string() })),
      dependencies: z.array(z.looseObject({ dependsOn: z.array(z.string()) })),
    })
    .parse(JSON.parse(readFileSync(billPath, "utf8")));
  const components = bill.components.filter((each) => !gone.has(each["bom-ref"]));
  const dependencies = bill.dependencies.map((each) => ({
    ...each,
    dependsOn: each.dependsOn.filter((name) => !gone.has(name)),
  }));
  writeFileSync(billPath, `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);
}

/** The folders of the package, two deep, and the kinds of files beside them, the heaviest first. */
function weights(files: readonly PackedFile[]): string {
  const sums = new Map<string, number>();
  for (const { path: file, size } of files) {
    const [first = "", second = "", ...deeper] = file.split("/");
    const beside = `${first}/*${extname(second)}`;
    const place = second === "" ? first : deeper.length === 0 ? beside : `${first}/${second}/`;
    sums.set(place, (sums.get(place) ?? 0) + size);
  }
  const heaviest = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, 15);
  return heaviest.map(([place, size]) => `${megabytes(size).padStart(10)}  ${place}`).join("\n");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
