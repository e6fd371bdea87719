import type { DefaultTreeAdapterTypes } from "parse5";
import { htmlParser } from "./parsers.ts";

/** Elements that may be open at a time, and in all: without bounds some texts would make a tree of any size. */
const deepest = 1_000;
const mostElements = 200_000;

/** The reason why a text is not HTML from its beginning to its end; null when it is. */
export function htmlFault(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === "") return "there is no text";
  if (/^<\?xml/i.test(trimmed)) return "it is XML";
  const tree = treeOf(trimmed);
  if (typeof tree === "string") return tree;
  const { elements, body } = tree;
  const hasBody = /<body[\s/>]/i.test(trimmed);
  const isTextBeside = !hasBody && body?.childNodes.some((node) => node.nodeName === "#text" && hasText(node)) === true;
  if (isTextBeside) return "there is text outside of its elements";
  return elements.some((name) => isElement(name, trimmed)) ? null : "it has no element of HTML";
}

/** True where a text has signs of HTML: a known tag, a pair of tags, a doctype, or two lesser ones. */
export function hasHtml(text: string): boolean {
  if (/<!doctype\s+html/i.test(text)) return true;
  for (const [, name = ""] of text.matchAll(/<([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/gi)) {
    if (inUse.has(name.toLowerCase())) return true;
  }
  const isOpened = /<[a-z][a-z0-9-]*(?:\s[^<>]*)?>/i.test(text);
  const isClosed = /<\/[a-z][a-z0-9-]*\s*>/i.test(text);
  if (isOpened && isClosed) return true;
  const comment = text.indexOf("<!--");
  const signs = [
    isOpened || isClosed,
    /<[a-z][a-z0-9-]*(?:\s[^<>]*)?\/>/i.test(text),
    /&(?:[a-z]+|#\d+|#x[\da-f]+);/i.test(text),
    comment !== -1 && text.includes("-->", comment),
    /\s[a-z-]+=\s*["'][^"'<>]*["']/i.test(text),
  ];
  return signs.filter(Boolean).length >= 2;
}

interface Tree {
  /** Names of all elements. */
  elements: string[];
  body: DefaultTreeAdapterTypes.Element | null;
}

/** The tree of a text, as browsers make it; or the reason why it is not made. */
function treeOf(text: string): Tree | string {
  const { defaultTreeAdapter, parse } = htmlParser();
  const elements: string[] = [];
  let body: DefaultTreeAdapterTypes.Element | null = null;
  let depth = 0;
  let refused: string | null = null;
  const refuse = (reason: string): never => {
    refused = reason;
    throw new Error(reason);
  };
  const treeAdapter = {
    ...defaultTreeAdapter,
    createElement: (...made: Parameters<typeof defaultTreeAdapter.createElement>) => {
      const [name] = made;
      if (elements.push(name) > mostElements) refuse(`it has more than ${mostElements.toLocaleString("en")} elements`);
      return defaultTreeAdapter.createElement(...made);
    },
    onItemPush: (item: DefaultTreeAdapterTypes.Element) => {
      if (item.tagName === "body") body ??= item;
      if (++depth > deepest) refuse(`it is nested deeper than ${deepest.toLocaleString("en")} levels`);
    },
    onItemPop: () => void depth--,
  };
  try {
    parse(text, { treeAdapter });
  } catch (cause) {
    if (refused === null) throw cause;
    return refused;
  }
  return { elements, body };
}

function hasText(node: DefaultTreeAdapterTypes.ChildNode): boolean {
  return "value" in node && node.value.trim() !== "";
}

/** Every tree has html, head and body: they count where they are written. */
function isElement(name: string, text: string): boolean {
  if (!["html", "head", "body"].includes(name)) return inUse.has(name) || name.includes("-");
  return new RegExp(`<${name}[\\s/>]`, "i").test(text);
}

/** The elements of the standard that are in use. */
const inUse: ReadonlySet<string> = new Set(
  (
    "html head title base link meta style body article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address " +
    "p hr pre blockquote ol ul li dl dt dd figure figcaption main search div a em strong small s cite q dfn abbr ruby rt " +
    "rp data time code var samp kbd sub sup i b u mark bdi bdo span br wbr ins del picture source img iframe embed object " +
    "param video audio track map area svg math table caption colgroup col tbody thead tfoot tr td th form label input " +
    "button select datalist optgroup option textarea output progress meter fieldset legend details summary dialog script " +
    "noscript template slot canvas menu"
  ).split(" "),
);
