import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { counted } from "./quantity.ts";
import type { LossTeller } from "./figures.ts";

/** Words and figures of one kind of gate, wherever it is shown. */
export interface KindWords {
  /** The claim in front of its evidence, where that is not about better or worse; left out or undefined: it is. */
  claim?: (claim: Claim, where: string) => string | undefined;
  /** Behind both sides, in one line: the difference or what is counted, how sure, in how many cases. */
  figures: (gate: ReportGate, metric: ReportMetric) => string;
  /** The bound or the count that decides, beside the limit; null where nothing decides by one. */
  bound: (gate: ReportGate, metric: ReportMetric) => string | null;
  /** Behind its name in a table: ` (limit 5 points)`. */
  limit: (gate: ReportGate, metric: ReportMetric) => string;
  /** The figures behind a claim in front of both sides (`sides`), without statistics. */
  evidence: (claim: Claim, sides: string) => string;
  /** The loss that it lets pass, and whether there was one. */
  allows: (gate: ReportGate) => { loss: number; wasLost: boolean };
  /** The count that it decides by, and of cases that newly fail their number; null: a picture of its interval tells more. */
  failing: (gate: ReportGate) => { cases: number | null; words: string } | null;
}

/** The parts of a gate's claim that a reader needs: who, with whom, and if every loss is of a case that passed before. */
export interface Claim {
  gate: ReportGate;
  about: ReportMetric;
  baseline: string;
  /** Every case that got worse passed in all runs before and fails in all now. */
  flipped: boolean;
  /** Number of tries of a case by the target of the pair that was asked most often. */
  tries: number;
  say: LossTeller;
}

/** `120 cases`; where cases belong together `120 cases in 40 conversations`; where some ask the same `60 cases with 4 different questions`. */
export function sizeWords({ cases, groups, questions }: ReportGate): string {
  const all = counted(cases, "case");
  if (groups !== null) return `${all} in ${groups}`;
  return questions === undefined ? all : `${all} with ${counted(questions, "different question")}`;
}
