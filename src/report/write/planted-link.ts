import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { AppError } from "../../errors.ts";

/**
 * Throws OUTPUT_UNWRITABLE where a link, a pipe, a device or a socket stands between a folder and a file in it: in a folder
 * that came from others, a link would let a report be written over any file of the person who reads it, and a pipe would
 * be waited for without end. The folder itself may be a link.
 */
export function refusePlantedLink(folder: string, path: string): void {
  const parts = relative(folder, path).split(sep);
  for (const place of parts.keys()) {
    const planted = join(folder, ...parts.slice(0, place + 1));
    const kind = kindOf(planted);
    if (kind === null) continue;
    throw new AppError("OUTPUT_UNWRITABLE", `Cannot write a report to ${path}: ${planted} is ${kind}.`, {
      hint: "Remove it, or name another file with -o.",
    });
  }
}

/** Says what no report is written to; null: a file or a folder, or nothing yet. */
function kindOf(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return null;
  return found.isSymbolicLink() ? "a link" : "a pipe, a device or a socket";
}
