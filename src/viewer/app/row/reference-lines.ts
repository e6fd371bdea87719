import type { RunExtras } from "../../../report/shape/row.ts";

type Given = NonNullable<RunExtras["references"]>;

/** A reference as one side has it. */
export interface ReferencePlace {
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
export function referenceLines(sides: readonly Given[]): ReferenceLine[] {
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
