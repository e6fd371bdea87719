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
import { lossCodes } from "../tallies/metric-tally.ts";
import type { GateState } from "../verdict-word.ts";

/** Counts cases that turn from pass to fail: nothing is claimed beyond them. */
export const lossesRule: GateRule<"losses"> = {
  claims: false,
  ask: ({ losses }, about, of) => lossesQuestion(losses, about, of),
  looksAt: ({ gaps }, place) => (gaps?.lost[place] ?? 0) > 0,
  isEmpty: ({ counted }) => counted.cases === 0,
  stand: (question) => ({
    ...noClaim,
    state: () => lossesState(question),
    cannotTell: () => question.chosen !== null || question.left === 0,
  }),
  result: lossesResult,
  watch: (_, { losses }, plan) => lossesWatch(losses, plan),
  limit: ({ losses }) => losses,
  lost: ({ decided }) => decided?.lost ?? 0,
  lostByGaps({ decided, losses }) {
    const { lost = 0, unanswered = 0, ungraded = 0 } = decided ?? {};
    return lost > losses && lost - unanswered - ungraded <= losses ? { unanswered, ungraded } : null;
  },
};

const noClaim = { p: null, weight: 0, tooFew: () => false, pLoss: () => null };

/**
 * Cases that newly fail or newly pass, where a case that differs by one whole pass did so in all its runs. One that the
 * baseline passes newly fails too where the candidate has no answer or no grade of it.
 */
function lossesQuestion(losses: number, about: AskedMetric, of: OfSegment | null): LossesQuestion {
  const { lost: failing, gained, cases: graded, passing: passed } = countsOf(about, of);
  const { beyond, unanswered, ungraded } = gapLosses(about, of);
  const [lost, cases, passing] = [failing + beyond, graded + beyond, passed + beyond];
  const subject = subjectOf(about, of);
  return {
    ...subject,
    // Rows that it lost are known, also where no other has a grade on both sides.
    invalid: beyond > 0 ? null : subject.invalid,
    kind: "losses",
    figures: segmentFigures(about, of, null),
    losses,
    counted: { lost, gained, cases, ...(unanswered > 0 && { unanswered }), ...(ungraded > 0 && { ungraded }) },
    passing,
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

/** Cases that newly fail because the candidate has no grade of them; `beyond`: those that have no difference. */
function gapLosses({ numbers: { gaps, differences } }: AskedMetric, of: OfSegment | null) {
  const counts = { beyond: 0, unanswered: 0, ungraded: 0 };
  for (const [place, lost] of (gaps?.lost ?? []).entries()) {
    if (lost === 0 || (of !== null && !of.slice.has(place))) continue;
    counts[lost === lossCodes.unanswered ? "unanswered" : "ungraded"] += 1;
    if (Number.isNaN(differences[place])) counts.beyond += 1;
  }
  return counts;
}

/** Cases that were looked at, whether they have a score or not. */
function seenOf({ numbers }: AskedMetric, of: OfSegment | null): number {
  return of === null ? numbers.differences.length : of.slice.cases;
}

function lossesState({ invalid, chosen, counted, losses, passing, left }: LossesQuestion): GateState {
  const { cases, lost } = counted;
  if (invalid !== null || cases === 0) return "invalid";
  if (lost > losses) return "regression";
  return passing === 0 || left > 0 || chosen !== null ? "inconclusive" : "pass";
}

function lossesResult(question: LossesQuestion, { state, word }: GateFinding): LossesGateResult {
  const { losses, counted, invalid } = question;
  const about = { ...answerTo(question), kind: "losses" as const, losses, state, word, tooFew: false };
  if (state === "invalid") return { ...about, decided: null, reason: invalid ?? noCase };
  const open = question.chosen ?? openWords(question);
  return { ...about, decided: counted, reason: state === "inconclusive" ? open : null };
}

function openWords(question: LossesQuestion): string {
  return question.left > 0 ? leftWords(question) : floorWords(question, question.floorCause);
}

function leftWords({ counted: { cases }, left }: LossesQuestion): string {
  return `it passes only when every case was looked at: ${left} of ${cases + left} were not sent`;
}

/** Too many losses are so at once; none are only known of all cases. */
function lossesWatch(losses: number, { planned }: GatePlan): Watch {
  let [cases, lost, passing] = [0, 0, 0];
  return {
    add({ difference, baseline, gapped }) {
      cases += 1;
      const isGraded = !Number.isNaN(difference);
      if (isGraded) passing += baseline;
      if (difference === -1) lost += 1;
      if (isGraded || gapped === null || gapped.lost === null) return;
      passing += 1;
      lost += 1;
    },
    end: () => {},
    stand(isValid) {
      const found = cases < planned || passing < 0.5 ? "inconclusive" : "pass";
      const state = !isValid ? "invalid" : lost > losses ? "regression" : found;
      return { ...noClaim, state: () => state, cannotTell: () => cases >= planned };
    },
    share: () => (lost > losses ? 1 : Math.min(1, cases / Math.max(1, planned))),
  };
}
