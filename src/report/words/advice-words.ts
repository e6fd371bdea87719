import type { GateAdvice, GateResult, MarginGateResult, SettlingAdvice } from "../../compare/summary/gate-result.ts";
import { loss, type ShownMeasure } from "./figures.ts";
import { counted, number, roughly } from "./quantity.ts";

/** Words what would settle a gate, or why there is no answer; null when there is nothing to add. */
export function adviceWords(gate: GateResult, cases: number, metric: ShownMeasure): string | null {
  if (gate.kind === "losses") return gate.reason;
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
    fewest === null ? "" : ` A PASS takes at least ${number(fewest)} cases with a limit of ${loss(margin, metric)}.`;
  return `To decide it: ${words.join("; ")}.${least}`;
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
    case "too many": {
      const { wider } = settle;
      const enough =
        wider === null
          ? ""
          : `; ${number(roughly(wider.cases))} cases are enough for a limit of ${loss(wider.margin, metric)}`;
      const needs =
        settle.cases === null
          ? `more cases hardly would, the loss is so close to the limit of ${loss(margin, metric)}`
          : `${number(roughly(settle.cases))} cases for a limit of ${loss(margin, metric)}`;
      return `${needs}${enough}`;
    }
    case "unknown":
      return "more cases";
  }
}

function insteadWords(instead: readonly string[]): string {
  const named = instead.map((of) => `\`of: ${of}\``).join(" or ");
  return `compare by ${named}, which a few large values move less`;
}
