import type { DifferentCase } from "../compare/candidate-tally.ts";
import type { ShownSide } from "../compare/shown-side.ts";
import type { Comparison } from "../compare/comparison.ts";
import { excerpts } from "./excerpt.ts";
import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";
import { displayWidth, fit, pad } from "./width.ts";

/** Lines that one case takes. */
export const linesPerCase = 3;

/**
 * The most different cases of all candidates, the first of each before the second of any: what changed, and both
 * answers under each other from where they begin to differ.
 */
export function differentLines(comparison: Comparison, most: number, width: number, paint: Paint): string[] {
  const cases = inTurn(comparison).slice(0, most);
  const names = cases.flatMap(({ baseline, candidate }) => [baseline, candidate]).map(visible);
  const label = Math.min(24, Math.max(0, ...names.map(displayWidth)));
  return cases.flatMap(({ baseline, candidate, different }) => {
    const room = width - label - 6;
    const [one, other] = excerpts(shownAnswer(different.baseline), shownAnswer(different.candidate), room);
    const key = fit(visible(different.key), Math.floor(width / 2));
    const change = fit(changeOf(different), width - displayWidth(key) - 4);
    return [
      `  ${paint("bold", key)}  ${paint("yellow", change)}`,
      `    ${paint("cyan", pad(fit(visible(baseline), label), label))}  ${one}`,
      `    ${paint("magenta", pad(fit(visible(candidate), label), label))}  ${other}`,
    ];
  });
}

/** How many cases there are to show. */
export function differentCount(comparison: Comparison): number {
  return comparison.candidates.reduce((sum, { mostDifferent }) => sum + mostDifferent.length, 0);
}

function inTurn({ candidates }: Comparison): { baseline: string; candidate: string; different: DifferentCase }[] {
  const longest = Math.max(0, ...candidates.map(({ mostDifferent }) => mostDifferent.length));
  return Array.from({ length: longest }, (_, place) => place).flatMap((place) =>
    candidates.flatMap(({ baseline, candidate, mostDifferent }) => {
      const different = mostDifferent[place];
      return different === undefined ? [] : [{ baseline, candidate, different }];
    }),
  );
}

function changeOf({ baseline, candidate, change, distance, outcomeDiffers }: DifferentCase): string {
  const changes: string[] = [];
  if (change !== "differs" && change !== "changed") changes.push(change.replaceAll("-", " "));
  if (outcomeDiffers) changes.push(`${baseline.outcome} -> ${candidate.outcome}`);
  if (baseline.expectedFound !== null && candidate.expectedFound !== null) {
    if (baseline.expectedFound && !candidate.expectedFound) changes.push("expected text found -> not found");
    if (!baseline.expectedFound && candidate.expectedFound) changes.push("expected text not found -> found");
  }
  if (distance !== null) changes.push(`distance ${distance.toFixed(2)}`);
  return visible(changes.length === 0 ? "the answers differ" : changes.join(", "));
}

function shownAnswer({ answer, error, outcome }: ShownSide): string {
  if (answer !== null) return answer.trim() === "" ? "(blank)" : visible(answer.trim());
  return error === null ? `(${visible(outcome)})` : `(${visible(outcome)}: ${visible(error.trim())})`;
}
