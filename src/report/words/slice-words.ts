/** The cases of a slice: `language = hi`, or `language = hi and category = fees`. */
export function sliceWords({ tag, value, and }: SliceName): string {
  const first = `${tag} = ${value}`;
  return and === null ? first : `${first} and ${and.tag} = ${and.value}`;
}

/** `not surely worse without kind = typo`; empty for a slice that is worse by itself. */
export function heldWords(heldBy: readonly SliceName[]): string {
  return heldBy.length === 0 ? "" : `not surely worse without ${heldBy.map(sliceWords).join(", ")}`;
}

/** The value of a tag that all cases of a slice have, and that of a second one; null: there is none. */
export interface SliceName {
  tag: string;
  value: string;
  and: { tag: string; value: string } | null;
}
