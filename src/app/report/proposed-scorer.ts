import { setImmediate as nextTurn } from "node:timers/promises";
import { ExpectedCounts, type ExpectedProfile } from "../../dataset/lint/expected-profile.ts";
import { folderWords } from "../../lib/paths/results-folder.ts";
import { scorerSpecs } from "../../score/contract/spec.ts";
import { type MadeScorer, makeScorers } from "../../score/make.ts";
import { type Proposal, proposedScorers, reasonFor, scorerArgument } from "../../score/proposal/proposal.ts";
import { type Batch, batchTargets, type BatchTarget } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { expectedPages } from "../../store/results/expected-pages.ts";
import { caseResultReader } from "../../store/results/results.ts";
import { scorerFromFlag } from "../../suite/flags/scorer-flag.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import type { UnreadExpected } from "../../report/say/scorers.ts";
import { entryBeside } from "../plan/scorer-fit.ts";
import { mayGrade } from "../grade/grading.ts";
import { gradedCase, storedAnswer } from "../grade/score-answer.ts";
import { counted, number } from "../../report/say/quantity.ts";

/** A scorer for a batch that has none, and the commands that decide with it, by their words; null where several batches are compared. */
export interface ProposedScorer {
  scorer: string;
  reason: string;
  commands: string[][] | null;
}

/** So many cases are looked at, spread over the whole batch: enough to see whether a scorer decides anything. */
const triedCases = 400;

/**
 * The scorer that fits what a batch expects, tried on the stored answers of the side that others are compared with. Null
 * where something grades them already, nothing is compared, or no answer is expected.
 */
export async function proposedScorer(
  db: Connection,
  { batch, batches, settings }: PlannedComparison,
  out: string,
): Promise<ProposedScorer | null> {
  if (batch.suite.scorers.length > 0 || settings.metrics.length > 0 || settings.pairs.length === 0) return null;
  const chosen = await chosenOn(db, { batch, settings });
  if (chosen === null) return null;
  const { proposal, reported } = chosen;
  const scorer = scorerArgument(proposal);
  const name = [batch.name, ...folderWords(out)];
  const commands = [
    ["tandem", "score", ...name, "--scorer", scorer],
    ["tandem", "compare", ...name],
  ];
  const reason = [reasonFor(proposal), ...reported].join(" ");
  return { scorer, reason, commands: batches.length === 1 ? commands : null };
}

/** The proposal that fits, tried on the baseline's answers; null where no answer is expected. */
async function chosenOn(
  db: Connection,
  { batch, settings }: Pick<PlannedComparison, "batch" | "settings">,
): Promise<{ proposal: Proposal; reported: string[] } | null> {
  const { expected, caseIds } = await lookAtExpected(db, batch);
  const targets = batchTargets(db, batch.id);
  const proposals = proposedScorers(
    expected,
    targets.map(({ endpoint }) => endpoint),
  );
  const baseline = settings.sides[settings.pairs[0]?.baseline ?? 0]?.targetIds ?? [];
  const target = targets.find(({ id }) => baseline.includes(id)) ?? targets[0];
  return target === undefined ? null : chooseProposal(await tryOn(db, { proposals, caseIds, target }), target.name);
}

/** Expected answers of a batch that no metric of a comparison reads, with a scorer that does. */
export async function unreadExpected(
  db: Connection,
  { batch, settings }: PlannedComparison,
): Promise<UnreadExpected | null> {
  const { metrics, pairs } = settings;
  if (pairs.length === 0 || metrics.length === 0 || metrics.some(({ byExpected = false }) => byExpected)) return null;
  const chosen = await chosenOn(db, { batch, settings });
  if (chosen === null) return null;
  const taken = metrics.map(({ metric }) => metric.name);
  return { entry: entryBeside(chosen.proposal, taken), column: batch.suite.mapping.expected };
}

/** Looks at all expected answers of a batch, and chooses cases that have one, spread evenly. */
async function lookAtExpected(db: Connection, batch: Batch): Promise<{ expected: ExpectedProfile; caseIds: number[] }> {
  const counts = new ExpectedCounts();
  let caseIds: number[] = [];
  let [seen, step] = [0, 1];
  for (const page of expectedPages(db, batch.id)) {
    for (const { caseId, expected } of page) {
      counts.add(expected);
      if (expected === null || expected.trim() === "") continue;
      if (seen++ % step === 0) caseIds.push(caseId);
      if (caseIds.length < 2 * triedCases) continue;
      caseIds = caseIds.filter((_, place) => place % 2 === 0);
      step *= 2;
    }
    await nextTurn();
  }
  return { expected: counts.profile, caseIds };
}

/** Grades the answers of a target to some cases with each proposal. */
async function tryOn(
  db: Connection,
  { proposals, caseIds, target }: { proposals: readonly Proposal[]; caseIds: readonly number[]; target: BatchTarget },
): Promise<TriedProposal[]> {
  const specs = scorerSpecs(proposals.map((proposal) => scorerFromFlag(scorerArgument(proposal))));
  const made = await makeScorers(specs, { trust: null, timeoutMs: 1_000 });
  const tried = proposals.map((proposal): TriedProposal => ({ proposal, graded: 0, passes: 0 }));
  for (const result of caseResultReader(db)(caseIds)) {
    const graded = gradedCase(result);
    for (const job of result.jobs) {
      if (job.targetId !== target.id) continue;
      const answer = storedAnswer(graded, job, target);
      for (const [place, scorer] of made.entries()) note(tried[place], scorer, answer);
    }
  }
  return tried;
}

function note(tried: TriedProposal | undefined, made: MadeScorer, answer: Parameters<MadeScorer["applies"]>[0]): void {
  if (tried === undefined || made.scorer.kind !== "pure" || !mayGrade(made, answer)) return;
  const score = made.scorer.grade(answer);
  if ("unscored" in score) return;
  tried.graded += 1;
  if (score.pass === true) tried.passes += 1;
}

/** A proposal with the number of stored answers that it grades, and passes. */
interface TriedProposal {
  proposal: Proposal;
  graded: number;
  passes: number;
}

/** With no more passes a metric stands at its floor: a drop beyond the margin of a gate (5 points) cannot be seen. */
const floor = 0.05;
/** Where half of the answers hold a whole expected sentence, it was copied from what the bot says. */
const copied = 0.5;

/** The proposal to take, the best by form unless the stored answers speak for the next one; and what they say, as sentences. */
function chooseProposal(
  [first, second]: readonly TriedProposal[],
  target: string,
): { proposal: Proposal; reported: string[] } | null {
  if (first === undefined) return null;
  const { proposal, graded } = first;
  if (graded === 0) return { proposal, reported: [] };
  if (second === undefined) return { proposal, reported: measures(first) ? [] : passesText(first, target) };
  const isSecond = measures(first)
    ? shareOf(second) >= copied
    : shareOf(first) <= floor && (measures(second) || shareOf(second) > floor);
  const [chosen, other] = isSecond ? [second, first] : [first, second];
  if (measures(chosen)) return { proposal: chosen.proposal, reported: passesText(other, target).slice(0, 1) };
  return { proposal: chosen.proposal, reported: passesText(chosen, target) };
}

const measures = ({ proposal }: TriedProposal): boolean => proposal.name === "similar";

const shareOf = ({ passes, graded }: TriedProposal): number => (graded === 0 ? 0 : passes / graded);

/** A sentence on how often it passes; a second one where that is so seldom that a loss could not be seen. */
function passesText(tried: TriedProposal, target: string): string[] {
  const { proposal, passes, graded } = tried;
  const often = `${number(passes)} of ${counted(graded, "run")}`;
  return [
    `${scorerArgument(proposal)} passes in ${often} of ${target}.`,
    ...(shareOf(tried) <= floor ? ["With so few a loss cannot be seen: look at some answers first."] : []),
  ];
}
