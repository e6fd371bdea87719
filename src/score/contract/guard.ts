import type { Score, Scorer } from "./scorer.ts";

/** The same scorer, for which whatever goes wrong is a reason and not an exception. */
export function guarded(scorer: Scorer): Scorer {
  switch (scorer.kind) {
    case "pure":
      return { ...scorer, grade: (answer) => attempt(() => scorer.grade(answer)) };
    case "composite":
      return { ...scorer, combine: (scores, graded) => attempt(() => scorer.combine(scores, graded)) };
    case "effect":
      return { ...scorer, grade: (answer) => scorer.grade(answer).then(sound, failed) };
    case "judge":
      return {
        ...scorer,
        ask: (answer, other) => {
          try {
            return scorer.ask(answer, other);
          } catch (cause) {
            return failed(cause);
          }
        },
        read: (replies, repaired, asked) => {
          try {
            const read = scorer.read(replies, repaired, asked);
            return "repair" in read ? read : sound(read);
          } catch (cause) {
            return failed(cause);
          }
        },
      };
  }
}

/** The score that a call gives; a thrown error and a value that is no finite number are reasons. */
export function attempt(grade: () => Score): Score {
  try {
    return sound(grade());
  } catch (cause) {
    return failed(cause);
  }
}

function sound(score: Score): Score {
  if ("unscored" in score || Number.isFinite(score.value)) return score;
  return { unscored: `the scorer gave ${score.value}, which is no finite number` };
}

function failed(cause: unknown): { unscored: string } {
  return { unscored: `the scorer failed: ${cause instanceof Error ? cause.message : String(cause)}` };
}
