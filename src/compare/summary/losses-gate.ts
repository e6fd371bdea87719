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
import type { GateState } from "../verdict-word.ts";

/** Counts cases that turn from pass to fail: nothing is claimed beyond them. */
export const lossesRule: GateRule<"losses"> = {
  claims: false,
  ask: ({ losses }, about, of) => lossesQuestion(losses, about, of),
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

/** Cases that were looked at, whether they have a score or not. */
function seenOf({ numbers }: AskedMetric, of: OfSegment | null): number {
  return of === null ? numbers.differences.length : of.slice.cases;
}

function lossesState({ invalid, chosen, counted, losses, passing, left }: LossesQuestion): GateState {
  if (invalid !== null || counted.cases === 0) return "invalid";
  if (counted.lost > losses) return "regression";
  return passing === 0 || left > 0 || chosen !== null ? "inconclusive" : "pass";
}

function lossesResult(question: LossesQuestion, { state, word }: GateFinding): LossesGateResult {
  const { losses, counted, invalid } = question;
  const about = { ...answerTo(question), kind: "losses" as const, losses, state, word, tooFew: false };
  if (state === "invalid") return { ...about, decided: null, reason: invalid ?? noCase };
  const open = question.chosen ?? (question.left > 0 ? leftWords(question) : floorWords(question, question.floorCause));
  return { ...about, decided: counted, reason: state === "inconclusive" ? open : null };
}

function leftWords({ counted: { cases }, left }: LossesQuestion): string {
  return `it passes only when every case was looked at: ${left} of ${cases + left} were not sent`;
}

/** Too many losses are so at once; none are only known of all cases. */
function lossesWatch(losses: number, { planned }: GatePlan): Watch {
  let [cases, lost, passing] = [0, 0, 0];
  return {
    add({ difference, baseline }) {
      cases += 1;
      if (Number.isNaN(difference)) return;
      passing += baseline;
      if (difference === -1) lost += 1;
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
