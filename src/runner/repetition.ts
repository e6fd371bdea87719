import { outcomes } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";

/**
 * Number of failures with the same text, one after the other and from different cases, that are one permanent mistake.
 */
const repetitionsToStop = 5;

/** Notices that every run of a target fails for the same reason. Texts are compared for equality, never searched. */
export class Repetition {
  #text: string | null = null;
  readonly #cases = new Set<number>();

  /** Takes note of a committed outcome; returns the text when it has now been the same for `repetitionsToStop` distinct cases. */
  note(caseId: number, outcome: Outcome): string | null {
    // Waiting says nothing about the target.
    const { next, ownError } = outcomes[outcome.kind];
    if (next === "wait") return null;
    if (!ownError || outcome.error !== this.#text) {
      this.#cases.clear();
      this.#text = ownError ? outcome.error : null;
    }
    if (this.#text === null) return null;
    this.#cases.add(caseId);
    return this.#cases.size >= repetitionsToStop ? this.#text : null;
  }
}
