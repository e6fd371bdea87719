/** The way to count n-grams of a length of which none is found in a reference. */
export type BleuSmoothing = "exp" | "epsilon" | "tiny" | "none";

const longestGram = 4;

/**
 * BLEU of one text (Papineni et al. 2002): the geometric mean of the clipped precisions of its n-grams of 1 to 4 words,
 * times the brevity penalty against the reference that is nearest in length. Lengths that the text is too short for are
 * left out (sacrebleu's effective order). Where nothing of a length is found, `exp` halves a single find each time
 * (sacrebleu), `epsilon` counts a tenth of a find (NLTK's method1), `tiny` takes 0.0000001 for the share (promptfoo), and
 * `none` gives 0 (NLTK's method0). 0 to 1.
 */
export function bleu(
  hypothesis: readonly string[],
  references: readonly (readonly string[])[],
  smoothing: BleuSmoothing,
): number {
  const orders = Math.min(longestGram, hypothesis.length);
  if (orders === 0) return references.some((reference) => reference.length === 0) ? 1 : 0;
  let logs = 0;
  let halvings = 1;
  for (let size = 1; size <= orders; size++) {
    const found = clippedCount(hypothesis, references, size);
    const grams = hypothesis.length - size + 1;
    // Where no word is shared, longer n-grams are not either.
    if (found === 0 && ((size === 1 && smoothing !== "tiny") || smoothing === "none")) return 0;
    if (found === 0 && smoothing === "exp") halvings *= 2;
    const finds = { exp: 1 / halvings, epsilon: 0.1, tiny: 1e-7 * grams, none: 0 };
    logs += Math.log((found > 0 ? found : finds[smoothing]) / grams);
  }
  return brevityPenalty(hypothesis.length, references) * Math.exp(logs / orders);
}

/** N-grams of a length that the references have, each as often as in the one that has it most often. */
export function clippedCount(
  hypothesis: readonly string[],
  references: readonly (readonly string[])[],
  size: number,
): number {
  const most = new Map<string, number>();
  for (const reference of references) {
    for (const [gram, count] of countGrams(reference, size)) most.set(gram, Math.max(count, most.get(gram) ?? 0));
  }
  let found = 0;
  for (const [gram, count] of countGrams(hypothesis, size)) found += Math.min(count, most.get(gram) ?? 0);
  return found;
}

function brevityPenalty(length: number, references: readonly (readonly string[])[]): number {
  // The shorter one counts where two are equally near.
  const [nearest = 0] = references
    .map((reference) => reference.length)
    .toSorted((a, b) => Math.abs(a - length) - Math.abs(b - length) || a - b);
  return length >= nearest ? 1 : Math.exp(1 - nearest / length);
}

function countGrams(words: readonly string[], size: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i + size <= words.length; i++) {
    const gram = words.slice(i, i + size).join("\u0000");
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}
