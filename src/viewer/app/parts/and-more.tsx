import { number } from "../../../report/say/quantity.ts";

/** `and 7 more, which tell less.` below a list that shows only the first; nothing where it shows all. */
export function AndMore({ all, shown, where }: { all: number; shown: number; where: string }) {
  if (all <= shown) return null;
  return (
    <p class="quiet more">
      and {number(all - shown)} more{where}.
    </p>
  );
}

/** `and 7 more` below a list that shows only the first: a click shows all. */
export function ShowMore({ all, shown, show }: { all: number; shown: number; show: () => void }) {
  if (all <= shown) return null;
  return (
    <p class="more">
      <button type="button" class="link" onClick={show}>
        and {number(all - shown)} more
      </button>
    </p>
  );
}
