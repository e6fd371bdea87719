import { compositeOrder } from "../../score/checks/composite.ts";
import type { MadeScorer } from "../../score/make.ts";
import { nothingExpected } from "../../score/contract/expected.ts";
import { type Answer, isBesideThePoint, type Score } from "../../score/contract/scorer.ts";
import type { Scorers } from "./scorers.ts";

/**
 * Scores of an answer, by the place of the scorer: `later`: a judge is asked; null: the scorer is not about this
 * answer.
 */
export type Grades = (Score | "later" | null)[];

/** The scorers of a suite in the order in which they grade. */
export interface Grading {
  scorers: readonly (MadeScorer | null)[];
  /** Places of those that grade at once. */
  pure: readonly number[];
  effects: readonly number[];
  judges: readonly number[];
  /** Places of composites, each after those that it is made of. */
  composites: readonly { place: number; of: readonly number[] }[];
}

/** Sorts made scorers by how they grade; null is one that was not made. */
export function gradingOf({ made: scorers, stored }: Pick<Scorers, "made" | "stored">): Grading {
  const places = (kind: string): number[] =>
    scorers.flatMap((made, place) => (made?.scorer.kind === kind ? [place] : []));
  return {
    scorers,
    pure: places("pure"),
    effects: places("effect"),
    judges: places("judge"),
    composites: compositeOrder(
      stored.map(({ spec: { name } }, place) => ({ name, scorer: scorers[place]?.scorer ?? null })),
    ),
  };
}

/** True for a scorer that may say something of this answer: most say nothing of a run that failed. */
export function mayGrade(
  { applies, gradesFailures }: Pick<MadeScorer, "applies" | "gradesFailures">,
  answer: Answer,
): boolean {
  return (answer.outcome === "ok" || gradesFailures) && applies(answer);
}

/** Grades with all scorers that need nothing but the answer. A case that lacks what a scorer compares with leaves its metric, whatever became of the run. */
export function gradeAtOnce({ scorers, pure }: Grading, answer: Answer, grades: Grades): void {
  for (const place of pure) {
    const made = scorers[place];
    if (made?.scorer.kind !== "pure") continue;
    if (made.lacks(answer.case)) grades[place] = nothingExpected;
    else if (mayGrade(made, answer)) grades[place] = made.scorer.grade(answer);
  }
}

/** Grades with the composites whose parts are known, by their places; one with a part to come is to come itself. */
export function gradeComposites({ scorers, composites }: Grading, answer: Answer, grades: Grades): void {
  for (const { place, of } of composites) {
    const made = scorers[place];
    if (made?.scorer.kind !== "composite") continue;
    const found = of.map((part) => grades[part] ?? null);
    const [first = null] = found;
    const isBeside = found.map((part) => part !== null && part !== "later" && isBesideThePoint(part));
    // Made of nothing but what says nothing of the case.
    if (first !== null && isBeside.every(Boolean)) grades[place] = first;
    if (!mayGrade(made, answer)) continue;
    if (found.includes("later")) grades[place] = "later";
    else if (found.some((part, each) => part !== null && isBeside[each] !== true)) {
      const parts = found.filter((part) => part !== "later");
      grades[place] = made.scorer.combine(parts, { checks: answer.case.checks ?? null, target: answer.target });
    }
  }
}
