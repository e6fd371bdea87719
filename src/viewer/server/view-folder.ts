import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Indexes may weigh together what the database weighs, or this much where that is more. */
const leastRoom = 512 * 1024 * 1024;

/** The folder that the viewer keeps beside the database: indexes of comparisons. No secret is in it. */
export interface ViewFolder {
  path: string;
  /** Removes the indexes that were not looked at for the longest, until there is room again. */
  tidy: (keep: ReadonlySet<string>) => void;
  /** Notes that an index is looked at. */
  touch: (folder: string) => void;
  /** Removes what is half made, and all of it where nothing can be kept beside the database. */
  close: () => void;
}

export function openViewFolder(database: string): ViewFolder {
  const { path, lasts } = makeFolder(join(dirname(database), ".view"));
  return {
    path,
    tidy: (keep) => ifThere(() => tidy(path, keep, Math.max(leastRoom, statSync(database).size))),
    touch(folder) {
      const now = new Date();
      ifThere(() => utimesSync(folder, now, now));
    },
    close: () =>
      ifThere(() => {
        const own = lasts ? readdirSync(path).filter((name) => makerOf(name) === process.pid) : [""];
        for (const name of own) rmSync(join(path, name), { recursive: true, force: true });
      }),
  };
}

/** Somebody may delete the folder at any time: then there is nothing to do. */
function ifThere(work: () => void): void {
  try {
    work();
  } catch {
    // Files that cannot be cleared now are cleared by the next viewer.
  }
}

/** Makes the folder that only its owner may read, like the database. */
function makeFolder(beside: string): { path: string; lasts: boolean } {
  try {
    mkdirSync(beside, { recursive: true, mode: 0o700 });
    // A link would lead what is written, and the change of rights, to somewhere else.
    if (!lstatSync(beside).isDirectory()) throw new Error(`${beside} is no folder`);
    chmodSync(beside, 0o700);
    const ignore = join(beside, ".gitignore");
    rmSync(ignore, { force: true });
    writeFileSync(ignore, "*\n", { mode: 0o600, flag: "wx" });
    return { path: beside, lasts: true };
  } catch {
    return { path: mkdtempSync(join(tmpdir(), "tandem-view-")), lasts: false };
  }
}

function tidy(path: string, keep: ReadonlySet<string>, room: number): void {
  const folders = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = join(path, name);
      return { folder, at: statSync(folder).mtimeMs, bytes: sizeOf(folder), maker: makerOf(name) };
    })
    .toSorted((a, b) => b.at - a.at);
  let used = 0;
  for (const { folder, bytes, maker } of folders) {
    used += bytes;
    const isSpare = maker === null ? used > room : !isAlive(maker);
    if (isSpare && !keep.has(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

/** The process that makes an index whose folder is so called; null for one that is made. */
function makerOf(name: string): number | null {
  const [, pid] = /\.part-(\d+)-\d+$/.exec(name) ?? [];
  return pid === undefined ? null : Number(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, but is not ours.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
