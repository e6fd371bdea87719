import { elementPaths, type ElementPaths } from "./element-paths.ts";
import { xmlParser } from "./parsers.ts";
import { xmlSpans } from "./xml-spans.ts";

/** Characters beyond which a text is not read as markup: one monstrous answer would hold up all others. */
export const longestMarkup = 1_000_000;

/** A text read as XML: the reason why it is none, or the wanted elements that it lacks. */
export type ReadXml = { fault: string } | { missing: string[] };

/**
 * Reads a text as one XML document, or its fragments where `within` is set. `wanted` are paths of elements such as
 * `root.item` or `root.item.1.@_id`. Nothing is loaded, and no entity but the five of XML is known.
 */
export function readXml(text: string, wanted: readonly string[], within: boolean): ReadXml {
  const paths = elementPaths(wanted);
  if (!within) {
    const fault = faultOf(text, paths);
    return fault === null ? { missing: paths.missing() } : { fault };
  }
  let last: string | null = null;
  let isAny = false;
  for (const [start, end] of xmlSpans(text)) {
    const fault = faultOf(text.slice(start, end), paths);
    if (fault === null) isAny = true;
    else last = fault;
  }
  return isAny ? { missing: paths.missing() } : { fault: last ?? "there is no XML in it" };
}

/** Parses a document, telling its elements; the reason where it is not well-formed, else null. */
function faultOf(text: string, paths: ElementPaths): string | null {
  const { SaxesParser } = xmlParser();
  const parser = new SaxesParser();
  let fault: string | null = null;
  parser.on("error", ({ message }) => {
    fault ??= message;
    throw new Error(message);
  });
  parser.on("doctype", (doctype) => {
    if (!doctype.includes("[")) return;
    fault = "declarations of its own in a DTD are not read";
    throw new Error(fault);
  });
  parser.on("opentag", ({ name, attributes }) => paths.open(name, attributes));
  parser.on("closetag", () => paths.close());
  try {
    parser.write(text).close();
  } catch (cause) {
    if (fault === null) throw cause;
  }
  paths.restart();
  return fault;
}
