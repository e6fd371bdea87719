import type { GateAdvice, MarginGateResult, SettlingAdvice } from "../../compare/summary/gate-shapes.ts";
import { loss, type ShownMeasure } from "./figures.ts";
import { counted, number, roughly } from "./quantity.ts";

/** Words what would settle a gate, or why there is no answer; null when there is nothing to add. */
export function adviceWords(gate: MarginGateResult, cases: number, metric: ShownMeasure): string | null {
  if (gate.settle === null) return gate.reason;
  if (gate.tooFew) return tooFewWords(gate, gate.settle, { cases, metric });
  const { settle, margin, reason } = gate;
  const fewest = settle.fewestToPass;
  const words = [
    settlingWords(settle, { cases, margin, metric }),
    ...(settle.instead.length === 0 ? [] : [insteadWords(settle.instead)]),
    ...(gate.decided?.stricter === null || reason === null ? [] : [reason]),
  ];
  const least =
    fewest === null || settle.kind === "too many"
      ? ""
      : ` A PASS takes at least ${number(fewest)} cases with a limit of ${loss(margin, metric)}.`;
  return `${headWords(settle, cases)}: ${words.join("; ")}.${least}`;
}

/** Advice that nobody could follow is none: it is said that these cases do not decide. */
function headWords(settle: SettlingAdvice, cases: number): string {
  if (settle.kind !== "too many" || settle.repeats !== null) return "To decide it";
  if (settle.cases === null) return "More cases would hardly decide it";
  return `${cases === 1 ? "This case" : `These ${counted(cases, "case")}`} cannot decide it`;
}

function tooFewWords(
  { margin }: MarginGateResult,
  settle: GateAdvice,
  { cases, metric }: { cases: number; metric: ShownMeasure },
): string {
  const { fewestToPass } = settle;
  const needs =
    fewestToPass !== null
      ? `a pass takes ${number(fewestToPass)} with none worse, with a limit of ${loss(margin, metric)}`
      : settle.kind === "clusters"
        ? `it takes ${settle.least} ${settle.noun}`
        : "it takes more";
  return `Too few cases: ${number(cases)}; ${needs}. The verdict does not wait for it.`;
}

interface Size {
  cases: number;
  margin: number;
  metric: ShownMeasure;
}

function settlingWords(settle: SettlingAdvice, { cases, margin, metric }: Size): string {
  switch (settle.kind) {
    case "clusters": {
      const better = settle.better === null ? "" : `, and ${settle.better} for a short interval`;
      return `more ${settle.noun}: at least ${settle.least}${better}`;
    }
    case "cases": {
      // The sum of both is what a reader checks.
      const added = roughly(Math.max(1, settle.cases - cases));
      const groups = settle.groups === null ? "" : ` in ${settle.groups}`;
      const more = `${number(added)} more cases (${number(cases + added)}${groups} in all)`;
      return settle.repeats === null
        ? more
        : `${more}, or ${settle.repeats} runs of each of these ${counted(cases, "case")}`;
    }
    case "too many":
      return tooManyWords(settle, { cases, margin, metric });
    case "unknown":
      return "more cases";
  }
}

function tooManyWords(
  { cases: needed, repeats, wider }: Extract<SettlingAdvice, { kind: "too many" }>,
  { cases, margin, metric }: Size,
): string {
  const limit = `a limit of ${loss(margin, metric)}`;
  if (repeats !== null) return `${repeats} runs of each of these ${counted(cases, "case")}`;
  const why =
    needed === null
      ? `the loss is so close to the limit of ${loss(margin, metric)}`
      : `for ${limit} it takes about ${number(roughly(needed))}`;
  if (wider === null) return `${why}; go by the rows that changed`;
  return `${why}; for a limit of ${loss(wider.margin, metric)} ${number(roughly(wider.cases))} are enough`;
}

function insteadWords(instead: readonly string[]): string {
  const named = instead.map((of) => `\`of: ${of}\``).join(" or ");
  return `compare by ${named}, which a few large values move less`;
}
