import type { ReportSummary } from "../shape/model.ts";

/** Says beside figures that they decide nothing, where the data of a comparison are not complete; none where they count. */
export function uncountedLines({ verdict, candidates }: Pick<ReportSummary, "verdict" | "candidates">): string[] {
  if (verdict.state !== "invalid" || candidates.length === 0) return [];
  return ["No result: worse and better do not count here, because answers are missing or not comparable."];
}
