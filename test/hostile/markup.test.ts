import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasHtml, htmlFault } from "../../src/text/markup/html.ts";
import { readXml } from "../../src/text/markup/xml.ts";
import { anyCharacter } from "../any-character.ts";
import { cpuMs } from "../cpu-time.ts";
import { slowTest } from "../often.ts";

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
    ["tables in tables", fill("<table>x<b>")],
  ])("of a million characters takes no more than seconds: %s", { timeout: 30_000 }, takesSeconds);

  slowTest.each([["elements that a browser would make again and again", paragraphs]])(
    "of a million characters takes no more than seconds: %s",
    { timeout: 30_000 },
    takesSeconds,
  );

  function takesSeconds(_: string, text: string): void {
    const used = cpuMs(() => {
      htmlFault(text);
      hasHtml(text);
      readXml(text, ["a.a.a.b"], false);
      readXml(text, ["a.a.a.b"], true);
    });
    // A quadratic search would take minutes.
    expect(used).toBeLessThan(15_000);
  }

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
