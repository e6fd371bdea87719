import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type * as sql from "node-sql-parser";
import type * as html from "parse5";
import type * as xml from "saxes";
import { fileURLToPath } from "node:url";

const load = createRequire(import.meta.url);

/** The parser of XML, loaded when the first text needs it, as are the others: most runs need none. */
export function xmlParser(): typeof xml {
  return load(fileOr("saxes", "saxes"));
}

/** The parser of HTML. */
export function htmlParser(): typeof html {
  return load(fileOr("parse5", "parse5"));
}

/** The parser of the SQL of a database. */
export function sqlModule(dialect: string): typeof sql {
  return load(fileOr(dialect, `node-sql-parser/build/${dialect}.js`));
}

/** In a build a parser is a file of its own beside the command; else it is the package that the file is made of. */
function fileOr(name: string, from: string): string {
  const beside = fileURLToPath(new URL(`./parsers/${name}.cjs`, import.meta.url));
  return existsSync(beside) ? beside : from;
}
