import type { Hit } from "./search.ts";

/** Words that ask for a number or a time; a sentence with digits is then the likelier answer. */
const asksForNumber =
  /\b(?:when|how (?:many|much|long|old|far|often)|what (?:year|time|number|percentage|day|date|phone)|cu[aá]nt[oa]s?|cu[aá]ndo|qué año|qué hora|ngapi|lini|saa)(?!\p{L})|कितन|कब|किस (?:वर्ष|साल)|كم|متى|ስንት|መቼ/iu;

/** The sentences of a found article that answer a query best, in the order of the article. */
export function bestSentences(hit: Hit, prompt: string, count: number): string[] {
  const { sentences } = hit.article;
  const wantsDigits = asksForNumber.test(prompt);
  const scored = sentences.map((sentence, index) => {
    let score = index >= hit.unit.from && index < hit.unit.to ? 1 : 0;
    for (const [word, weight] of hit.matched) if (sentence.words.has(word)) score += weight;
    if (wantsDigits && sentence.digits) score *= 1.3;
    return { index, score: score / (1 + 0.01 * sentence.words.size) };
  });
  return scored
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ index }) => sentences[index]?.text ?? "");
}
