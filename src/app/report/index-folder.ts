import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import { tempSuffix, removeLeftovers } from "../../lib/leftovers.ts";
import { knownPath } from "../../store/read-only-folder.ts";

/** Indexes may weigh together what the database weighs, or this much where that is more. */
const leastRoom = 512 * 1024 * 1024;

/** The folder for indexes of comparisons, which the viewer keeps. No secret is in it. */
export interface IndexFolder {
  path: string;
  /** Removes the indexes that were not looked at for the longest, until there is room again. */
  tidy: (keep: ReadonlySet<string>) => void;
  /** Notes that an index is looked at. */
  touch: (folder: string) => void;
  /** Removes what is half made, and all of it where nothing can be kept. */
  close: () => void;
}

export function openIndexFolder(database: string): IndexFolder {
  const { path, lasts } = makeIndexFolder(database);
  removeLeftovers(path);
  return {
    path,
    tidy: (keep) => ifThere(() => tidy(path, keep, Math.max(leastRoom, statSync(database).size))),
    touch(folder) {
      const now = new Date();
      ifThere(() => utimesSync(folder, now, now));
    },
    close: () =>
      ifThere(() => {
        const own = lasts ? readdirSync(path).filter((name) => ofThisProcess.test(name)) : [""];
        for (const name of own) rmSync(join(path, name), { recursive: true, force: true });
      }),
  };
}

/** The folder of an index that this process has not made to its end. */
const ofThisProcess = new RegExp(`^\\..*-${process.pid}-[0-9a-f]{12}$`);

/** Other programs may delete the folder at any time: then there is nothing to do. */
function ifThere(work: () => void): void {
  try {
    work();
  } catch {
    // Files that cannot be cleared now are cleared by the next viewer.
  }
}

/**
 * Makes the folder that only its owner may read, like the database: beside it, or in the user's own cache where that cannot
 * be written, so that an index outlives the viewer there too.
 */
export function makeIndexFolder(database: string): { path: string; lasts: boolean } {
  const known = knownPath(database);
  const beside = join(dirname(known), ".view");
  // A database that is read from a copy lies where nothing may be written.
  const places = [
    ...(known === database ? [beside] : []),
    join(cacheFolder(), "tandem", `view-${hashText(known, 24)}`),
  ];
  for (const path of places) {
    try {
      makePrivate(path);
      return { path, lasts: true };
    } catch {
      // Then the next one.
    }
  }
  removeLeftovers(tmpdir());
  const path = join(tmpdir(), `tandem-view-${tempSuffix()}`);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new AppError(
      "MACHINE_LIMIT",
      `There is no folder for an index of the rows: ${path} cannot be made${reason}.`,
      {
        hint: `Make ${known} writable, or set TMPDIR to a folder that is: a query over rows needs one.`,
        cause,
      },
    );
  }
  return { path, lasts: false };
}

function makePrivate(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // A link would lead what is written, and the change of rights, to somewhere else.
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is no folder`);
  chmodSync(path, 0o700);
  const ignore = join(path, ".gitignore");
  rmSync(ignore, { force: true });
  writeFileSync(ignore, "*\n", { mode: 0o600, flag: "wx" });
}

/** The folder for files of this user that can be made again. */
export function cacheFolder({ env, platform } = process): string {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  if (platform === "darwin") return join(homedir(), "Library", "Caches");
  const given = env["XDG_CACHE_HOME"] ?? "";
  return given.startsWith("/") ? given : join(homedir(), ".cache");
}

function tidy(path: string, keep: ReadonlySet<string>, room: number): void {
  removeLeftovers(path);
  const folders = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => {
      const folder = join(path, name);
      return { folder, at: statSync(folder).mtimeMs, bytes: sizeOf(folder) };
    })
    .toSorted((a, b) => b.at - a.at);
  let used = 0;
  for (const { folder, bytes } of folders) {
    used += bytes;
    if (used > room && !keep.has(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
