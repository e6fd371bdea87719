/** A language of documents, in which a page or an error is written where an answer is waited for. */
export type Markup = "HTML" | "XML";

/** Characters at the beginning of a text that tell. */
const telling = 4_096;
/** Parts of a document before its first element. */
const before = /^(?:\s+|<!--[^]*?-->|<\?[^]*?\?>|<!doctype\s[^>]*>)/i;
/** Elements with which pages of HTML begin, and the parts of one that programs write without the rest. */
const ofHtml =
  /^<(?:html|head|body|title|meta|link|base|script|style|iframe|h[1-6]|p|div|br|hr|b|i|center|font|a|span|pre|table|form|ul|ol|img)[\s/>]/i;

/** The language of a text that is a document; null for any other, though it may hold tags. */
export function markupOf(text: string): Markup | null {
  let rest = text.slice(0, telling);
  let hasXml = false;
  for (let found = before.exec(rest); found !== null; found = before.exec(rest)) {
    if (/^<!doctype\s+html\b/i.test(found[0])) return "HTML";
    hasXml ||= /^<(?:\?xml|!doctype)\s/i.test(found[0]);
    rest = rest.slice(found[0].length);
  }
  if (ofHtml.test(rest)) return "HTML";
  return hasXml ? "XML" : null;
}

/** The same of a text that was sent with a content type. */
export function markupSent(text: string, type: string): Markup | null {
  if (/html/i.test(type)) return "HTML";
  return markupOf(text) ?? (/[/+]xml\b/i.test(type) ? "XML" : null);
}
