import type { ComponentChildren } from "preact";
import { strengthMarks } from "../../../report/words/choice-findings-words.ts";

/** The colour of a cell: `better` and `worse` are decided, `large` differs much and may by chance. */
export type Heat = "better" | "worse" | "large" | null;

/** A cell of a heat map: a colour never stands alone, it has its mark, and words for who sees none. */
export function HeatCell({ heat, words, children }: { heat: Heat; words: string; children: ComponentChildren }) {
  return (
    <td class={`number ${heat === null ? "" : heat === "large" ? "large" : `stands-${heat}`}`}>
      {(heat === "better" || heat === "worse") && <span aria-hidden="true">{strengthMarks[heat]} </span>}
      {children}
      {words !== "" && <span class="unseen">, {words}</span>}
    </td>
  );
}

/** Ten points of a rate, a tenth of a scale. */
const large = 0.1;

/** True for a difference that is worth a look, though it may be chance. */
export function isLargeOn(
  { passes, min, max }: { passes: boolean; min: number | null; max: number | null },
  difference: number,
): boolean {
  const unit = passes ? 1 : min === null || max === null ? Number.POSITIVE_INFINITY : max - min;
  return Math.abs(difference) >= large * unit;
}
