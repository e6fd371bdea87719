import type * as html from "parse5";
import type * as xml from "saxes";
import { loadBuiltIn } from "../../lib/built-in.ts";

/** The parser of XML, loaded when the first text needs it, as is the other: most runs need none. */
export function xmlParser(): typeof xml {
  return loadBuiltIn("saxes", "saxes");
}

/** The parser of HTML. */
export function htmlParser(): typeof html {
  return loadBuiltIn("parse5", "parse5");
}
