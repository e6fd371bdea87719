import type { SecondLookCause } from "../cause.ts";
import type { ComparedFigures } from "../metrics/figures.ts";
import type { GateAbout, GateFacts } from "../verdict/facts.ts";
import type { GateState } from "../verdict-word.ts";
import type { Integer } from "../../lib/integer.ts";

/** The outcome of asking the cases of a regression once more. */
export interface Confirmation {
  /** The reason why the second look does not count, so that the first one stands; null: it does. */
  unfinished: SecondLookCause | null;
  /** The gates that called a regression at first and were to be asked again. */
  gates: ConfirmedGate[];
}

/** A gate by each look; null where there was none that counts. */
export interface ConfirmedGate extends Omit<GateAbout, "confirm"> {
  kind: GateFacts["kind"];
  /** By the rule of two looks. */
  state: GateState;
  first: LookFigures;
  second: LookFigures | null;
  together: LookFigures | null;
}

/** The figures of the cases of a gate by the runs of one look, or by all. */
export interface LookFigures extends ComparedFigures {
  /** State of the gate by these alone. */
  state: GateState;
  /** Cases that turned from pass to fail in all their runs; null where a margin decides. */
  lost: Integer | null;
}
