import type { CandidateSummary } from "./candidate-tally.ts";
import type { TargetSummary } from "./target-tally.ts";

/** Whether a comparison may be believed at all. */
export type Validity = { state: "valid" } | { state: "invalid"; reasons: string[] };

/** What must hold before anything is said about a difference: something was compared, every target ran and answered. */
export function validityOf(given: {
  cases: number;
  maxErrorShare: number;
  targets: readonly TargetSummary[];
  candidates: readonly CandidateSummary[];
}): Validity {
  const reasons = given.cases === 0 ? ["The batch has no cases."] : given.targets.flatMap(targetFaults(given));
  if (given.cases > 0) {
    for (const { candidate, compared } of given.candidates) {
      if (compared === 0) reasons.push(`${candidate}: there is no case in which both sides have a run record.`);
    }
  }
  return reasons.length === 0 ? { state: "valid" } : { state: "invalid", reasons };
}

function targetFaults({ cases, maxErrorShare }: { cases: number; maxErrorShare: number }) {
  return ({ target, stopped, casesWithoutRecord }: TargetSummary): string[] => {
    const faults = stopped === null ? [] : [`${target}: stopped before its end: ${stopped}`];
    const share = casesWithoutRecord / cases;
    if (share > maxErrorShare) {
      faults.push(
        `${target}: ${casesWithoutRecord} of ${cases} cases have no run record (${percent(share)}, at most ${percent(maxErrorShare)} are allowed).`,
      );
    }
    return faults;
  };
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
