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
    expect(redactor.text("bad key sk-0123456789abcd and more")).toBe("bad key [redacted] and more");
    expect(redactor.text("bad key sk-0123456...")).toBe("bad key sk-0123456...");
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
