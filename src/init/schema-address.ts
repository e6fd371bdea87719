import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The schema that is shipped beside the command. */
const shipped = fileURLToPath(new URL("./schemas/suite.schema.json", import.meta.url));

/**
 * The address of the suites' schema for a suite in this folder: in the package, where that is installed in a project around
 * it. Null: a path to it would lead nowhere on another machine.
 */
export function schemaAddress(folder: string, schema = shipped): string | null {
  const [project, inside] = schema.split(`${sep}node_modules${sep}`, 2);
  if (project === undefined || inside === undefined || !existsSync(schema)) return null;
  const path = relative(resolve(folder), schema).replaceAll(sep, "/");
  const isAround = `${resolve(folder)}${sep}`.startsWith(`${project}${sep}`);
  return isAround ? (path.startsWith("../") ? path : `./${path}`) : null;
}
