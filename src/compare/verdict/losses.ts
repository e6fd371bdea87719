import type { Cause } from "../cause.ts";
import { floorOf, floorPasses } from "./floor.ts";
import {
  type AskedOf,
  type AskedMetric,
  commonBasis,
  countsOf,
  decidedAs,
  type GateKindRule,
  type GatePlan,
  plannedOf,
  sliceFigures,
  subjectOf,
  noPair,
  openBasis,
  type Watch,
} from "./kind.ts";
import type { Slice } from "../tallies/slices.ts";
import { lossCodes } from "../tallies/metric-tally.ts";

/** Counts cases that turn from pass to fail: nothing is claimed beyond them. */
export const lossesKind: GateKindRule<"losses"> = {
  claims: false,
  ask: ({ losses }, about, of) => askLosses(losses, about, of),
  looksAt: ({ gaps }, place) => (gaps?.lost[place] ?? 0) > 0,
  conclude: ({ facts }, finding) => ({
    ...facts,
    decided: finding.state === "invalid" ? null : facts.decided,
    ...decidedAs(finding),
  }),
  watch: (compared, { losses }, plan) => watchLosses(losses, { ...plan, name: compared.metric.name }),
  limit: ({ losses }) => losses,
  lost: ({ decided }) => decided?.lost ?? 0,
  lostByGaps({ decided, losses }) {
    const { lost = 0, unanswered = 0, ungraded = 0 } = decided ?? {};
    return lost > losses && lost - unanswered - ungraded <= losses ? { unanswered, ungraded } : null;
  },
};

/**
 * Cases that newly fail or newly pass, where a case that differs by one whole pass did so in all its runs. One that the
 * baseline passes newly fails too where the candidate has no answer or no grade of it.
 */
function askLosses(losses: number, about: AskedMetric, of: Slice | null): AskedOf<"losses"> {
  const { lost: failing, gained, cases: graded, passing: passed } = countsOf(about, of);
  const { beyond, unanswered, ungraded } = gapLosses(about, of);
  const [lost, cases, passing] = [failing + beyond, graded + beyond, passed + beyond];
  const { given, compared } = about;
  const left = given.stop === null ? 0 : Math.max(0, plannedOf(given.stop, of) - seenOf(about, of));
  const subject = subjectOf(about, of);
  const { expectedLength } = given.results;
  const passes = floorPasses(compared, { lost, gained, cases, passing, expectedLength });
  const common = commonBasis(about);
  const counted = { lost, gained, cases, ...(unanswered > 0 && { unanswered }), ...(ungraded > 0 && { ungraded }) };
  return {
    kind: "losses",
    facts: { ...subject, kind: "losses", figures: sliceFigures(about, of, null), losses, decided: counted },
    basis: {
      ...common,
      // Rows that it lost are known, also where no other has a grade on both sides.
      invalid: beyond > 0 ? null : common.invalid,
      empty: cases === 0 ? noPair : null,
      counted: lost > losses ? "regression" : "pass",
      unseen: () => (left > 0 ? notSent(cases, left) : null),
      atFloor: () => (left === 0 && passing === 0 ? floorOf(subject, passes) : null),
    },
  };
}

/** Cases that newly fail because the candidate has no grade of them; `beyond`: those that have no difference. */
function gapLosses({ numbers: { gaps, differences } }: AskedMetric, of: Slice | null) {
  const counts = { beyond: 0, unanswered: 0, ungraded: 0 };
  for (const [place, lost] of (gaps?.lost ?? []).entries()) {
    if (lost === 0 || (of !== null && !of.has(place))) continue;
    counts[lost === lossCodes.unanswered ? "unanswered" : "ungraded"] += 1;
    if (Number.isNaN(differences[place])) counts.beyond += 1;
  }
  return counts;
}

/** Cases that were looked at, whether they have a score or not. */
function seenOf({ numbers }: AskedMetric, of: Slice | null): number {
  return of === null ? numbers.differences.length : of.places.length;
}

const notSent = (cases: number, left: number): Cause => ({ kind: "not-sent", rows: left, of: cases + left });

/** Too many losses are so at once; none are only known of all cases. */
function watchLosses(losses: number, { planned, name, ...about }: GatePlan & { name: string }): Watch {
  let [cases, lost, passing] = [0, 0, 0];
  return {
    add({ difference, from, gapped }) {
      cases += 1;
      const isGraded = !Number.isNaN(difference);
      if (isGraded) passing += from?.mean ?? 0;
      if (difference === -1) lost += 1;
      if (isGraded || gapped === null || gapped.lost === null) return;
      passing += 1;
      lost += 1;
    },
    end: () => {},
    basis: () => ({
      ...openBasis,
      counted: lost > losses ? "regression" : "pass",
      atFloor: () => (cases >= planned && passing < 0.5 ? floorOf({ ...about, metric: name }, null) : null),
      unseen: () => (cases < planned ? notSent(cases, planned - cases) : null),
    }),
    share: () => (lost > losses ? 1 : Math.min(1, cases / Math.max(1, planned))),
  };
}
