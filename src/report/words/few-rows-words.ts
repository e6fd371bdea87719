import type { GateAdvice } from "../../compare/summary/gate-shapes.ts";
import { yamlText } from "../text/yaml-text.ts";
import { counted, number, roughly } from "./quantity.ts";

/** Rows that a PASS takes at least, with none that newly fails: in this run, and in all where some are added after it. */
export interface RowsToPass {
  first: number;
  /** Null: rows that are added later have no look of their own. */
  added: number | null;
}

/** `59 are enough to say PASS, or 103 in all if you add rows after this run`: every place that names a number of rows before a run has it from here. */
export function enoughToPassWords({ first, added }: RowsToPass, size = ""): string {
  const enough = `${number(first)}${size} are enough to say PASS`;
  return added === null || added <= first
    ? enough
    : `${enough}, or ${number(added)} in all if you add rows after this run`;
}

/** The fewest rows in all with which the look after this one can pass; null: not known, or there are as many. */
export function fewestInAll(
  { next, fewestToPass }: Pick<GateAdvice, "next" | "fewestToPass">,
  cases: number,
): number | null {
  const least = next === undefined ? fewestToPass : next.fewestToPass;
  return least === null || least <= cases ? null : least;
}

/**
 * `Add 83 rows (103 in all, enough to say PASS if none newly fails)`, and of rows that changed `Add 390 rows (450 in all)`: the
 * number by which a gate is mostly decided if they go on to change so often. Null: no number that anybody would write.
 */
export function addRowsWords(
  settle: GateAdvice,
  { cases, changed }: { cases: number; changed: number },
): string | null {
  const least = fewestInAll(settle, cases);
  const isOfRows = settle.kind === "cases" || settle.kind === "too many" || isOfCases(settle);
  const isUnchanged = changed === 0 && least !== null && isOfRows;
  if (isUnchanged) {
    return `add ${counted(least - cases, "row")} (${number(least)} in all, enough to say PASS if none newly fails)`;
  }
  if (settle.kind !== "cases") return null;
  // The sum of both is what a reader checks.
  const added = roughly(Math.max(1, settle.cases - cases));
  const groups = settle.groups === null ? "" : ` in ${settle.groups}`;
  return `add ${counted(added, "row")} (${number(cases + added)}${groups} in all)`;
}

/** Rows that stand for themselves are added one by one. */
const isOfCases = (settle: GateAdvice): boolean => settle.kind === "clusters" && settle.noun === "cases";

/** `put \`repeats: 3\` and \`gates: [{ metric: correct, losses: 0 }]\` into tandem.yaml`: a gate that counts rows, where a reader pastes it. */
export function countRowsWords(metric: string, { repeats, file }: { repeats: number | null; file: string }): string {
  const often = repeats === null ? "" : `\`repeats: ${repeats}\` and `;
  return `put ${often}\`gates: [{ metric: ${yamlText(metric)}, losses: 0 }]\` into ${suiteWords(file)}`;
}

/** The suite's file as it is typed; `SUITE` stands for one that is not known. */
export const suiteWords = (file: string): string => (file === "SUITE" ? "the suite" : file);
