import type { RunLabel } from "../shape/row.ts";

/** The labels of the answers to a row as a list shows them, each once; scores that were edited are not among them. */
export function labelWords(labels: readonly Pick<RunLabel, "scorer" | "label">[]): string[] {
  return Array.from(new Set(labels.flatMap(({ scorer, label }) => (scorer === "" ? [label] : []))));
}
