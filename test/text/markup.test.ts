import { describe, expect, test } from "vitest";
import { hasHtml, htmlFault } from "../../src/text/markup/html.ts";
import { readXml } from "../../src/text/markup/xml.ts";

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
