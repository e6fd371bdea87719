import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/client/redact.ts";

const key = 'sk-a/b"c+ü9';

describe("a redactor", () => {
  test.each([
    ["as it is", key],
    ["as JSON escapes it", JSON.stringify(key).slice(1, -1)],
    ["as JSON may escape a slash", JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/")],
    ["percent-encoded", encodeURIComponent(key)],
  ])("replaces the key %s", (_how, form) => {
    const redactor = createRedactor(key);
    expect(redactor.text(`x ${form} y ${form}`)).toBe("x [redacted] y [redacted]");
    expect(redactor.body(Buffer.from(`مرحبا ${form}${form} 👩🏽‍🌾`)).toString()).toBe("مرحبا [redacted][redacted] 👩🏽‍🌾");
  });

  test.each([
    ["as JSON escapes of each letter", (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`],
    ["as capital JSON escapes", (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`],
    ["percent-encoded throughout", (c: string) => `%${c.charCodeAt(0).toString(16)}`],
    ["as numbers of HTML", (c: string) => `&#${c.charCodeAt(0)};`],
    ["as hexadecimal numbers of HTML", (c: string) => `&#x${c.charCodeAt(0).toString(16)};`],
    ["escaped here and there", (c: string) => (c === "5" ? "%35" : c === "-" ? "\\u002d" : c)],
  ])("replaces the key %s, in a broken body too", (_how, spell) => {
    const redactor = createRedactor("sk-0123456789abcdef");
    const spelled = "sk-0123456789abcdef".replaceAll(/./g, spell);
    expect(redactor.body(Buffer.from(`{"a":"${spelled}`)).toString()).toBe('{"a":"[redacted]');
    expect(redactor.text(`${spelled} ü`)).toBe("[redacted] ü");
  });

  test("replaces a key that its sender cut, as long as eleven of its characters are left", () => {
    const redactor = createRedactor("sk-0123456789abcdef");
    expect(redactor.body(Buffer.from("bad key sk-01234567...")).toString()).toBe("bad key [redacted]...");
    expect(redactor.bodyText("bad key sk-0123456789abcd and more")).toBe("bad key [redacted] and more");
    expect(redactor.bodyText("bad key sk-0123456...")).toBe("bad key sk-0123456...");
  });

  test.each([
    ["its beginning", "bad key sk-01234 ...", "bad key [redacted] ..."],
    ["its middle", "ends in 456789ab?", "ends in [redacted]?"],
    ["its end", "...89abcdef", "...[redacted]"],
    ["its middle in capitals", "X-456789AB: 1", "X-[redacted]: 1"],
    ["two parts with a word between", "01234567 and 89abcdef", "[redacted] and [redacted]"],
    ["two parts beside each other", "456789ab01234567", "[redacted]"],
    ["its middle, percent-encoded", "key=%345678%39ab&b", "key=[redacted]&b"],
    ["its middle in JSON escapes", String.raw`{"a":"4\u0035\u0036789ab"}`, '{"a":"[redacted]"}'],
    ["its middle in numbers of HTML", "4&#53;&#x36;789ab", "[redacted]"],
    ["its middle beside other scripts", "हिन्दी456789abहिन्दी 👩🏽‍🌾", "हिन्दी[redacted]हिन्दी 👩🏽‍🌾"],
    ["seven characters only", "ends in 456789a, not b", "ends in 456789a, not b"],
  ])("finds eight characters in a row of the key in a text: %s", (_where, text, clean) => {
    expect(createRedactor("sk-0123456789abcdef").text(text)).toBe(clean);
  });

  test("finds parts of a key that holds what others escape", () => {
    const parts = createRedactor('ab"cd/ef\\gh%41ij');
    expect(parts.text(JSON.stringify({ a: "d/ef\\gh%4" }))).toBe('{"a":"[redacted]"}');
    expect(parts.text(`x ${encodeURIComponent('b"cd/ef\\g')} y`)).toBe("x [redacted] y");
  });

  test("finds whatever eight characters of whatever key, and leaves a text without them as it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 60 }),
        fc.nat(),
        fc.string(),
        (secret, at, beside) => {
          const start = at % (secret.length - 7);
          const text = `${beside}${secret.slice(start, start + 8)}`;
          expect(
            createRedactor(secret)
              .text(text)
              .includes(secret.slice(start, start + 8)),
          ).toBe("[redacted]".includes(secret.slice(start, start + 8)));
        },
      ),
    );
  });

  test("leaves parts of a key that are shorter than eleven characters in a body, which is kept as it came", () => {
    const body = Buffer.from("ends in 456789abcd");
    expect(createRedactor("sk-0123456789abcdef").body(body)).toBe(body);
  });

  test("replaces the key in lower case, as the name of a header shows it", () => {
    expect(createRedactor("SK-ABCDEFGHIJKL").text("ratelimit-sk-abcdefghijkl-left")).toBe("ratelimit-[redacted]-left");
  });

  test("leaves JSON valid whose backslashes stand before the letters of an escape", () => {
    const body = String.raw`{"a":"\\u0073k-0123456789"}`;
    expect(() => void JSON.parse(createRedactor("sk-0123456789").body(Buffer.from(body)).toString())).not.toThrow();
  });

  test("gives back the same bytes when there is no key in them", () => {
    const body = Buffer.from("nothing here, sk-a/b only");
    const redactor = createRedactor(key);
    expect(redactor.body(body)).toBe(body);
    expect(redactor.cutBody(body)).toBe(body);
  });

  test.each([null, "", "a", "abcde"])("leaves everything alone with the key %j", (tiny) => {
    const redactor = createRedactor(tiny);
    const body = Buffer.from("a abcde null ababa");
    expect(redactor.body(body)).toBe(body);
    expect(redactor.text("abcde")).toBe("abcde");
  });

  test("replaces the beginning of a key at the end of a body that was cut off", () => {
    const redactor = createRedactor("sk-0123456789");
    expect(redactor.cutBody(Buffer.from("x sk-012345")).toString()).toBe("x [redacted]");
    expect(redactor.cutBody(Buffer.from("x sk-01")).toString()).toBe("x sk-01");
    expect(redactor.body(Buffer.from("x sk-012345")).toString()).toBe("x sk-012345");
  });
});
