import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanAnswer } from "../../src/text/clean.ts";
import { contains } from "../../src/text/contains.ts";
import { graphemes } from "../../src/text/graphemes.ts";
import { composedText, normalise } from "../../src/text/normalise.ts";
import { anyCharacter } from "../any-character.ts";

const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const rlm = "\u200f";

describe("normalise", () => {
  test("composes characters, squeezes white space and drops what no reader sees", () => {
    expect(normalise(`  cafe\u0301\u00a0\n\t${rlm}x\u200b\ufeff `)).toBe("caf\u00e9 x");
  });

  test("leaves no run of white space anywhere, and nothing more to do", () => {
    const piece = fc.constantFrom(" ", "\n", "\t", "\u00a0", "\u3000", "a", "क", "\u200b");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        expect(normalise(text)).toBe(text.replaceAll("\u200b", "").split(/\s+/).filter(Boolean).join(" "));
        expect(normalise(normalise(text))).toBe(normalise(text));
      }),
    );
  });

  test("every character is composed with its neighbours as Unicode says, and every space and sign is known", () => {
    const bases = ["", "a", "가", "क\u094d", "ا", " "];
    const wrong: string[] = [];
    // Of the thousands of alike letters of East Asia every fiftieth.
    for (let code = 0; code < 0x10000; code += code >= 0x3400 && code < 0xd7a0 ? 50 : 1) {
      const character = String.fromCharCode(code);
      for (const base of bases) {
        const text = `${base}${character}\u0301x`;
        const plain = `${base}${character}x`;
        const tidy = plain.normalize("NFC").replaceAll(unseen, "").replaceAll(/\s+/g, " ").trim();
        if (composedText(text) !== text.normalize("NFC") || composedText(plain) !== plain.normalize("NFC"))
          wrong.push(text);
        if (normalise(plain) !== tidy) wrong.push(plain);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("keeps the joiners that scripts and emoji need", () => {
    expect(normalise("क्‍ष 👩🏽‍🌾 می‌خواهم")).toBe("क्‍ष 👩🏽‍🌾 می‌خواهم");
  });
});

describe("cleanAnswer", () => {
  test.each([
    ["citation marks", "Leave 10 cm [1]. Then water [2, 3][4-6].", "Leave 10 cm. Then water."],
    ["superscript citations", "Leave 10 cm <sup>[1]</sup>.", "Leave 10 cm."],
    ["citations with links", "Ten cm [1](https://docs.example.test/a#b).", "Ten cm."],
    ["buttons", 'Ten cm. <button gui-target="input_prompt">Tell me more</button>', "Ten cm."],
    ["thoughts", "<think>\nWhat now?\n\n</think>\n\nTen cm.", "Ten cm."],
    ["thoughts in capitals", "<THINK>x</Think>Ten cm.", "Ten cm."],
    ["the transcript of what was heard", '🎧: "how far?"\n\nTen cm.', "Ten cm."],
    ["a thought before a transcript", '<think>x</think>\n\n🎧: "how far?"\r\n\r\nTen cm.', "Ten cm."],
  ])("strips %s", (_what, text, cleaned) => expect(cleanAnswer(text)).toBe(cleaned));

  test.each([
    ["powers", "10 m<sup>2</sup>"],
    ["brackets that are no citation", "array[index], [see below], [2026-08-21]"],
    ["a thought that does not end", "<think>hm"],
    ["elements of other names", "<buttons>a</buttons>"],
    ["a listening ear in the middle", "Look: 👂 here"],
    ["a transcript that is all there is", '🎧: "how far?"'],
    ["a list in an answer that is JSON", '{"ids": [1, 2], "of": [[3]]}'],
    ["an answer that is a list", "[1, 2, 3]"],
  ])("keeps %s", (_what, text) => expect(cleanAnswer(text)).toBe(text));

  test("is idempotent on answers as bots give them, and never throws", () => {
    const part = fc.constantFrom(
      "[1]",
      " ",
      "<think>",
      "</think>",
      "<button>",
      "</button>",
      "🎧",
      "\n\n",
      "[",
      "अ",
      "a",
    );
    const answer = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(part).map((parts) => parts.join("")),
    );
    fc.assert(fc.property(answer, (text) => typeof cleanAnswer(text) === "string"));
    expect(cleanAnswer(cleanAnswer("a [1] b <button>x</button>"))).toBe("a b");
  });

  test("takes no more than a moment for hostile texts of half a million characters", () => {
    for (const part of ["<think>", " ", "[1,", "[1]", "<sup> ", "<button", "\n"]) {
      expect(cleanAnswer(part.repeat(500_000 / part.length)).length).toBeLessThanOrEqual(500_000);
    }
  });
});

describe("contains", () => {
  test.each([
    ["in another case", "It is PARIS.", "paris"],
    ["across line breaks", "ten\n\ncm", "ten cm"],
    ["in another normal form", "cafe\u0301", "caf\u00e9"],
    ["in Hindi", "पौधों के बीच १० सेमी रखें [1]।", "१० सेमी"],
    ["in Arabic with direction marks", `اترك ${rlm}عشرة سنتيمترات`, "اترك عشرة"],
    ["in Amharic", "በተክሎች መካከል 10 ሴ.ሜ", "10 ሴ.ሜ"],
    ["with a Greek final sigma", "ΟΔΟΣ", "οδος"],
    ["that is nothing but a citation", "see [1]", "[1]"],
    ["that is blank", "anything", " "],
  ])("finds a text %s", (_how, answer, expected) => expect(contains(answer, expected)).toBe(true));

  test("does not find what stands in a thought or on a button alone", () => {
    expect(contains("<think>Paris</think>Rome", "Paris")).toBe(false);
    expect(contains("Rome <button>Paris</button>", "Paris")).toBe(false);
  });
});

test("graphemes are characters as a reader counts them", () => {
  expect(Array.from(graphemes("नि👩🏽‍🌾e\u0301🇮🇳"))).toEqual(["नि", "👩🏽‍🌾", "e\u0301", "🇮🇳"]);
});
