import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasHtml, htmlFault } from "../../src/text/markup/html.ts";
import { readXml } from "../../src/text/markup/xml.ts";
import { anyCharacter } from "../any-character.ts";

const isXml = (text: string, wanted: string[] = []): boolean => {
  const read = readXml(text, wanted, false);
  return "missing" in read && read.missing.length === 0;
};
const hasXml = (text: string, wanted: string[] = []): boolean => {
  const read = readXml(text, wanted, true);
  return "missing" in read && read.missing.length === 0;
};

describe("XML", () => {
  test.each([
    ["<root><child>Content</child></root>", true],
    ['<?xml version="1.0"?>\n<!-- a note --><पुस्तक लेखक="क">सोमवार</पुस्तक>\n', true],
    ["<a><![CDATA[<b>]]></a>", true],
    ["<root><child>Content</child></root", false],
    ["<a><b></a></b>", false],
    ["<a/><b/>", false],
    ["<a x=1/>", false],
    ["<a>&nbsp;</a>", false],
    ["Sure: <a/>", false],
    ["", false],
  ])("%s is a document: %s", (text, is) => expect(isXml(text)).toBe(is));

  test.each([
    ["analysis.color", true],
    ["analysis", true],
    ["analysis.color.@_code", true],
    ["analysis.part.1.name", true],
    ["analysis.part.2", false],
    ["color", false],
    ["analysis.size", false],
    ["analysis.color.@_shade", false],
  ])("finds the element %s: %s", (path, is) => {
    const text = '<analysis><color code="r">Red</color><part/><part><name/></part></analysis>';
    expect(isXml(text, [path])).toBe(is);
  });

  test("is found among prose, also several of it and inside of a tag that never closes", () => {
    expect(hasXml("Sure, here is your xml:\n<root><child/></root>\nanything else?", ["root.child"])).toBe(true);
    expect(hasXml("<one><a/></one> and <two><b/></two>", ["one.a", "two.b"])).toBe(true);
    expect(hasXml("<p>look: <root><child/></root>", ["root.child"])).toBe(true);
    expect(hasXml("<wrapper><root/></wrapper>", ["root"])).toBe(false);
    expect(hasXml("a < b, c > d")).toBe(false);
    expect(hasXml("<a><b></a>")).toBe(false);
    expect(hasXml("<!-- <a/> -->")).toBe(false);
  });

  test("knows no entity of a DTD, so that none can grow, and loads nothing", () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>';
    expect(readXml(bomb, [], false)).toEqual({ fault: "declarations of its own in a DTD are not read" });
    expect(isXml('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>&c;</a>')).toBe(false);
    expect(isXml('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html/>')).toBe(true);
  });
});

describe("HTML", () => {
  test.each([
    ["<!DOCTYPE html><html><head><title>x</title></head><body>text</body></html>", true],
    ["<div>Content</div>", true],
    ["<h1>Title</h1>\n<p>Paragraph</p>", true],
    ['<img src="test.jpg" />', true],
    ["<my-widget>x</my-widget>", true],
    ["Just text", false],
    ["Text before <div>HTML</div> text after", false],
    ['<?xml version="1.0"?><root/>', false],
    ["<unknown>x</unknown>", false],
    ["<headphones>x</headphones>", false],
    ["", false],
  ])("%s is HTML: %s", (text, is) => expect(htmlFault(text) === null).toBe(is));

  test.each([
    ["Here: <b>bold</b>", true],
    ["a line<br>and another", true],
    ["<!DOCTYPE html>", true],
    ["<x-y>pair</x-y>", true],
    ["&amp; <!-- note -->", true],
    ["a < b and mail <me@x.example>", false],
    ["Tom &amp; Jerry", false],
    ["<example>", false],
  ])("%s has HTML in it: %s", (text, is) => expect(hasHtml(text)).toBe(is));
});

describe("hostile markup", () => {
  const size = 1_000_000;
  const fill = (part: string): string => part.repeat(Math.floor(size / part.length));
  const paragraphs = `<p>${Array.from({ length: 900 }, (_, i) => `<b x=${i}>`).join("")}${"</p><p>x".repeat(100_000)}`;
  test.each([
    ["nested without an end", fill("<div>")],
    ["nested and closed", "<a>".repeat(140_000) + "</a>".repeat(140_000)],
    ["tags that never end", fill("<a ")],
    ["quotes that never end", fill('<a "')],
    ["comments that never end", fill("<!--")],
    ["entities", fill("&amp")],
    ["attributes", `<a ${fill(' x="1"')}`],
    ["elements that a browser would make again and again", paragraphs],
    ["tables in tables", fill("<table>x<b>")],
  ])("of a million characters takes no more than seconds: %s", { timeout: 30_000 }, (_, text) => {
    const start = performance.now();
    htmlFault(text);
    hasHtml(text);
    readXml(text, ["a.a.a.b"], false);
    readXml(text, ["a.a.a.b"], true);
    // A quadratic search would take minutes.
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  test("ends with an answer, whatever it is", () => {
    expect.hasAssertions();
    const part = fc.constantFrom(
      "<a>",
      "</a>",
      "<b/>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      "?>",
      '"',
      "x",
      "&lt;",
      "<!DOCTYPE a [",
      "]>",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.array(part).map((parts) => parts.join("")),
        ),
        (text) => {
          expect(typeof hasHtml(text)).toBe("boolean");
          expect(htmlFault(text)).not.toBe("");
          for (const within of [true, false]) expect(readXml(text, ["a.b", "a.@_x"], within)).toBeDefined();
        },
      ),
    );
  });
});
