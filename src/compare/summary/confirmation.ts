import type { GateAbout, GateResult } from "./gate-shapes.ts";
import type { GateState } from "../verdict-word.ts";

/** The outcome of asking the cases of a regression once more. */
export interface Confirmation {
  /** The reason why the second look does not count, so that the first one stands; null: it does. */
  unfinished: string | null;
  /** The gates that called a regression at first and were to be asked again. */
  gates: ConfirmedGate[];
}

/** A gate by each look; null where there was none that counts. */
export interface ConfirmedGate extends Omit<GateAbout, "confirm"> {
  kind: GateResult["kind"];
  /** By the rule of two looks. */
  state: GateState;
  first: LookFigures;
  second: LookFigures | null;
  together: LookFigures | null;
}

/** The figures of the cases of a gate by the runs of one look, or by all. */
export interface LookFigures {
  /** State of the gate by these alone. */
  state: GateState;
  /**
   * Cases with a score on both sides.
   * @asType integer
   */
  cases: number;
  /** Mean or rate of the baseline, or its median where these are compared. */
  baseline: number | null;
  candidate: number | null;
  /**
   * Cases that got worse.
   * @asType integer
   */
  worse: number;
  /**
   * Cases that got better.
   * @asType integer
   */
  better: number;
  /**
   * Cases that turned from pass to fail in all their runs; null where a margin decides.
   * @asType integer
   */
  lost: number | null;
}
