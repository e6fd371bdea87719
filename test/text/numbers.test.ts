import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asciiDigits, numbersIn } from "../../src/text/numbers.ts";
import { anyCharacter } from "../any-character.ts";
import { often } from "../often.ts";

const values = (text: string, decimal?: "." | ","): number[] => numbersIn(text, decimal).map(({ value }) => value);

describe("numbers in a text", () => {
  test.each<[string, number[]]>([
    ["1,234.5", [1234.5]],
    ["1.234,5", [1234.5]],
    ["1 234,5 and 1\u202f234\u202f567", [1234.5, 1234567]],
    ["1'234'567.89", [1234567.89]],
    ["₹ 1,23,456", [123456]],
    ["₹1,23,45,678.50", [12345678.5]],
    ["Rs.500, Rs500 or रु500", [500, 500, 500]],
    ["१२.५ किमी", [12.5]],
    ["१,२३,४५६ रुपये", [123456]],
    ["٣٫١٤", [3.14]],
    ["١٬٢٣٤٫٥", [1234.5]],
    ["۱۲۳", [123]],
    ["１２３", [123]],
    ["𝟏𝟐", [12]],
    ["12 500 FCFA", [12500]],
    ["1,234", [1234]],
    ["1.234", [1234]],
    ["0.234 and 0,5 and 3,5", [0.234, 0.5, 3.5]],
    ["1234.567", [1234.567]],
    [".5 and -.25", [0.5, -0.25]],
    ["-5, −3, +2", [-5, -3, 2]],
    ["2020-2024", [2020, 2024]],
    ["1.5e3 and 2E-2", [1500, 0.02]],
    ["H2O, A4 and COVID19", []],
    ["标准间-300元 and 套餐：A套-25元", [300, 25]],
    ["房价 -300元", [-300]],
    ["5kg, 20%, €3", [5, 20, 3]],
    ["2 lakh, 3.5 million, ५ करोड़", [200_000, 3_500_000, 50_000_000]],
    ["a list: 1,2,3", [1, 2, 3]],
    ["2026-11-21 at 10:30", [2026, 11, 21, 10, 30]],
    ["version 1.2.3", [1, 2, 3]],
    ["in 2024 300 came", [2024, 300]],
    ["ends with 7.", [7]],
    ["", []],
  ])("%s", (text, found) => expect(values(text)).toEqual(found));

  test("a mark can be told", () => {
    expect(values("1.234", ".")).toEqual([1.234]);
    expect(values("1,234", ",")).toEqual([1.234]);
    expect(values("1.234.567,5", ",")).toEqual([1234567.5]);
  });

  test("come with their unit", () => {
    expect(numbersIn("20 % of ₹500, 3 km or 5").map(({ unit }) => unit)).toEqual(["%", "₹", "km", ""]);
  });

  test("are found again as the world's locales write them", () => {
    const locales = ["en", "de", "fr", "hi", "en-IN", "ar-EG", "fa", "sw", "es-MX", "bn", "de-CH", "my", "am"];
    fc.assert(
      fc.property(fc.constantFrom(...locales), fc.integer({ min: -1e9, max: 1e9 }), (locale, number) => {
        const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(number + 0.25);
        expect(values(text.replaceAll(/[\u200e\u200f\u061c]/g, ""))).toEqual([number + 0.25]);
      }),
      { numRuns: often(100, 500) },
    );
  });

  test("are finite whatever the text, and found in a moment", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        for (const { value } of numbersIn(text)) expect(Number.isFinite(value)).toBe(true);
      }),
    );
    for (const part of ["1,", "1 ", "9", "1.1,", "-", "e1", "1'"]) {
      expect(numbersIn(part.repeat(200_000 / part.length)).length).toBeLessThanOrEqual(200_000);
    }
  });

  test("every decimal digit of Unicode has its value", () => {
    for (let point = 0; point < 0x20000; point++) {
      const char = String.fromCodePoint(point);
      if (/\p{Nd}/u.test(char)) expect(asciiDigits(char)).toMatch(/^[0-9]$/);
    }
    expect(asciiDigits("०१९٠٩۰۹𝟗୭")).toBe("0190" + "90997".slice(0, 5));
  });
});
