import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** Loads a library that is needed seldom, when it is: in a build a file of its own beside the command; else the package that the file is made of. */
export function loadBuiltIn(name: string, from: string): ReturnType<NodeJS.Require> {
  const beside = fileURLToPath(new URL(`./parsers/${name}.cjs`, import.meta.url));
  return createRequire(import.meta.url)(existsSync(beside) ? beside : from);
}
