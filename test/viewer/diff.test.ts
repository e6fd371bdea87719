import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Piece, textDiff } from "../../src/viewer/app/row/diff.ts";
import { anyCharacter } from "../any-character.ts";

const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join("");
const changed = (pieces: Piece[]): string[] => pieces.filter((piece) => piece.changed).map(({ text }) => text.trim());

/** The marked words of both sides. */
function marks(baseline: string, candidate: string): [string[], string[]] {
  const diff = textDiff(baseline, candidate);
  return [changed(diff.baseline), changed(diff.candidate)];
}

describe("the words in which two answers differ", () => {
  test("are words of the language, also where no space stands between them", () => {
    expect(marks("open until nine", "open until ten")).toEqual([["nine"], ["ten"]]);
    expect(marks("图书馆上午九点开门", "图书馆上午十点开门").flat().join("")).toMatch(/^九点?十点?$/);
    expect(marks("ห้องสมุดเปิดทุกวัน", "ห้องสมุดปิดทุกวัน")).toEqual([["เปิด"], ["ปิด"]]);
    expect(marks("午前九時に開館します", "午前十時に開館します").flat().join("")).toMatch(/^九時?十時?$/);
  });

  test("are never cut within a syllable of Hindi, an accent or an emoji", () => {
    expect(marks("दो किताब हैं", "दो किताबें हैं")).toEqual([["किताब"], ["किताबें"]]);
    expect(marks("cafe\u0301 noir", "cafe noir")).toEqual([["cafe\u0301"], ["cafe"]]);
    expect(marks("card 👨‍👩‍👧‍👦 ok", "card 👨‍👩‍👧 ok")).toEqual([["👨‍👩‍👧‍👦"], ["👨‍👩‍👧"]]);
    expect(marks("yes 👍🏽", "yes 👍🏿")).toEqual([["👍🏽"], ["👍🏿"]]);
    expect(marks("from 🇮🇳 here", "from 🇮🇩 here")).toEqual([["🇮🇳"], ["🇮🇩"]]);
  });

  test("are not those that are only written in another way, which stay as they are", () => {
    const [composed, apart] = ["Crème brûlée, खा\u095c", "Crème brûlée, खा\u095c"].map((text, i) =>
      text.normalize(i === 0 ? "NFC" : "NFD"),
    );
    if (composed === undefined || apart === undefined || composed === apart) throw new Error("the same text");
    expect(textDiff(composed, apart)).toEqual({
      baseline: [{ text: composed, changed: false }],
      candidate: [{ text: apart, changed: false }],
      gaveUp: false,
    });
    expect(marks(`${composed} at nine\u00a0pm`, `${apart}  at\n ten pm`)).toEqual([["nine"], ["ten"]]);
    expect(marks("one\u200b two", "\u200fone three")).toEqual([["two"], ["three"]]);
    const long = (text: string, i: number): string => `${i}: ${text} is served again and again all over the town.\n`;
    const texts = [composed, apart].map((text) => Array.from({ length: 1500 }, (_, i) => long(text, i)));
    const other = texts[1]?.with(700, long("Flan", 700)) ?? [];
    expect(marks(texts[0]?.join("") ?? "", other.join(""))).toEqual([[composed], ["Flan"]]);
  });

  test("join over a comma or a space between them", () => {
    expect(marks("call 0800 555, now", "write to us, now")[0]).toEqual(["call 0800 555"]);
  });

  test("leave both texts whole, whatever they are", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 60 });
    fc.assert(
      fc.property(text, text, (baseline, candidate) => {
        const diff = textDiff(baseline, candidate);
        expect([textOf(diff.baseline), textOf(diff.candidate)]).toEqual([baseline, candidate]);
      }),
    );
  });

  test("are found line by line first where answers are very long", () => {
    const line = (index: number): string => `${index}: the quick brown fox jumps over the lazy dog, again and again.\n`;
    const lines = Array.from({ length: 1500 }, (_, index) => line(index));
    const other = lines.with(700, "700: the quick brown fox jumps over the sleepy dog, again and again.\n");
    expect(marks(lines.join(""), other.join(""))).toEqual([["lazy"], ["sleepy"]]);
  });

  test("are everything, and it says so, where there is no end to them", () => {
    const [one, other] = ["a ", "b "].map((word) => word.repeat(8000));
    const diff = textDiff(one ?? "", other ?? "");
    expect(diff.gaveUp).toBe(true);
    expect(textOf(diff.baseline)).toBe(one);
    expect(diff.candidate.every((piece) => piece.changed)).toBe(true);
    // Nobody sees these, and to divide them takes a minute.
    const unseen = `a${"\u200b".repeat(200_000)}`;
    expect(textOf(textDiff(`${unseen}b`, `${unseen}c`).candidate)).toBe(`${unseen}c`);
  });
});
