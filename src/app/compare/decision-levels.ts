import type { GateLevels } from "../../compare/summary/gate-shapes.ts";
import { perNightAlpha } from "../../stats/planning/nights.ts";
import type { DecisionSettings } from "../../suite/suite.ts";

/** The levels at which the gates of a suite decide, however they are set: what is spent over nights are false alarms, a pass keeps the whole of alpha. */
export function decisionLevels({ alpha, nights }: Pick<DecisionSettings, "alpha" | "nights">): GateLevels {
  return { alpha: perNightAlpha(alpha, nights), passAlpha: alpha };
}
