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
