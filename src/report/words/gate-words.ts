import type { ReportGate, ReportMetric } from "../shape/model.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { KindWords } from "./kind-words.ts";
import { casesWords } from "./cases-words.ts";
import { lossesWords } from "./losses-words.ts";
import { marginWords } from "./margin-words.ts";

/** Words of every kind of gate. */
const words: Record<GateKind, KindWords> = { margin: marginWords, losses: lossesWords, cases: casesWords };

/** Words of a gate. A metric without one, and a gate of which nothing is known, have those of a margin. */
export const gateKindWords = ({ kind = "margin" }: ReportGate): KindWords => words[kind];

/**
 * `a loss of at most 1 point; limit 5 points`, `a gain of at least 12.4 points; limit 5 points`: what is left when chance is
 * taken into account, by the bound that decides, beside the limit; null where nothing decides by one.
 */
export function boundAndLimit(gate: ReportGate, metric: ReportMetric): string | null {
  if (gate.state === null || gate.state === "invalid") return null;
  return gateKindWords(gate).bound(gate, metric);
}
