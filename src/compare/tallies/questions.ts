import { hash32, mix32 } from "../../lib/random.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { growingFloats, growingInts } from "./growing.ts";

/** The way in which the suite says which rows belong together. */
export type Belonging =
  /** It does not: rows are their own, but for those that ask the same. */
  | "open"
  /** By a column: the same question in one group is one, in two groups it is two. */
  | "column"
  /** As turns: the input of a turn is all that was said before it too, which no other turn of the conversation has. */
  | "turns"
  /** `cluster: false`: every row is its own. */
  | "independent";

/** Rows that ask the same, as the number of each case's question and group; null where every row is its own. */
interface AskedAgain {
  /** The same input with the same expected answer: one question asked several times. */
  questions: Int32Array | null;
  /** The same input, whatever is expected: null where the suite says what belongs together, or every question is its own. */
  inputs: Int32Array | null;
}

/** Collects which cases ask the same; memory is 12 bytes for each. */
export interface QuestionTally {
  add: (result: Pick<PairedResult, "input" | "expected">, cluster: number) => void;
  asked: () => AskedAgain;
}

export function questionTally(belonging: Belonging): QuestionTally {
  if (belonging === "turns" || belonging === "independent")
    return { add: () => {}, asked: () => ({ questions: null, inputs: null }) };
  const keys = growingFloats();
  const wanted = growingInts();
  return {
    add(result, cluster) {
      keys.push(belonging === "column" ? mixed(inputKey(result), cluster) : inputKey(result));
      wanted.push(result.expected === null ? 0 : hash32(result.expected) | 0);
    },
    asked() {
      const inputs = repeatedCodes(keys.view());
      if (inputs === null) return { questions: null, inputs: null };
      const texts = wanted.view();
      const questions = repeatedCodes(keys.view().map((key, place) => mixed(key, texts[place] ?? 0)));
      const isOneEach = questions !== null && questions.every((code, place) => code === inputs[place]);
      return { questions, inputs: belonging === "column" || isOneEach ? null : inputs };
    },
  };
}

/**
 * The mapped input as a number of 52 bits, the same for inputs that differ in case, spaces, quotes, width and the marks at their
 * end alone; NaN for an input that says nothing, which is like no other.
 */
export function inputKey({ input }: Pick<PairedResult, "input">): number {
  if (blank.test(input)) return Number.NaN;
  const text = asAsked(input);
  const low = hash32(text);
  return (mix32(hash32(`${low} ${text}`)) & 0xfffff) * 2 ** 32 + low;
}

/** A JSON text of inputs without what is no difference to a reader. */
function asAsked(input: string): string {
  const plain = ascii.test(input)
    ? input
    : input
        .normalize("NFKC")
        .replaceAll(/[“”„«»]/g, '\\"')
        .replaceAll(/[‘’‚]/g, "'");
  return plain
    .toLowerCase()
    .replaceAll(/(?:\\[nrt]|\s)+/g, " ")
    .replaceAll(/(?<=[^\\]")(?: |\\")*|(?:[ .!?。؟।…]|\\")*(?=")/g, "");
}

// oxlint-disable-next-line no-control-regex
const ascii = /^[\0-\x7f]*$/;

const blank = /^\{(?:"[^"]*":(?:"\s*"|null),?)*\}$/;

/** Another number of 52 bits, by a key and one more thing that has to be the same. */
function mixed(key: number, more: number): number {
  if (Number.isNaN(key)) return key;
  const [high, low] = [Math.floor(key / 2 ** 32), key >>> 0];
  return ((high ^ mix32(more ^ low)) & 0xfffff) * 2 ** 32 + ((low ^ mix32(more + high)) >>> 0);
}

/** A number for each key, from 0 in the order in which they are met; null where no two are the same. */
function repeatedCodes(keys: Float64Array): Int32Array | null {
  // Sorted, equal keys are neighbours; NaN is equal to nothing.
  const sorted = keys.toSorted();
  const codes = new Map<number, number>();
  for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) codes.set(sorted[at] ?? 0, -1);
  if (codes.size === 0) return null;
  let next = 0;
  return Int32Array.from(keys, (key) => {
    const known = codes.get(key);
    if (known === undefined) return next++;
    if (known !== -1) return known;
    codes.set(key, next);
    return next++;
  });
}

/** True for an input that was asked before: that reveals how it comes out, so it is not bet on again. */
export function askedAgain({
  clustered,
  isIndependent = false,
}: {
  clustered: boolean;
  isIndependent?: boolean;
}): (input: number) => boolean {
  const seen = new Set<number>();
  return (input) => {
    if (clustered || isIndependent || Number.isNaN(input)) return false;
    const isAgain = seen.has(input);
    seen.add(input);
    return isAgain;
  };
}
