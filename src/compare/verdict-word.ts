export type GateState = "regression" | "pass" | "inconclusive" | "invalid";

/** The state of a word, for a program that knows the four states alone, and whether somebody has to be told. */
interface WordFacts {
  state: GateState;
  /** As it stands at the top. */
  shown: string;
  /** Something is wrong: a notice is one of a problem, whatever the exit code. */
  isProblem: boolean;
}

/** Everything that can be said at the top, the first that occurs before the others. */
const table = [
  { word: "regression", state: "regression", shown: "REGRESSION", isProblem: true },
  { word: "changed", state: "regression", shown: "CHANGED", isProblem: true },
  { word: "invalid", state: "invalid", shown: "INVALID", isProblem: true },
  { word: "worse", state: "inconclusive", shown: "WORSE", isProblem: true },
  { word: "cannot-tell", state: "inconclusive", shown: "CANNOT TELL", isProblem: false },
  { word: "too-few-cases", state: "inconclusive", shown: "TOO FEW ROWS", isProblem: false },
  { word: "pass", state: "pass", shown: "PASS", isProblem: false },
  { word: "better", state: "pass", shown: "BETTER", isProblem: false },
  { word: "close-enough", state: "pass", shown: "CLOSE ENOUGH", isProblem: false },
  { word: "best", state: "pass", shown: "BEST", isProblem: false },
] as const satisfies readonly (WordFacts & { word: string })[];

/** A word for all that is known of a gate, a candidate or a whole comparison. */
export type VerdictWord = (typeof table)[number]["word"];

/** A word that is said of a choice among many: its best one is known, or one that is close enough, is another than was expected, or is not known. */
export type ChoiceWord = Extract<VerdictWord, "best" | "close-enough" | "changed" | "cannot-tell" | "too-few-cases">;

/**
 * Why nothing can be told of a choice. `floor` and `ceiling`: all are at that end of the scale; `alike`: all gave the same answers to
 * the letter; `invalid`: the comparison is.
 */
export const choiceOpens = ["no case", "alike", "floor", "ceiling", "too few", "no variation", "invalid"] as const;
export type ChoiceOpen = (typeof choiceOpens)[number];

/** A word that is said of a gate. */
export type GateWord = Exclude<VerdictWord, "better" | "best" | "close-enough" | "changed">;

export const verdictWords: readonly VerdictWord[] = table.map(({ word }) => word);
const factsOf = new Map<VerdictWord, WordFacts>(table.map((facts) => [facts.word, facts]));

export function wordFacts(word: VerdictWord): WordFacts {
  const facts = factsOf.get(word);
  if (facts === undefined) throw new Error(`${word} is no word of a verdict`);
  return facts;
}

/** A word inside of a sentence: `too few rows`. */
export const wordInText = (word: VerdictWord): string => wordFacts(word).shown.toLowerCase();

/** The word of a text that a file holds; null: it is none, such as one that a stranger wrote. */
export const wordNamed = (text: string | null | undefined): VerdictWord | null =>
  verdictWords.find((word) => word === text) ?? null;

/** The one that stands at the top; null: there is none. */
export function topWord<Word extends VerdictWord>(all: Iterable<Word>): Word | null {
  const found = Array.from(all);
  for (const word of verdictWords) {
    const own = found.find((each) => each === word);
    if (own !== undefined) return own;
  }
  return null;
}

/** Sorts what matters most first. */
export const byGravity = (one: VerdictWord, other: VerdictWord): number =>
  verdictWords.indexOf(one) - verdictWords.indexOf(other);

/**
 * Claims that nobody asked for have to be sure, and so has a loss that is named whatever the limit: bots that are equal are
 * the usual case, and there such a claim costs its whole level.
 */
export const sureLevel = 0.01;

/** A place that is worse at this level makes its candidate WORSE, unless that is known to be more than that. */
export const placeLevel = 0.001;

/**
 * The claim of a comparison about a candidate beyond the cases at hand: `same` is a pass without a sure difference, `none` that
 * nothing is claimed.
 */
export type VerdictClaim = "better" | "same" | "worse" | "none";

/** Two-sided level at which a candidate is called better: equal bots are called so in half of it at most. */
export const betterLevel = 0.05;
