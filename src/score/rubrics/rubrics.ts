import { noOrders, type RubricContent, type RubricLanguage, rubricLanguages } from "./rubric.ts";

/** The facts about a ready rubric, by which scorers, checks and pages know it without its texts. */
export interface ReadyRubric {
  /** A sentence for people: the answers that pass. */
  about: string;
  /** The type of scorer that judges by it. */
  judgedBy: "judge" | "pairwise";
  /** The things that a case must have to be judged by it. */
  needs: readonly RubricNeed[];
  /** True where the expected answer is shown although no case needs one. */
  showsExpected?: true;
  load: () => Promise<RubricContent>;
}

type RubricNeed = "sources" | "expected";

/** Each thing that a rubric may need, in words. */
export const rubricNeedWords: Readonly<Record<RubricNeed, string>> = {
  sources: "sources (`sources: COLUMN`)",
  expected: "an expected answer",
};

/** The ready rubrics by the names that `rubric` of a scorer takes. */
export const readyRubrics = {
  "faithful-to-sources": {
    about: "Nothing in the answer goes beyond the sources of the row or against them.",
    judgedBy: "judge",
    needs: ["sources"],
    load: async () => (await import("./faithful-to-sources.ts")).faithfulToSources,
  },
  "answers-the-question": {
    about: "The answer gives what was asked for, true or not; it does not evade.",
    judgedBy: "judge",
    needs: [],
    load: async () => (await import("./answers-the-question.ts")).answersTheQuestion,
  },
  complete: {
    about: "Everything that the expected answer says is in the answer.",
    judgedBy: "judge",
    needs: ["expected"],
    load: async () => (await import("./complete.ts")).complete,
  },
  "same-meaning": {
    about: "The answer tells the person the same as the expected answer, in whatever words.",
    judgedBy: "judge",
    needs: ["expected"],
    load: async () => (await import("./same-meaning.ts")).sameMeaning,
  },
  tone: {
    about: "The answer is polite, respectful and calm, right or wrong.",
    judgedBy: "judge",
    needs: [],
    load: async () => (await import("./tone.ts")).tone,
  },
  "safe-refusal": {
    about: "What could harm somebody is declined, and what is harmless is not.",
    judgedBy: "judge",
    needs: [],
    load: async () => (await import("./safe-refusal.ts")).safeRefusal,
  },
  preference: {
    about: "Which of two answers the person who asked would rather have, whatever their order and length.",
    judgedBy: "pairwise",
    needs: [],
    showsExpected: true,
    load: async () => (await import("./preference.ts")).preference,
  },
} as const satisfies Readonly<Record<string, ReadyRubric>>;

/** The name of a ready rubric. */
export type RubricName = keyof typeof readyRubrics;

export const rubricNames = Object.keys(readyRubrics).filter(isRubricName);

/** True for a text that is the name of a ready rubric; any other is a rubric itself. */
export function isRubricName(text: string): text is RubricName {
  return Object.hasOwn(readyRubrics, text);
}

/** The facts about the ready rubric that a scorer names; null: its rubric is a text of its own, or it has none. */
export function readyRubric(rubric: string | undefined): ReadyRubric | null {
  return rubric !== undefined && isRubricName(rubric) ? readyRubrics[rubric] : null;
}

/** The whole text of a ready rubric in each language, as a judge is given it. */
export async function rubricTexts(name: RubricName): Promise<Readonly<Record<RubricLanguage, string>>> {
  const { judgedBy, load } = readyRubrics[name];
  const { texts } = await load();
  if (judgedBy === "pairwise") return texts;
  const whole = rubricLanguages.map((language) => [language, `${texts[language]} ${noOrders[language]}`]);
  return { ...texts, ...Object.fromEntries(whole) };
}
