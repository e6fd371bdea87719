import type { ExpectedProfile } from "../../dataset/lint/expected-profile.ts";
import { showText } from "../../lib/show.ts";

/** The kind of the expected answers of a dataset, taken together. */
export type ExpectedKind = "json" | "lists" | "numbers" | "labels" | "words" | "phrases" | "sentences";

/** The facts about expected answers by which a scorer is proposed. */
export type Expectations = Omit<ExpectedProfile, "p95" | "max">;

/** A few cells that say "none" or "about 5" do not change the kind of a column. */
const shareOfNumbers = 0.95;
/** Labels come again and again: each of them so often on average. */
const timesEach = 5;

/** The kind of (most of) the expected answers; null without any. */
export function kindOf(expected: Expectations): ExpectedKind | null {
  const { texts, forms, units } = expected;
  const isMost = (count: number): boolean => count > texts / 2;
  if (texts === 0) return null;
  if (isMost(forms.json)) return "json";
  if (isMost(forms.list)) return "lists";
  // With many different units, such as the months of dates, a number says too little of the text.
  if (units !== null && forms.number >= shareOfNumbers * texts) return "numbers";
  if (isLabels(expected)) return "labels";
  if (isMost(forms.sentence)) return "sentences";
  return forms.words + forms.number >= texts / 2 ? "words" : "phrases";
}

function isLabels({ texts, forms, labels }: Expectations): boolean {
  return labels !== null && labels.length >= 2 && texts >= timesEach * labels.length && forms.words === texts;
}

/** The kind in words, with what shows it: `sentences (58 characters in the median)`. */
export function kindText(kind: ExpectedKind, { texts, median, forms, labels, units }: Expectations): string {
  const length = `${median} ${median === 1 ? "character" : "characters"} in the median`;
  const some = (count: number): string => (count === texts ? "" : ` in ${number(count)} of ${number(texts)} rows`);
  switch (kind) {
    case "json":
      return `JSON${some(forms.json)}`;
    case "lists":
      return `JSON lists of texts${some(forms.list)}`;
    case "numbers":
      return `numbers${some(forms.number)}${units === null || units.length === 0 ? "" : ` (${units.join(", ")})`}`;
    case "labels":
      return `${labels?.length ?? 0} labels (${listed(labels ?? [])})`;
    case "words":
      return `a few words (${length})`;
    case "phrases":
      return `phrases (${length})`;
    case "sentences":
      return `sentences${some(forms.sentence)} (${length})`;
  }
}

const mostListed = 4;

function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, mostListed).map(showText);
  return labels.length > mostListed ? `${shown.join(", ")} ...` : shown.join(", ");
}

const number = (count: number): string => count.toLocaleString("en-US");
