import { quantile } from "../../stats/quantile.ts";
import { type Proposal, scorerArgument } from "../../score/proposal/proposal.ts";
import { number } from "../../report/words/quantity.ts";

/** A proposal with its scores of stored answers. */
export interface TriedProposal {
  proposal: Proposal;
  values: number[];
  passes: number;
  /** The most runs of one case. */
  repeats: number;
}

/** With fewer passes a metric stands at its floor: a drop by the margin of a gate (5 points) cannot be seen. */
const floor = 0.05;
/** Where half of the answers hold a whole expected sentence, it was copied from what the bot says. */
const copied = 0.5;
/** A threshold that nearly all runs of the baseline reach leaves room for a drop. */
const reached = 0.95;

/** The proposal to take, the best by form unless the stored answers speak for another; and what they say, as sentences. */
export function chooseProposal(
  tried: readonly TriedProposal[],
  target: string,
): { proposal: Proposal; told: string[] } | null {
  const [first, second = null] = tried;
  if (first === undefined) return null;
  if (second === null || first.values.length === 0) return alone(first, target);
  if (measures(first)) {
    if (shareOf(second) >= copied) return alone(second, target);
    return { proposal: first.proposal, told: [passesText(second, target), ...thresholdText(first, target)] };
  }
  if (shareOf(first) >= floor) return alone(first, target);
  if (measures(second)) {
    return { proposal: second.proposal, told: [passesText(first, target), ...thresholdText(second, target)] };
  }
  return alone(shareOf(second) >= floor ? second : first, target);
}

/** The proposal itself, with what is said of it. */
function alone(tried: TriedProposal, target: string): { proposal: Proposal; told: string[] } {
  const { proposal, values } = tried;
  if (values.length === 0 || measures(tried)) return { proposal, told: thresholdText(tried, target) };
  const low = "With so few a loss cannot be seen: look at some answers first.";
  return { proposal, told: [passesText(tried, target), ...(shareOf(tried) < floor ? [low] : [])] };
}

const measures = ({ proposal }: TriedProposal): boolean => proposal.name === "similar";

const shareOf = ({ passes, values }: TriedProposal): number => (values.length === 0 ? 0 : passes / values.length);

function passesText({ proposal, passes, values }: TriedProposal, target: string): string {
  const runs = values.length === 1 ? "run" : "runs";
  return `${scorerArgument(proposal)} passes in ${number(passes)} of ${number(values.length)} ${runs} of ${target}.`;
}

/** A threshold that is measured: where cases ran several times, their own scatter is in it. */
function thresholdText({ proposal, values, repeats }: TriedProposal, target: string): string[] {
  const lowest = quantile(
    values.toSorted((a, b) => a - b),
    1 - reached,
  );
  const least = Math.floor(lowest ?? 0);
  if (repeats < 2 || least <= 0) return [];
  const { type } = proposal;
  const scorer = scorerArgument({ type, keys: `threshold: ${least}` });
  return [`To say pass or fail: ${scorer}, which 95 % of ${number(values.length)} runs of ${target} reach.`];
}
