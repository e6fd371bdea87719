import { statSync } from "node:fs";

/** True for a file of JSON that may be a configuration: a dataset may have some GB, a configuration has not. */
export function isSmallJson(path: string): boolean {
  return /\.json$/i.test(path) && (statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) < 10_000_000;
}
