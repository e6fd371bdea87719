/** Letters of Cyrillic and Greek that cannot be told from Latin ones by eye. */
const cyrillic = "АВЕЅІЈКМНОРСТУХаеѕіјорсух";
const greek = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον";
const latinLike = /[ABCEHIJKMNOPSTXYZaceijopsuvxy]/;

const suspicious =
  /\p{Script=Latin}[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][\p{L}\p{M}]*\p{Script=Latin}/u;

/** The first word that mixes Latin with look-alikes of another script, as when а letter was typed on another keyboard. */
export function findLookAlike(text: string): { at: number; word: string; letter: string; script: string } | null {
  if (!suspicious.test(text)) return null;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (!suspicious.test(word)) continue;
    for (const [script, alike, pattern] of scripts) {
      const foreign = word.match(pattern) ?? [];
      const latin = word.match(/\p{Script=Latin}/gu) ?? [];
      const [first] = foreign;
      if (first === undefined || latin.length === 0) continue;
      if (foreign.every((letter) => alike.includes(letter))) {
        return { at: index + word.indexOf(first), word, letter: first, script };
      }
      const [firstLatin = ""] = latin;
      if (latin.every((letter) => latinLike.test(letter))) {
        return { at: index + word.indexOf(firstLatin), word, letter: firstLatin, script: "Latin" };
      }
    }
  }
  return null;
}

const scripts = [
  ["Cyrillic", cyrillic, /\p{Script=Cyrillic}/gu],
  ["Greek", greek, /\p{Script=Greek}/gu],
] as const;
