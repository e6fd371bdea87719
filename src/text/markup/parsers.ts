import type * as sql from "node-sql-parser";
import type * as html from "parse5";
import type * as xml from "saxes";
import { loadBuiltIn } from "../../lib/built-in.ts";

/** The parser of XML, loaded when the first text needs it, as are the others: most runs need none. */
export function xmlParser(): typeof xml {
  return loadBuiltIn("saxes", "saxes");
}

/** The parser of HTML. */
export function htmlParser(): typeof html {
  return loadBuiltIn("parse5", "parse5");
}

/** The parser of the SQL of a database. */
export function sqlModule(dialect: string): typeof sql {
  return loadBuiltIn(dialect, `node-sql-parser/build/${dialect}.js`);
}
