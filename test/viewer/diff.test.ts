import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alignedRows } from "../../src/viewer/app/row/aligned.ts";
import { type TextPart, textDiff } from "../../src/viewer/app/row/diff.ts";
import { expectedIn } from "../../src/viewer/app/row/expected-text.ts";
import { anyCharacter } from "../any-character.ts";

type Side = "left" | "right";
const textOf = (parts: readonly TextPart[], side: Side): string => parts.map((part) => part[side]).join("");
const changed = (parts: readonly TextPart[], side: Side): string[] =>
  parts.filter((part) => part.changed && part[side] !== "").map((part) => part[side].trim());

/** The marked words of both sides. */
function marks(baseline: string, candidate: string): [string[], string[]] {
  const { parts } = textDiff(baseline, candidate);
  return [changed(parts, "left"), changed(parts, "right")];
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
      parts: [{ left: composed, right: apart, changed: false }],
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
        const { parts } = textDiff(baseline, candidate);
        expect([textOf(parts, "left"), textOf(parts, "right")]).toEqual([baseline, candidate]);
        for (const isWhole of [true, false]) {
          const rows = alignedRows(parts, isWhole);
          const sides = (["left", "right"] as const).map((side) => rows.flatMap((row) => row[side]));
          expect(sides.map((pieces) => pieces.map((piece) => piece.text).join(""))).toEqual([baseline, candidate]);
        }
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
    expect(textOf(diff.parts, "left")).toBe(one);
    expect(diff.parts.filter(({ left }) => left.trim() !== "").every((part) => part.changed)).toBe(true);
    // Nobody sees these, and to divide them takes a minute.
    const unseen = `a${"\u200b".repeat(200_000)}`;
    expect(textOf(textDiff(`${unseen}b`, `${unseen}c`).parts, "right")).toBe(`${unseen}c`);
  });
});

describe("long answers of any script", () => {
  const scripts = {
    hi: ["अपना कार्ड भूतल के काउंटर पर लाएँ। ", "शुल्क दो रुपये है। "],
    ar: ["أحضر بطاقتك إلى المكتب في الطابق الأرضي. ", "الرسوم ٢ كرونة. "],
    am: ["ካርድዎን ወደ መሬት ወለል ይዘው ይምጡ። ", "ክፍያው ሁለት ብር ነው። "],
    zh: ["请带上您的借书证。", "今天不开门。"],
    emoji: ["Family cards 👨‍👩‍👧‍👦 cover all 🏠. ", "Pay 🕓 👩🏽‍🚀 here. "],
    combining: ["Z\u0301\u0302\u0303e\u0301 na\u0308h. ", "o\u0308l\u0301. "],
    crlf: ["Bring your card.\r\n", "Fees are 2.\r\n"],
  } as const;

  test("have one sentence that only one of them has in one place, in 40 kB of one line too", () => {
    for (const [script, [sentence, extra]] of Object.entries(scripts)) {
      const half = sentence.repeat(Math.ceil(20_000 / sentence.length));
      const { parts, gaveUp } = textDiff(half + half, half + extra + half);
      expect(gaveUp, script).toBe(false);
      expect(
        parts.filter((part) => part.changed),
        script,
      ).toEqual([{ left: "", right: extra, changed: true }]);
      const rows = alignedRows(parts, false);
      expect(
        rows.filter(({ isFolded }) => isFolded),
        script,
      ).toHaveLength(2);
    }
  });

  test("have the changes at both ends marked where thousands of sentences lie between them", () => {
    for (const [script, [sentence, extra]] of Object.entries(scripts)) {
      const long = sentence.repeat(Math.ceil(30_000 / sentence.length));
      const { parts, gaveUp } = textDiff(`one ${extra}${long}${extra}`, `two ${extra}${long}`);
      expect(gaveUp, script).toBe(false);
      const marked = parts
        .filter((part) => part.changed)
        .reduce((sum, { left, right }) => sum + left.length + right.length, 0);
      expect(marked, script).toBeLessThan(3 * (extra.length + sentence.length));
    }
  });

  test("stay whole, letter by letter, wherever they begin to differ", () => {
    const piece = fc.string({ unit: anyCharacter, maxLength: 12 });
    fc.assert(
      fc.property(piece, piece, piece, fc.nat(3), (unit, one, two, ends) => {
        const long = `${unit}.`.repeat(Math.ceil(2_500 / (unit.length + 1)));
        const texts = [one, two].map((own) => `${ends % 2 === 0 ? long : ""}${own}${ends < 2 ? long : ""}${long}`);
        const [baseline = "", candidate = ""] = texts;
        const { parts } = textDiff(baseline, candidate);
        expect([textOf(parts, "left"), textOf(parts, "right")]).toEqual([baseline, candidate]);
      }),
      { numRuns: 40 },
    );
  });

  test("stay whole, line by line, whatever was taken out, put in or moved", () => {
    const lines = fc.array(fc.constantFrom("a b\n", "a c\n", "b\n", "\n", "c d e\r\n"), { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, (one, two) => {
        const { parts } = textDiff(one.join(""), two.join(""));
        expect([textOf(parts, "left"), textOf(parts, "right")]).toEqual([one.join(""), two.join("")]);
      }),
    );
  });

  test("have a line that was moved, and a number in a table, where they are", () => {
    const line = (row: number, value: string): string => `| row ${row} | ${value} |\n`;
    const table = Array.from({ length: 40 }, (_, row) => line(row, `${row}.50`));
    expect(marks(table.join(""), table.with(20, line(20, "61.50")).join(""))).toEqual([["20.50"], ["61.50"]]);
    const moved = table.toSpliced(5, 1).toSpliced(30, 0, line(5, "5.50")).join("");
    expect(marks(table.join(""), moved)).toEqual([["| row 5 | 5.50 |"], ["| row 5 | 5.50 |"]]);
  });
});

describe("two answers side by side", () => {
  const lines = Array.from(
    { length: 40 },
    (_, index) => `${index}. Everybody who lives in the town may lend books.\n\n`,
  );
  const shown = (baseline: string, candidate: string, isWhole = false): string[][] =>
    alignedRows(textDiff(baseline, candidate).parts, isWhole).map(({ left, right, isFolded }) =>
      isFolded ? ["fold"] : [left, right].map((pieces) => pieces.map(({ text }) => text).join("")),
    );

  test("have a sentence that only one of them has in one place, and fold the same text away in both", () => {
    const other = lines.toSpliced(20, 0, "Drills are not taken back.\n\n");
    const rows = shown(lines.join(""), other.join(""));
    expect(rows.filter(([one]) => one === "fold")).toHaveLength(2);
    expect(rows.filter(([one, two]) => one !== two)).toEqual([
      ["fold"],
      ["", "Drills are not taken back.\n\n"],
      ["fold"],
    ]);
    // Beside it stands what comes before and after it in both.
    expect(rows[1]?.[0]).toContain("19. Everybody");
    expect(rows[3]?.[0]).toMatch(/^20\. Everybody/);
  });

  test("begin and end in lines that stand beside each other, also where one word differs in a line", () => {
    const [one, two, three] = ["{\n", '  "open": true,\n', '  "days": 3\n}'];
    expect(shown(one + two + three, one + two.replace("true", "false") + three)).toEqual([
      [one, one],
      [two, two.replace("true", "false")],
      [three, three],
    ]);
  });

  test("stay whole where nothing is long", () => {
    expect(shown("open until nine", "open until ten")).toEqual([["open until nine", "open until ten"]]);
  });
});

test("the expected text is found in an answer in any case and over the end of a line, and its signs are no pattern", () => {
  expect(expectedIn("Desk (ground\nfloor). DESK  (GROUND floor)", "desk (ground floor)")).toEqual([
    { from: 0, to: 19 },
    { from: 21, to: 41 },
  ]);
  expect(expectedIn("a+b", "a.b")).toEqual([]);
  expect(expectedIn("anything", " ")).toEqual([]);
});
