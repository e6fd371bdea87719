import type { ReportChange } from "../shape/row.ts";

/** `changed, worse`: what became of an answer. */
export function changeWords({ kind, trend }: ReportChange): string {
  return [kindWords(kind), trend].filter((mark) => mark !== null).join(", ");
}

/** The same in a word or two. */
export function changeWord({ kind, trend }: ReportChange): string {
  return kind.startsWith("error") || trend === null ? kindWords(kind) : trend;
}

function kindWords(kind: ReportChange["kind"]): string {
  return kind.replaceAll("-", " ");
}
