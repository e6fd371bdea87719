import PQueue from "p-queue";
import type { Answer, Score } from "../../score/contract/scorer.ts";
import { type Grades, type Grading, mayGrade } from "./grading.ts";
import type { ScoreWatch } from "./score-watch.ts";

/** Grades answers with the scorers that have effects, each with the concurrency that it allows. */
export class EffectQueue {
  readonly #grading: Grading;
  readonly #watch: ScoreWatch;
  readonly #queues: ReadonlyMap<number, PQueue>;
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;
  /** Answers that were not graded, because somebody wanted an end. */
  leftOut = 0;

  constructor(grading: Grading, watch: ScoreWatch) {
    this.#grading = grading;
    this.#watch = watch;
    this.#queues = new Map(
      grading.effects.map((place) => {
        const scorer = grading.scorers[place]?.scorer;
        return [place, new PQueue({ concurrency: scorer?.kind === "effect" ? scorer.concurrency : 1 })];
      }),
    );
  }

  /** Starts to grade an answer and resolves when there is room for the next; `finish` is called when its grades are known. */
  async grade(given: {
    answer: Answer;
    grades: Grades;
    known: (place: number) => Score | null;
    finish: () => void;
  }): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    const { answer, grades, known, finish } = given;
    const pending: Promise<void>[] = [];
    for (const [place, queue] of this.#queues) {
      const made = this.#grading.scorers[place];
      if (made?.scorer.kind !== "effect" || !mayGrade(made, answer)) continue;
      const { scorer } = made;
      grades[place] = known(place);
      if (grades[place] !== null) continue;
      // No more wait than are graded at once.
      await queue.onSizeLessThan(scorer.concurrency);
      pending.push(
        queue.add(async () => {
          if (this.#watch.stopped !== null) {
            this.leftOut += 1;
            grades[place] = "later";
            return;
          }
          this.#watch.started();
          grades[place] = await scorer.grade(answer);
          this.#watch.ended();
        }),
      );
    }
    if (pending.length === 0) finish();
    else this.#follow(Promise.all(pending), finish);
  }

  /** Resolves when everything that was started is graded. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure !== null) throw this.#failure.error;
  }

  #follow(pending: Promise<unknown>, finish: () => void): void {
    const followed = pending
      .then(finish)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(followed));
    this.#running.add(followed);
  }
}
