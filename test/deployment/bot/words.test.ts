import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessLanguage } from "../../../src/deployment/bot/guessed-language.ts";
import { sentencesOf } from "../../../src/deployment/bot/search.ts";
import { wordsOf } from "../../../src/deployment/bot/words.ts";
import { anyCharacter } from "../../any-character.ts";

describe("words", () => {
  test.each([
    ["Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]],
    ["it's 3.5 km (non-stop)", ["it", "s", "3", "5", "km", "non", "stop"]],
    ["डिफ़ेन्स डिफेंस हाँ हां ४२", ["डिफेंस", "डिफेंस", "हां", "हां", "42"]],
    ["المَكْتَبَة والمكتبه أين اين ٤٢ ۴۲", ["مكتبه", "مكتبه", "اين", "اين", "42", "42"]],
    ["ቤተ መጻሕፍት።", ["ቤተ", "መጻሕፍት"]],
    ["東京都の図書館", expect.arrayContaining(["図書館"])],
    ["ห้องสมุดเปิดกี่โมง", expect.arrayContaining(["เปิด"])],
    ["🎉 … !? \n\t", []],
  ])("%j are %j", (text, words) => {
    expect(wordsOf(text)).toStrictEqual(words);
  });

  test("no text breaks them", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const words = wordsOf(text);
        expect(words.every((word) => word !== "" && !/\s/u.test(word))).toBe(true);
      }),
    );
  });
});

describe("sentences", () => {
  test.each([
    ["One. Two? Three!", ["One.", "Two?", "Three!"]],
    [
      "Dr. Mensah paid 3.5 crowns, e.g. on Monday. She left.",
      ["Dr. Mensah paid 3.5 crowns, e.g. on Monday.", "She left."],
    ],
    ['He said "Stop." Then he left', ['He said "Stop."', "Then he left"]],
    ["यह पहला है। यह दूसरा है? हाँ!", ["यह पहला है।", "यह दूसरा है?", "हाँ!"]],
    ["هل تفتح المكتبة؟ نعم.", ["هل تفتح المكتبة؟", "نعم."]],
    ["یہ پہلا ہے۔ یہ دوسرا", ["یہ پہلا ہے۔", "یہ دوسرا"]],
    ["ይከፈታል። ዝግ ነው፧ አዎ", ["ይከፈታል።", "ዝግ ነው፧", "አዎ"]],
    ["これは一つ。これは二つ！終わり", ["これは一つ。", "これは二つ！", "終わり"]],
    ["first line\nsecond line\n\nthird", ["first line", "second line", "third"]],
    ["", []],
  ])("%j are %j", (text, sentences) => {
    expect(sentencesOf(text)).toStrictEqual(sentences);
  });

  test("together they hold every character of a text but space", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "B", ".", "?", "।", "؟", " ", "\n", "…", '"', "。") }),
        (text) => {
          expect(sentencesOf(text).join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
        },
      ),
    );
  });
});

test.each([
  ["When is it open?", "en"],
  ["¿Cuándo abre?", "es"],
  ["el horario de la biblioteca", "es"],
  ["saa za maktaba ni zipi", "sw"],
  ["कब खुलता है", "hi"],
  ["متى تفتح", "ar"],
  ["መቼ ይከፈታል", "am"],
  ["WiFi पासवर्ड क्या है", "hi"],
  ["42", null],
])("%j is in the language %j", (text, language) => {
  expect(guessLanguage(text, wordsOf(text))).toBe(language);
});
