import type { ReportSummary } from "../shape/model.ts";
import { counted, number } from "./quantity.ts";

/** Says beside figures that they decide nothing, where the data of a comparison are not complete; none where they count. */
export function uncountedLines({
  verdict,
  candidates,
  validity,
}: Pick<ReportSummary, "verdict" | "candidates" | "validity">): string[] {
  if (verdict.state !== "invalid" || candidates.length === 0) return [];
  if (validity.byJudge === true)
    return ["No result: worse and better do not count here, because the judge changed between the two sides."];
  return ["No result: worse and better do not count here, because answers are missing or not comparable."];
}

/** The heading above the checks of a comparison; where none is shown, above its cautions alone. */
export function validityHeading(given: {
  state: ReportSummary["validity"]["state"];
  hasChecks: boolean;
  isPartial?: boolean;
  /** Answers that are missing, and all that were due; left out: none is missing. */
  missing?: { answers: number; of: number };
}): string {
  if (!given.hasChecks) return "Weigh this too";
  if (given.state === "invalid") return "Why not";
  if (given.isPartial === true) return "A part of the run is compared";
  if (given.state !== "valid") return "Checks";
  const { answers, of } = given.missing ?? { answers: 0, of: 0 };
  return `The data are complete${answers === 0 ? "" : ` but for ${number(answers)} of ${counted(of, "answer")}`}`;
}
