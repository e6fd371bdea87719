import type { RandomStream } from "../../../src/lib/random.ts";
import { aCase, candidate, passing, prod, unfinished } from "../../compare/case-result.ts";
import { statesOf } from "./drawn-gates.ts";
import { pairedCases } from "./missing-answers.ts";
import { nominal, type Situation } from "./situation.ts";

/** A run that is graded as a pass or a fail, or that nothing graded. */
type Grade = 1 | 0 | "gap";

const gates = passing();

/** The states of the gate where gaps count as fails of their side before a pass, and where they only leave. */
function statesFrom(ends: readonly (readonly [Grade, Grade])[], seed: string) {
  const results = ends.map(([from, to], at) =>
    aCase(`k${at}`, [jobOf(prod, from), jobOf(candidate, to)], { caseId: at + 1 }),
  );
  const { paired: found } = pairedCases(results, gates);
  const without = { ...found, metrics: found.metrics.map((numbers) => ({ ...numbers, gaps: null })) };
  const stateOf = (given: typeof found) => statesOf(gates, given, seed)[0]?.state;
  return { ruled: stateOf(found), leaving: stateOf(without) };
}

function jobOf(target: typeof prod, grade: Grade) {
  const score = grade === "gap" ? null : grade;
  const scores = [
    { value: score, pass: score === null ? null : score === 1, reason: score === null ? "no JSON" : null },
  ];
  return unfinished(target, { outcome: "ok", answer: "answered", scores });
}

/** Counted of each draw: a pass by the rule, and one were gaps left out. */
export const ruledPass = "**gate** says pass";
export const leavingPass = "pass, were gaps left out";

const percent = (share: number): string => `${Math.round(share * 100)} %`;

interface Gaps {
  n: number;
  /** Share of the cases in which a side has a gap. */
  baseline: number;
  candidate: number;
}

type Draw = (random: RandomStream) => readonly [Grade, Grade];

function situation({ n, draw }: { n: number; draw: Draw }, about: Omit<Situation, "once">): Situation {
  return {
    ...about,
    once: (random, repetition) => {
      const ends = Array.from({ length: n }, () => draw(random));
      const { ruled, leaving } = statesFrom(ends, `gaps/${repetition}`);
      return { [leavingPass]: leaving === "pass", [ruledPass]: ruled === "pass" };
    },
  };
}

/** One case in a hundred turns over each way, and every gap is a wrong answer: what more of them the candidate has it loses. */
export function ofOneSide({ n, baseline, candidate: own }: Gaps, named?: number): Situation {
  const draw: Draw = (random) => {
    const u = random.next();
    if (u < 0.02) return u < 0.01 ? [1, 0] : [0, 1];
    if (u < 0.02 + own) return [1, "gap"];
    return u < 0.02 + own + baseline ? ["gap", 1] : [1, 1];
  };
  const others = baseline === 0 ? "" : ` and ${percent(baseline)} of the baseline's`;
  return situation(
    { n, draw },
    {
      name: `${n} cases, ${percent(own)} of the candidate's${others} answers ungraded, all of them wrong`,
      asks: "false answers when the drop is exactly the margin",
      repetitions: 4_000,
      promised: { [ruledPass]: nominal },
      ...(named !== undefined && { named: { [ruledPass]: named } }),
    },
  );
}

/** The same cases with gaps that say nothing of the answer, on both sides alike. */
function byChance(n: number, share: number): Situation {
  const gapped = (random: RandomStream, grade: Grade): Grade => (random.next() < share ? "gap" : grade);
  const draw: Draw = (random) => {
    const u = random.next();
    return [gapped(random, u < 0.01 ? 0 : 1), gapped(random, u >= 0.01 && u < 0.02 ? 0 : 1)];
  };
  return situation(
    { n, draw },
    {
      name: `${n} cases, ${percent(share)} of the answers of each side ungraded by chance`,
      asks: "how often equal bots pass",
      repetitions: n > 300 ? 500 : 2_000,
    },
  );
}

/** Gaps that are losses, and what the rule for them costs where they are none. */
export const gapSituations: readonly Situation[] = [
  ...[100, 300].flatMap((n) => [
    ofOneSide({ n, baseline: 0, candidate: 0.05 }),
    ofOneSide({ n, baseline: 0.02, candidate: 0.07 }),
  ]),
  // In one sample of thirteen the baseline has as many gaps as the candidate, so that they leave.
  ofOneSide({ n: 100, baseline: 0.05, candidate: 0.1 }, 0.08),
  ...[0.01, 0.02, 0.05].flatMap((share) => [100, 300].map((n) => byChance(n, share))),
  byChance(1_000, 0.05),
];
