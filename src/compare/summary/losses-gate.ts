import { floorCause, floorWords } from "./floor-cause.ts";
import {
  type AskedMetric,
  countsOf,
  segmentFigures,
  answerTo,
  type GateFinding,
  type GateRule,
  noCase,
  type OfSegment,
  plannedOf,
  subjectOf,
  type Watch,
  type GatePlan,
} from "./gate-rule.ts";
import type { LossesGateResult, LossesQuestion } from "./gate-shapes.ts";
import { gapOf } from "../tallies/metric-tally.ts";
import type { GateState } from "../verdict-word.ts";

/** Counts cases that turn from pass to fail: nothing is claimed beyond them. */
export const lossesRule: GateRule<"losses"> = {
  claims: false,
  ask: ({ losses }, about, of) => lossesQuestion(losses, about, of),
  isEmpty: ({ counted }) => counted.cases === 0,
  stand: (question) => ({
    ...noClaim,
    state: () => lossesState(question),
    cannotTell: () => question.chosen !== null || question.left === 0 || isHeldByGaps(question),
  }),
  result: lossesResult,
  watch: (_, { losses }, plan) => lossesWatch(losses, plan),
  limit: ({ losses }) => losses,
  lost: ({ decided }) => decided?.lost ?? 0,
};

const noClaim = { p: null, weight: 0, tooFew: () => false, pLoss: () => null };

/** Cases that newly fail or newly pass, where a case that differs by one whole pass did so in all its runs. */
function lossesQuestion(losses: number, about: AskedMetric, of: OfSegment | null): LossesQuestion {
  const { lost, gained, cases, passing } = countsOf(about, of);
  return {
    ...subjectOf(about, of),
    kind: "losses",
    figures: segmentFigures(about, of, null),
    losses,
    counted: { lost, gained, cases },
    passing,
    gaps: gapsOf(about, of),
    left: about.given.stop === null ? 0 : Math.max(0, plannedOf(about.given.stop, of) - seenOf(about, of)),
    floorCause: floorCause(about.compared, {
      lost,
      gained,
      cases,
      passing,
      expectedLength: about.given.results.expectedLength,
    }),
  };
}

/** Cases that the baseline passes and of which the candidate has no graded answer; 0 where it has no more gaps than the baseline. */
function gapsOf({ numbers: { gaps } }: AskedMetric, of: OfSegment | null): number {
  const counts = { baseline: 0, candidate: 0, lost: 0 };
  for (const [place, sides] of (gaps?.sides ?? []).entries()) {
    if (of !== null && !of.slice.has(place)) continue;
    if ((sides & gapOf.baseline) !== 0) counts.baseline += 1;
    if ((sides & gapOf.candidate) === 0) continue;
    counts.candidate += 1;
    if (gaps?.differences[place] === -1) counts.lost += 1;
  }
  return counts.candidate > counts.baseline ? counts.lost : 0;
}

/** No more rows fail than may, but they would were its gaps fails: a gap makes no regression, and no pass either. */
const isHeldByGaps = ({ counted: { lost }, gaps, losses }: LossesQuestion): boolean =>
  lost <= losses && lost + gaps > losses;

/** Cases that were looked at, whether they have a score or not. */
function seenOf({ numbers }: AskedMetric, of: OfSegment | null): number {
  return of === null ? numbers.differences.length : of.slice.cases;
}

function lossesState({ invalid, chosen, counted, losses, passing, left, gaps }: LossesQuestion): GateState {
  const { cases, lost } = counted;
  if (invalid !== null || cases === 0) return "invalid";
  if (lost > losses) return "regression";
  return passing === 0 || left > 0 || chosen !== null || lost + gaps > losses ? "inconclusive" : "pass";
}

function lossesResult(question: LossesQuestion, { state, word }: GateFinding): LossesGateResult {
  const { losses, counted, invalid } = question;
  const about = { ...answerTo(question), kind: "losses" as const, losses, state, word, tooFew: false };
  if (state === "invalid") return { ...about, decided: null, reason: invalid ?? noCase };
  const open = question.chosen ?? openWords(question);
  return { ...about, decided: counted, reason: state === "inconclusive" ? open : null };
}

function openWords(question: LossesQuestion): string {
  if (question.left > 0) return leftWords(question);
  return isHeldByGaps(question) ? heldWords(question) : floorWords(question, question.floorCause);
}

/** `PASS only if at most 1 of the 3 rows that old passes and new has no graded answer to is wrong` */
function heldWords({ gaps, losses, counted: { lost }, baseline, candidate }: LossesQuestion): string {
  const may = losses - lost;
  const which = `${gaps === 1 ? "row" : `${gaps.toLocaleString("en-US")} rows`} that ${baseline} passes and ${candidate} has no graded answer to`;
  if (may === 0)
    return gaps === 1 ? `PASS only if the ${which} is right` : `PASS only if none of the ${which} is wrong`;
  return `PASS only if at most ${may} of the ${which} ${may === 1 ? "is" : "are"} wrong`;
}

function leftWords({ counted: { cases }, left }: LossesQuestion): string {
  return `it passes only when every case was looked at: ${left} of ${cases + left} were not sent`;
}

/** Too many losses are so at once; none are only known of all cases. */
function lossesWatch(losses: number, { planned }: GatePlan): Watch {
  let [cases, lost, passing] = [0, 0, 0];
  const gaps = { baseline: 0, candidate: 0, lost: 0 };
  return {
    add({ difference, baseline, gapped }) {
      cases += 1;
      if (gapped?.baseline === true) gaps.baseline += 1;
      if (gapped?.candidate === true) {
        gaps.candidate += 1;
        if (gapped.difference === -1) gaps.lost += 1;
      }
      if (Number.isNaN(difference)) return;
      passing += baseline;
      if (difference === -1) lost += 1;
    },
    end: () => {},
    stand(isValid) {
      const held = gaps.candidate > gaps.baseline && lost + gaps.lost > losses;
      const found = cases < planned || passing < 0.5 || held ? "inconclusive" : "pass";
      const state = !isValid ? "invalid" : lost > losses ? "regression" : found;
      return { ...noClaim, state: () => state, cannotTell: () => cases >= planned };
    },
    share: () => (lost > losses ? 1 : Math.min(1, cases / Math.max(1, planned))),
  };
}
