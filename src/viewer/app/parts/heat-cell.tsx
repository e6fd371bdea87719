import type { ComponentChildren } from "preact";
import { strengthMarks } from "../../../report/doc/choice-findings-tables.ts";

/** The colour of a cell: `better` and `worse` are decided, `large` differs much and may by chance. */
export type Heat = "better" | "worse" | "large" | null;

/** A cell of a heat map: a colour never stands alone, it has its mark, and words for who sees none. */
export function HeatCell(props: {
  heat: Heat;
  words: string;
  /** Shown before the figure where the cells of a line are a list, on a narrow screen. */
  column?: ComponentChildren;
  /** Nothing changed: left out of such a list. */
  isZero?: boolean;
  children: ComponentChildren;
}) {
  const { heat, words, column, isZero = false, children } = props;
  const colour = heat === null ? "" : heat === "large" ? "large" : `stands-${heat}`;
  return (
    <td class={`number ${colour} ${isZero ? "is-zero" : ""}`}>
      {column !== undefined && (
        <span class="of-column" aria-hidden="true">
          {column}{" "}
        </span>
      )}
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
