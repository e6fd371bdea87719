import type { Case } from "../../dataset/case.ts";
import type { ExpectedCounts, ExpectedProfile } from "../../dataset/lint/expected-profile.ts";
import { misfits } from "../../score/proposal/misfit.ts";
import { proposedScorers, reasonFor, scorerArgument, scorerEntryText } from "../../score/proposal/proposal.ts";
import type { Suite } from "../../suite/suite.ts";

/** The same cases, with their expected answers counted on the way. */
export async function* countingExpected(pages: AsyncIterable<Case[]>, counts: ExpectedCounts): AsyncGenerator<Case[]> {
  for await (const page of pages) {
    for (const { expected } of page) counts.add(expected);
    yield page;
  }
}

/** Warnings about scorers of a suite that visibly do not fit the expected answers, each with a better one. */
export function misfitLines(
  { scorers, targets, decision }: Pick<Suite, "scorers" | "targets" | "decision">,
  expected: ExpectedProfile,
): string[] {
  const endpoints = targets.map(({ endpoint }) => endpoint);
  return misfits(scorers, expected, endpoints).map(({ place, message, better }) => {
    const name = scorers[place]?.name ?? better.name;
    const hasGate = decision.gates.some(({ metric }) => metric === name);
    const unit =
      hasGate && better.type === "chrf" ? " The margin of its gate is then in points of 100, such as 5." : "";
    return `${message}. Better: ${scorerEntryText({ ...better, name })}.${unit}`;
  });
}

/** The scorer that fits where a suite has none; nothing where it or its rows have one, or no answer is expected. */
export function missingScorerLines(
  { scorers, targets }: Pick<Suite, "scorers" | "targets">,
  { expected, hasChecks }: { expected: ExpectedProfile; hasChecks: boolean },
): string[] {
  const [best] = proposedScorers(
    expected,
    targets.map(({ endpoint }) => endpoint),
  );
  if (scorers.length > 0 || hasChecks || best === undefined) return [];
  return [`No scorer grades the answers. One that fits: ${scorerArgument(best)}. ${reasonFor(best)}`];
}
