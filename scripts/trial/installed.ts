import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

export interface Installed {
  packages: number;
  /** Millions of bytes on the disk, a file that stands in several places once. */
  megabytes: number;
}

/** Packages and size of a project's `node_modules`. */
export function installedIn(project: string): Installed {
  const folder = join(project, "node_modules");
  return { packages: packagesIn(folder), megabytes: megabytesOf(folder) };
}

function packagesIn(folder: string): number {
  // pnpm links to a package from each place where it is found, and some versions of Node list what is behind links.
  const packages = new Set<string>();
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const isPackage = each.name === "package.json" && /node_modules\/(?:@[^/]+\/)?[^/@.][^/]*$/.test(each.parentPath);
    if (each.isFile() && isPackage) packages.add(realpathSync(each.parentPath));
  }
  return packages.size;
}

function megabytesOf(folder: string): number {
  const seen = new Map<number, number>();
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { ino, blocks } = lstatSync(join(each.parentPath, each.name));
    seen.set(ino, blocks * 512);
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6;
}
