import type { Judge } from "./use-judge.ts";

/**
 * Ways to judge a row: the only answer, each of several by its name, two without names, or without names where there are
 * no two.
 */
export type JudgeMode = "single" | "named" | "blind" | "nothing to compare";

const blindKeys =
  "Blind is on: 1 A is better, 2 B is better, 0 no difference. To label with g and b, switch Blind off.";
const namedKeys = "Blind is off: g good, b bad. 1, 2 and 0 choose between A and B while Blind is on.";
const nothingToCompare =
  "Blind is on, but here are not two answers to choose from. To label this row, switch Blind off.";

type Keys = Record<string, () => void>;

/**
 * The keys that say a word about an answer, or about two. None of them means one thing in one mode and another in the
 * next: the keys of the other mode change nothing, and say which to use.
 */
export function wordKeys({ label, vote, hint }: Pick<Judge, "label" | "vote" | "hint">, mode: JudgeMode): Keys {
  const say = (keys: readonly string[], text: string): Keys =>
    Object.fromEntries(keys.map((key) => [key, () => hint(text)]));
  const labels = { g: () => label("good"), b: () => label("bad") };
  const votes = { "1": () => vote("A"), "2": () => vote("B"), "0": () => vote("neither") };
  if (mode === "single") return labels;
  if (mode === "named") return { ...labels, ...say(Object.keys(votes), namedKeys) };
  const others = ["a", "s", ...Object.keys(labels)];
  if (mode === "blind") return { ...votes, ...say(others, blindKeys) };
  return say([...others, ...Object.keys(votes)], nothingToCompare);
}

/** Words of the status line that need no key: the row cannot be judged as the one before it was. */
export function standingWords(mode: JudgeMode): string {
  return mode === "nothing to compare" ? nothingToCompare : "";
}
