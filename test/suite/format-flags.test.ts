import { describe, expect, test } from "vitest";
import { formatFromFlags, formatOfFlags } from "../../src/suite/flags/format-flags.ts";

describe("flags that say how a dataset is written", () => {
  test("are laid over what the suite says, one by one", () => {
    const known = { delimiter: ";", encoding: "windows-1251", lenient: true };
    expect(formatFromFlags({}, known)).toBe(known);
    expect(formatFromFlags({}, undefined)).toBeUndefined();
    expect(formatFromFlags({ delimiter: "|" }, known)).toEqual({ ...known, delimiter: "|" });
    expect(formatFromFlags({ lenient: true })).toEqual({ delimiter: null, encoding: null, lenient: true });
    expect(formatFromFlags({ lenient: false })).toBeUndefined();
  });

  test("take a tab as a word, as it is escaped, or as it is", () => {
    for (const delimiter of ["tab", String.raw`\t`, "\t"]) expect(formatFromFlags({ delimiter })?.delimiter).toBe("\t");
    expect(formatOfFlags({ delimiter: "\t", encoding: "utf-16le" })).toEqual({
      delimiter: "tab",
      encoding: "utf-16le",
    });
  });

  test("are refused by name", () => {
    expect(() => formatFromFlags({ delimiter: ",,", encoding: "utf-99" })).toThrow(
      /--delimiter must be one character, or tab, got ",,"\n--encoding must be an encoding such as/,
    );
  });
});
