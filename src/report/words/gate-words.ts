import { sidesFigures } from "./figures.ts";
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
 * The figures of a gate in plain words and signs: both sides, the difference, how sure, in how many cases, by which test.
 * `81 % -> 74 % (-7.1 points, 95 % range -11.1 to -3.2, p 0.003; 120 cases in 40 conversations, cluster-robust t); 14
 * cases got worse, 5 better`. A gate on losses counts them instead.
 */
export function gateFigures(gate: ReportGate, metric: ReportMetric): string {
  const { baseline, now } = gate;
  const isGraded = baseline !== null && now !== null;
  if (!isGraded && gate.losses === null) return "no case has a score on both sides";
  const sides = isGraded ? sidesFigures(gate, metric).join(" -> ") : "no case has a score on both sides";
  return `${sides}${gateKindWords(gate).figures(gate, metric)}`.replaceAll("−", "-");
}

/**
 * `a loss of at most 1 point; limit 5 points`, `a gain of at least 12.4 points; limit 5 points`: what is left when chance is
 * taken into account, by the bound that decides, beside the limit; null where nothing decides by one.
 */
export function boundAndLimit(gate: ReportGate, metric: ReportMetric): string | null {
  if (gate.state === null || gate.state === "invalid") return null;
  return gateKindWords(gate).bound(gate, metric);
}

/** The same with what would settle it: a gate in one line. */
export function gateWords(gate: ReportGate, metrics: readonly ReportMetric[]): string {
  const metric = metrics.find(({ name }) => name === gate.metric);
  if (metric === undefined) return gate.method;
  const figures = gateFigures(gate, metric);
  return gate.advice === null ? figures : `${figures}; ${gate.advice}`;
}
