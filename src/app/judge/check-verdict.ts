import { alarmWords, findingWords } from "./finding-words.ts";
import { type ProbeName, probeNames } from "../../score/probes/probe-plan.ts";
import type { BiasFinding } from "./bias-findings.ts";

/** The verdict on a judge, in one word and in a sentence. */
export interface JudgeVerdictOfCheck {
  state: "fit" | "alarm" | "inconclusive";
  /** `fit to use`, `alarm: prefers the answer shown first`, `not enough cases: order`. */
  verdict: string;
}

/** An alarm counts before what cannot be told, and that before all that is fine. */
export function checkVerdict(
  findings: readonly BiasFinding[],
  probes: readonly ProbeName[] = probeNames,
): JudgeVerdictOfCheck {
  const of = (state: BiasFinding["state"]): BiasFinding[] => findings.filter((finding) => finding.state === state);
  const alarms = Array.from(new Set(of("alarm").map(alarmWords)));
  if (alarms.length > 0) return { state: "alarm", verdict: `alarm: ${listed(alarms)}` };
  const unsure = of("inconclusive");
  if (unsure.some(({ probe }) => probe === "replies"))
    return { state: "inconclusive", verdict: "too few replies to tell" };
  if (unsure.length > 0) {
    const names = Array.from(new Set(unsure.map((finding) => findingWords(finding).title.toLowerCase())));
    return { state: "inconclusive", verdict: `not enough cases: ${listed(names)}` };
  }
  if (of("fine").length === 0) return { state: "inconclusive", verdict: "nothing could be tested" };
  const tried = probes.length < probeNames.length ? `, as far as it was tried: ${probes.join(", ")}` : "";
  return { state: "fit", verdict: `fit to use${tried}` };
}

const mostListed = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).join(", ");
  return names.length > mostListed ? `${shown} and ${names.length - mostListed} more` : shown;
}
