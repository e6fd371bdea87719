import type { RunExtras } from "../../../report/shape/row.ts";
import { decimal } from "../../../report/say/figures.ts";

type Props = NonNullable<RunExtras["references"]>;

/** A reference as one side has it. */
interface ReferencePlace {
  /** 1, 2, ... as the answer counts them. */
  number: number;
  score: number | null;
  snippet: string | null;
}

/** A reference that some side has. */
export interface ReferenceLine {
  url: string;
  title: string | null;
  /** The text of the first side that has one. */
  snippet: string | null;
  /** Null: a side does not have it. */
  places: (ReferencePlace | null)[];
}

/** The references of all sides, each once, in the order in which the first side has them; one that stands twice is two. */
export function referenceLines(sides: readonly Props[]): ReferenceLine[] {
  const lines = new Map<string, ReferenceLine>();
  for (const [at, references] of sides.entries()) {
    const met = new Map<string, number>();
    for (const [index, { url, title, snippet, score }] of references.entries()) {
      const name = url === "" ? (title ?? "") : url;
      const times = met.get(name) ?? 0;
      met.set(name, times + 1);
      const id = JSON.stringify([name, times]);
      const line = lines.get(id) ?? { url, title, snippet, places: sides.map(() => null) };
      line.snippet ??= snippet;
      line.places[at] = { number: index + 1, score, snippet };
      lines.set(id, line);
    }
  }
  return Array.from(lines.values());
}

/** Says how a reference of each candidate differs from that of the baseline; nothing where nobody shall know which is which. */
export function referenceNotes(
  { places }: ReferenceLine,
  { roles, isBlind }: { roles: readonly ("baseline" | "candidate" | null)[]; isBlind: boolean },
): (string | null)[] {
  const baseline = roles.indexOf("baseline");
  return roles.map((role, at) =>
    isBlind || role !== "candidate" || baseline === -1
      ? null
      : wordsBeside(places[baseline] ?? null, places[at] ?? null),
  );
}

function wordsBeside(before: ReferencePlace | null, now: ReferencePlace | null): string | null {
  if (before === null) return now === null ? null : "+ not in the baseline";
  if (now === null) return "no longer given";
  const [from, to] = [before.score, now.score];
  if (from !== null && to !== null && decimal(from, 2) !== decimal(to, 2))
    return `${decimal(Math.abs(to - from), 2)} ${to > from ? "higher" : "lower"}`;
  return before.number === now.number ? null : `was [${before.number}]`;
}
