import type { ReportChange } from "../shape/row.ts";

/** `changed, worse, distance 0.94`: what became of an answer. */
export function changeWords({ kind, trend, distance }: ReportChange): string {
  const marks = [kindWords(kind), trend, distance === null ? null : `distance ${distance.toFixed(2)}`];
  return marks.filter((mark) => mark !== null).join(", ");
}

/** The same in a word or two. */
export function changeWord({ kind, trend }: ReportChange): string {
  return kind.startsWith("error") || trend === null ? kindWords(kind) : trend;
}

function kindWords(kind: ReportChange["kind"]): string {
  return kind.replaceAll("-", " ");
}
