import { number } from "../../../report/words/quantity.ts";

/** `and 7 more: see the tags of the rows.` below a list that shows only the first; nothing where it shows all. */
export function AndMore({ all, shown, where }: { all: number; shown: number; where: string }) {
  if (all <= shown) return null;
  return (
    <p class="quiet more">
      and {number(all - shown)} more{where}.
    </p>
  );
}
