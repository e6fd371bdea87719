/** An end of a sentence: marks of many scripts with closing quotes, then space or the end; CJK marks need no space. */
const end = /[.?!।॥؟۔።፧…]+["'”’»)\]]*(?=\s|$)|[。！？]+["'”’」』）]*|\n+/gu;
const abbreviation =
  /(?:^|[\s(])(?:\p{Lu}|(?:\p{L}\.)+\p{L}|mr|mrs|ms|dr|st|sr|sra|no|vs|etc|approx|e\.g|i\.e|prof|jr)$/iu;

/** The sentences of a text, trimmed, in order; a full stop after an initial or a common abbreviation does not end one. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(end)) {
    if (!endsSentence(text, start, match)) continue;
    const stop = match.index + match[0].length;
    sentences.push(text.slice(start, stop));
    start = stop;
  }
  sentences.push(text.slice(start));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

function endsSentence(text: string, start: number, match: RegExpExecArray): boolean {
  if (match[0] !== ".") return true;
  if (/^\s+\p{Ll}/u.test(text.slice(match.index + 1, match.index + 8))) return false;
  return !abbreviation.test(text.slice(Math.max(start, match.index - 12), match.index));
}
