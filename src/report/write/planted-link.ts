import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { AppError } from "../../errors.ts";

/**
 * Throws OUTPUT_UNWRITABLE where a link stands between a folder and a file in it: in a folder that came from others, it
 * would let a report be written over any file of the person who reads it. The folder itself may be a link.
 */
export function refusePlantedLink(folder: string, path: string): void {
  const parts = relative(folder, path).split(sep);
  const planted = parts
    .map((_, place) => join(folder, ...parts.slice(0, place + 1)))
    .find((each) => lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() === true);
  if (planted === undefined) return;
  throw new AppError("OUTPUT_UNWRITABLE", `Cannot write a report to ${path}: ${planted} is a link.`, {
    hint: "Remove the link, or name another file with -o.",
  });
}
