/** `a`, `a and b`, `a, b and c` */
export function sentenceList(items: readonly string[], joint = "and"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${joint} ${items.at(-1) ?? ""}`;
}
