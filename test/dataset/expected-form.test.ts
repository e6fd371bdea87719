import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectedForm } from "../../src/dataset/lint/expected-form.ts";
import { ExpectedCounts } from "../../src/dataset/lint/expected-profile.ts";
import { anyCharacter } from "../any-character.ts";

const formOf = (text: string): string => expectedForm(text).form;

describe("the form of an expected answer", () => {
  test.each(["308", "1,234.5", "₹ 1,23,456", "Rs. 500", "$5.00", "20 %", "१२", "٣٫١٤", "-3.5 °C", " 7. "])(
    "%s is a number",
    (text) => expect(expectedForm(text)).toMatchObject({ form: "number" }),
  );

  test.each([
    ["12 km", "km"],
    ["12.5 km/h", "km/h"],
    ["२० प्रतिशत", "प्रतिशत"],
    ["2 lakh rupees", "lakh rupees"],
  ])("%s is a number with a unit", (text, unit) => expect(expectedForm(text)).toEqual({ form: "number", unit }));

  test.each(["09:00", "24 December 1990", "A-123", "Super Bowl 50", "1914–1918", "about 5", "H2O"])(
    "%s holds digits and is no number",
    (text) => expect(formOf(text)).toBe("words"),
  );

  test.each(["Denver Broncos", "yes.", "5 p.m.", "मुफ़्त", "مجاني", "ነፃ", "免费", "東京", "ฟรี", "[1] see", "{x}", "🙂"])(
    "%s is a word or a few",
    (text) => expect(formOf(text)).toBe("words"),
  );

  test.each([
    "It opens at nine.",
    "¿A qué hora abre la biblioteca?",
    "यह मुफ़्त है।",
    "المكتبة مغلقة يوم الجمعة.",
    "ቤተ መጻሕፍቱ ዓርብ ዝግ ነው።",
    "图书馆星期五不开门。",
    "図書館は金曜日が休みです。",
    "ห้องสมุดเปิดทุกวันตั้งแต่เก้าโมงเช้าถึงห้าโมงเย็น",
    "“The library is closed on Friday.” 🙂",
    "the library is closed on Fridays and on every public holiday of the year",
  ])("%s is a sentence", (text) => expect(formOf(text)).toBe("sentence"));

  test.each(["on Sunday from 11:00 to 16:00", "रविवार को सुबह ग्यारह से शाम चार बजे", "星期天从上午十一点开到下午四点"])(
    "%s is a phrase: longer than a few words, and no sentence",
    (text) => expect(formOf(text)).toBe("phrase"),
  );

  test("JSON is told from lists of plain values, and from a text in brackets", () => {
    expect(['{"a": 1}', '[{"a": 1}]', "[]", '["a", "b"]', "[1, 2]", "[sic]"].map(formOf)).toEqual([
      "json",
      "json",
      "json",
      "list",
      "list",
      "words",
    ]);
  });
});

describe("the profile of expected answers", () => {
  test("counts every answer that is not blank in exactly one form, whatever it holds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom("", " ", "12 km", "[1]", "है।"))),
        (texts) => {
          const counts = new ExpectedCounts();
          for (const text of texts) counts.add(text);
          const { forms, texts: counted } = counts.profile;
          expect(Object.values(forms).reduce((sum, count) => sum + count, 0)).toBe(counted);
          expect(counted).toBe(texts.filter((text) => text.trim() !== "").length);
        },
      ),
    );
  });

  test("keeps few labels and units, however many answers there are", () => {
    const counts = new ExpectedCounts();
    for (const text of ["Yes", "no", "YES", "No", "5 km", "7 km"]) counts.add(text);
    expect(counts.profile).toMatchObject({ labels: ["Yes", "no", "5 km", "7 km"], units: ["km"], digits: 2 });
    for (let i = 0; i < 1_000; i++) counts.add(`${i} ${"abcdefghij"[i % 10]}m`);
    expect(counts.profile).toMatchObject({ labels: null, units: null, digits: 1_002 });
    counts.add("yes");
    expect(counts.profile).toMatchObject({ texts: 1_007, labels: null, units: null });
  });
});
