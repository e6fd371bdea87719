import { endpointOf } from "../../api/endpoints.ts";
import type { ExpectedProfile } from "../../dataset/lint/expected-profile.ts";
import { mismatches } from "../../score/proposal/scorer-mismatch.ts";
import {
  type Proposal,
  proposedJudge,
  proposedScorers,
  reasonFor,
  scorerArgument,
  scorerEntryText,
} from "../../score/proposal/proposal.ts";
import { looksAtExpected, needsExpected } from "../../score/make.ts";
import { unreadWords } from "../../report/say/scorers.ts";
import type { Connection } from "../../store/connection.ts";
import { latestPassShare } from "../../store/scores/pass-share.ts";
import { fault } from "../../lib/fault.ts";
import type { Suite } from "../../suite/suite.ts";
import { type ErrorOf, refuseFaults } from "./refuse-faults.ts";

/** Throws SUITE_INVALID where scorers compare with the expected answer, and no case of the whole dataset has one. */
export function checkExpected({ scorers }: Pick<Suite, "scorers">, { texts }: ExpectedProfile, errorOf: ErrorOf): void {
  const comparing = texts > 0 ? [] : scorers.flatMap((spec, place) => (needsExpected(spec) ? [{ spec, place }] : []));
  const message = "compares with the expected answer, and no case has one";
  const faults = comparing.map(({ spec, place }) =>
    spec.options["rubric"] === undefined
      ? fault(["scorers", place, "type"], message, nothingExpected)
      : fault(["scorers", place, "rubric"], message, `${nameColumn}, or take another rubric.`),
  );
  refuseFaults(faults, errorOf);
}

const nameColumn = "Name its column (case: { expected: COLUMN }; a column `expected` is found by itself)";
const nothingExpected = `${nameColumn}, give the scorer a \`value\`, or leave it out.`;

/** A scorer that passed in so many runs before fits, whatever the expected answers look like. */
const proven = 0.5;

/**
 * Warnings about scorers of a suite that visibly do not fit the expected answers, each with a better one. `earlier` is the
 * database with earlier batches of the suite.
 */
export function mismatchLines(
  {
    name: suiteName,
    scorers,
    targets,
    judges,
    decision,
  }: Pick<Suite, "name" | "scorers" | "targets" | "judges" | "decision">,
  expected: ExpectedProfile,
  earlier: Connection | null,
): string[] {
  const endpoints = targets.map(({ endpoint }) => endpoint);
  const judge = judgeSentence(expected, { targets, judges });
  return mismatches(scorers, expected, endpoints).flatMap(({ place, message, better }) => {
    const spec = scorers[place];
    const share = spec === undefined || earlier === null ? null : latestPassShare(earlier, suiteName, spec);
    if (share !== null && share >= proven) return [];
    const name = spec?.name ?? better.name;
    const hasGate = decision.gates.some(({ metric }) => metric === name);
    const unit =
      hasGate && better.type === "chrf" ? " The margin of its gate is then in points of 100, such as 5." : "";
    return [`${message}. Better: ${scorerEntryText({ ...better, name })}.${unit}${judge}`];
  });
}

/** The judge that could grade instead, as a sentence after others; empty where a plain scorer tells as much. */
function judgeSentence(expected: ExpectedProfile, { targets, judges }: Pick<Suite, "targets" | "judges">): string {
  const own = judges.find(({ endpoint }) => endpointOf(endpoint).answersWith === "text");
  const entry = proposedJudge(
    expected,
    targets.map(({ endpoint }) => endpoint),
    own === undefined ? "deployment: DEPLOYMENT, model: MODEL" : `target: ${own.name}`,
  );
  return entry === null ? "" : ` Or ask a judge whether it means the same: ${entry}.`;
}

/** Expected answers that no scorer of a suite reads, with one that does; nothing where one may, or rows have checks of their own. */
export function unreadLines(
  { scorers, targets, mapping }: Pick<Suite, "scorers" | "targets" | "mapping">,
  { expected, hasChecks }: { expected: ExpectedProfile; hasChecks: boolean },
): string[] {
  if (scorers.length === 0 || hasChecks || scorers.some(looksAtExpected)) return [];
  const [best] = proposedScorers(
    expected,
    targets.map(({ endpoint }) => endpoint),
  );
  if (best === undefined) return [];
  const names = scorers.map(({ name }) => name);
  const unread = { entry: entryBeside(best, names), column: mapping.expected };
  return [unreadWords(unread, { scorers: names, passesAll: null })];
}

/** A scorer as an entry of a suite that has others. */
export const entryBeside = (proposal: Proposal, taken: readonly string[]): string =>
  scorerEntryText({ ...proposal, name: taken.includes(proposal.name) ? proposal.type : proposal.name });

/** The scorer that fits where a suite has none; nothing where it or its rows have one, or no answer is expected. */
export function missingScorerLines(
  { scorers, targets, judges }: Pick<Suite, "scorers" | "targets" | "judges">,
  { expected, hasChecks }: { expected: ExpectedProfile; hasChecks: boolean },
): string[] {
  const [best] = proposedScorers(
    expected,
    targets.map(({ endpoint }) => endpoint),
  );
  if (scorers.length > 0 || hasChecks || best === undefined) return [];
  const judge = judgeSentence(expected, { targets, judges });
  return [`No scorer grades the answers. One that fits: ${scorerArgument(best)}. ${reasonFor(best)}${judge}`];
}
