const alpha = 0.9;
const beta = 3;
const gamma = 0.5;

/**
 * METEOR of two lists of words (Lavie and Agarwal 2007, with NLTK's parameters and its way to align): the harmonic mean of
 * precision and recall, recall weighted nine times, less a penalty for words in another order. Words meet that are the
 * same, then those of the same stem; there is no stage for synonyms. 0 to 1.
 */
export function meteor(
  hypothesis: readonly string[],
  reference: readonly string[],
  stem: ((word: string) => string) | null,
): number {
  if (hypothesis.length === 0 && reference.length === 0) return 1;
  const places = alignment(hypothesis, reference, stem);
  const matched = places.filter((place) => place !== -1).length;
  if (matched === 0) return 0;
  const precision = matched / hypothesis.length;
  const recall = matched / reference.length;
  const mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall);
  return (1 - gamma * (chunksOf(places) / matched) ** beta) * mean;
}

/** Each word's place in the reference; -1: it has none. From the end on, as NLTK aligns. */
function alignment(
  hypothesis: readonly string[],
  reference: readonly string[],
  stem: ((word: string) => string) | null,
): number[] {
  const places = hypothesis.map(() => -1);
  const taken = new Set<number>();
  const stage = (form: (word: string) => string): void => {
    const free = new Map<string, number[]>();
    reference.forEach((word, at) => {
      if (taken.has(at)) return;
      const key = form(word);
      const known = free.get(key);
      if (known === undefined) free.set(key, [at]);
      else known.push(at);
    });
    for (let i = hypothesis.length - 1; i >= 0; i--) {
      const at = places[i] === -1 ? free.get(form(hypothesis[i] ?? ""))?.pop() : undefined;
      if (at === undefined) continue;
      places[i] = at;
      taken.add(at);
    }
  };
  stage((word) => word);
  if (stem !== null) stage(stem);
  return places;
}

/** Runs of words that stand side by side in both texts. */
function chunksOf(places: readonly number[]): number {
  let chunks = 0;
  places.forEach((place, i) => {
    if (place !== -1 && (i === 0 || places[i - 1] === -1 || places[i - 1] !== place - 1)) chunks++;
  });
  return chunks;
}
