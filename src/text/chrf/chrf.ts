import { composedText } from "../normalise.ts";
import { countReference, meetHypothesis, startGrams } from "./grams.ts";
import { letterOf, makeRoom, type Spelled, spelledText } from "./spelled.ts";

/**
 * Number of first characters by which longer texts are compared, so that one monstrous answer cannot exhaust memory.
 */
export const chrfLongest = 200_000;

const longestGram = 6;
const beta2 = 4;

/**
 * chrF2 (Popović 2015) of a hypothesis against a reference, on a scale of 0 to 100: n-grams of 1 to 6 characters (code
 * points after NFC, white space dropped), precision and recall averaged over the orders that both texts have, beta 2.
 * Equal texts, two empty ones too, give 100; an empty one against any other gives 0.
 */
export function chrf2(hypothesis: string, reference: string): number {
  if (hypothesis === reference) return 100;
  spell(hypothesis, hypothesisText);
  spell(reference, referenceText);
  const [hypothesisLength, referenceLength] = [hypothesisText.to, referenceText.to];
  if (hypothesisLength === 0 || referenceLength === 0) return hypothesisLength === referenceLength ? 100 : 0;
  const orders = Math.min(longestGram, hypothesisLength, referenceLength);
  const shared = dropShared();
  startGrams(hypothesisText, referenceText);
  let precision = 0;
  let recall = 0;
  for (let order = 1; order <= orders; order++) {
    countReference(referenceText, order);
    const matches = shared + meetHypothesis(hypothesisText, order);
    // If no gram of an order is shared, no longer one is.
    if (matches === 0) break;
    precision += matches / (hypothesisLength - order + 1);
    recall += matches / (referenceLength - order + 1);
  }
  if (precision === 0) return 0;
  return (100 * ((1 + beta2) * (precision / orders) * (recall / orders))) / ((beta2 * precision + recall) / orders);
}

const hypothesisText = spelledText();
const referenceText = spelledText();

/** Reads a text without white space, from its beginning to its end. */
function spell(text: string, into: Spelled): void {
  const whole = composedText(text);
  const count = Math.min(whole.length, 2 * chrfLongest);
  const room = Math.min(whole.length, chrfLongest);
  makeRoom(into, room);
  const { letters } = into;
  let length = 0;
  for (let i = 0; i < count && length < room; i++) {
    let point = whole.charCodeAt(i);
    if (point >= 0xd800 && point < 0xdc00) {
      point = whole.codePointAt(i) ?? 0;
      if (point > 0xffff) i++;
    }
    const letter = letterOf(point);
    letters[length] = letter;
    // Not for white space, whose number is -1; without a branch, which nobody could foresee.
    length += 1 + (letter >> 31);
  }
  into.from = 0;
  into.to = length;
}

/**
 * Drops what both texts begin and end with, but for the characters that a gram at its edge may hold, and returns its length:
 * so many grams of each order are in both.
 */
function dropShared(): number {
  const [one, other] = [hypothesisText.letters, referenceText.letters];
  const [oneLength, otherLength] = [hypothesisText.to, referenceText.to];
  const shortest = Math.min(oneLength, otherLength);
  let start = 0;
  while (start < shortest && one[start] === other[start]) start++;
  let end = 0;
  while (end < shortest - start && one[oneLength - 1 - end] === other[otherLength - 1 - end]) end++;
  const [head, tail] = [Math.max(0, start - longestGram + 1), Math.max(0, end - longestGram + 1)];
  for (const text of [hypothesisText, referenceText]) {
    text.from = head;
    text.to -= tail;
  }
  return head + tail;
}
