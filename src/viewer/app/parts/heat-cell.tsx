import type { ComponentChildren } from "preact";
import { strengthMarks } from "../../../report/doc/choice-findings-tables.ts";

/** The decision about a cell; null: there is none. */
export type Heat = "better" | "worse" | null;

/** A cell of a heat map: a colour never stands alone, it has its mark, and words for who sees none. */
export function HeatCell(props: {
  heat: Heat;
  /** Shown before the figure where the cells of a line are a list, on a narrow screen. */
  column?: ComponentChildren;
  /** Nothing changed: left out of such a list. */
  isZero?: boolean;
  children: ComponentChildren;
}) {
  const { heat, column, isZero = false, children } = props;
  const colour = heat === null ? "" : `stands-${heat}`;
  return (
    <td class={`number ${colour} ${isZero ? "is-zero" : ""}`}>
      {column !== undefined && (
        <span class="of-column" aria-hidden="true">
          {column}{" "}
        </span>
      )}
      {heat !== null && <span aria-hidden="true">{strengthMarks[heat]} </span>}
      {children}
      {heat !== null && <span class="unseen">, surely {heat}</span>}
    </td>
  );
}
