/** The oldest Node that tandem runs on; package.json says the same under `engines`. */
export const oldestNode = "22.19";

/** Says whether tandem runs on a version of Node such as `22.19.0`. SQLite's binary ends the process on older ones, and on the first of 23. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major >= 24 || (major === 22 && minor >= 19);
}
