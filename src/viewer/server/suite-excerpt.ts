import { readFileSync, realpathSync } from "node:fs";
import { dirname, relative } from "node:path";
import { AppError } from "../../errors.ts";
import type { Connection } from "../../store/connection.ts";
import { knownPath } from "../../store/read-only-folder.ts";
import type { SuiteExcerpt } from "../api.ts";
import type { OpenedComparison } from "./open-comparison.ts";

/** Lines around the one that is to be changed. */
const around = 8;
const longestLine = 500;

/**
 * The lines of the suite file around the one that the next step is about, read and never run. A database may come from
 * anybody and name any folder: only a file beside the results, or in a folder around them, is read. Throws USAGE.
 */
export function suiteExcerpt(db: Connection, { summary }: OpenedComparison): SuiteExcerpt {
  const at = summary.next?.at;
  if (at === undefined) throw new AppError("USAGE", "The next step is about no line of a suite file.");
  const [file, results] = [realPath(at.file), realPath(dirname(knownPath(db.name)))];
  const isNear = file !== null && results !== null && (isIn(results, dirname(file)) || isIn(file, dirname(results)));
  if (!isNear) {
    throw new AppError("USAGE", `${at.file} does not lie with these results.`, {
      hint: `Open it yourself at line ${at.line}.`,
    });
  }
  const lines = readFileSync(file, "utf8").split(/\r?\n/);
  const first = Math.max(1, at.line - around);
  const shown = lines.slice(first - 1, at.line + around);
  return { ...at, first, lines: shown.map((line) => line.slice(0, longestLine)) };
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** True where a path is within a folder. */
function isIn(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from !== "" && !from.startsWith("..") && !from.startsWith("/");
}
