import type { Inference } from "../../stats/paired/inference.ts";
import type { PairedCounts } from "../../stats/paired/mcnemar.ts";
import type { PairedComparison } from "../../stats/paired/paired-comparison.ts";
import type { DecidedByLosses, GateAbout, SliceFigures } from "./gate-result.ts";
import type { NoiseSummary } from "./metric-noise.ts";

/** Question of a gate, with the numbers that it decides by. */
export type GateQuestion = MarginQuestion | LossesQuestion;

interface Asked extends GateAbout {
  /** Figures of the slice; null where the gate is about all cases. */
  figures: SliceFigures | null;
  /** The reason why nothing may be decided; null when something may. */
  invalid: string | null;
  /** The reason why nothing is claimed, although it is valid: the cases were chosen by what was seen in them; null: they were not. */
  chosen: string | null;
}

export interface MarginQuestion extends Asked {
  kind: "margin";
  /** As it is written. */
  margin: number;
  /** A margin as the statistics take it: of a ratio the logarithm. */
  lossOf: (margin: number) => number;
  /** Null without a case. */
  inferred: Inferred | null;
  noise: NoiseSummary | null;
  /** The baseline was run before and stays as it is. */
  fixedBaseline: boolean;
  /** The column by which cases belong together; null: they are turns of a conversation, or each its own. */
  clusterColumn: string | null;
  /** Room of the baseline to fall; null: there is no end. */
  room: number | null;
  /** Why a metric without room says nothing of these cases, as far as it is known. */
  floorCause: string | null;
  /** Other ways to compare the score, where it has no bounds. */
  instead: ("median" | "ratio")[];
  /** Values of the tag that this gate asks one by one: they share the weight of one gate. */
  values: number;
  /** Null: it was looked at once, when all cases were in. */
  looked: LookedAt | null;
  /** The most that a case can differ by; null: there is no end. */
  range: number | null;
}

/** A gate that was looked at after each case, so that the run could stop when it was decided. */
export interface LookedAt {
  /** Cases that it would have in the end. */
  planned: number;
  /** Cases that a pass takes with none worse. */
  fewest: number;
}

/** A difference with the rule that judges it. */
export interface Inferred {
  comparison: PairedComparison;
  inference: Inference;
  counts: PairedCounts | null;
}

export interface LossesQuestion extends Asked {
  kind: "losses";
  losses: number;
  counted: DecidedByLosses;
  /** Cases that the baseline passes in all its runs: the others cannot be lost. */
  passing: number;
  /** Cases of the plan that were not looked at, because the run stopped when it was decided. */
  left: number;
  floorCause: string | null;
}

/** Levels at which gates decide. Where alpha is spent over nights a pass keeps the whole of it: what is spent are false alarms. */
export interface GateLevels {
  alpha: number;
  passAlpha: number;
}
