import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { AppError } from "../../errors.ts";
import { placeInside } from "../../lib/paths/inside-folder.ts";
import { showText } from "../../lib/show.ts";
import type { ScheduleFile } from "../postgres/schedules.ts";
import { nameFault } from "./name-fault.ts";

/** Bytes of all files of a schedule: they lie in the database, and in each of its copies. */
const mostBytes = 64 * 1024 * 1024;

/** The files of a schedule, and the suite's path among them. */
interface CollectedFiles {
  suite: string;
  files: ScheduleFile[];
}

/**
 * Reads a suite and the files that it needs, by their paths below its folder. Throws USAGE for one that lies elsewhere, is
 * hidden or holds settings of an environment, and where they are too large together.
 */
export function collectFiles(suite: string, needed: readonly string[]): CollectedFiles {
  const folder = dirname(resolve(suite));
  let bytes = 0;
  const files = [...new Set([resolve(suite), ...needed.map((each) => resolve(each))])].map((file) => {
    const name = relative(folder, file);
    const found = placeInside(folder, name);
    const path = name.split(sep).join("/");
    const fault = found.ok ? nameFault(path) : found.fault;
    if (!found.ok || fault !== null) {
      throw new AppError("USAGE", `A schedule cannot carry ${showText(name)}: it ${fault}.`, {
        hint: `What it needs lies in the folder of the suite or below it: ${folder}`,
      });
    }
    bytes += found.found.size;
    if (bytes > mostBytes) {
      throw new AppError("USAGE", `The files of a schedule have ${mostBytes / 1024 / 1024} MB at the most together.`, {
        hint: "Run so large a sheet with `tandem night` from cron, on the machine that has it.",
      });
    }
    const content = readFileSync(found.path);
    const sha256 = createHash("sha256").update(content).digest("hex");
    return { path, sha256, bytes: content };
  });
  return { suite: basename(suite), files };
}
