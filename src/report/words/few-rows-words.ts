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

interface SettledCases {
  cases: number;
  changed: number;
}

/**
 * Rows in all that are advised: with none that changed the fewest with which the look after this one can pass, else the number by which a
 * gate is mostly decided if they go on to change so often. Null: no number that anybody would write.
 */
export function rowsInAll(settle: GateAdvice, { cases, changed }: SettledCases): number | null {
  const least = fewestOfUnchanged(settle, { cases, changed });
  if (least !== null) return least;
  // The sum of both is what a reader checks.
  return settle.kind === "cases" ? cases + roughly(Math.max(1, settle.cases - cases)) : null;
}

function fewestOfUnchanged(settle: GateAdvice, { cases, changed }: SettledCases): number | null {
  const isOfRows = settle.kind === "cases" || settle.kind === "too many" || isOfCases(settle);
  return changed === 0 && isOfRows ? fewestInAll(settle, cases) : null;
}

/** `Add 83 rows (103 in all, enough to say PASS if none newly fails)`, and of rows that changed `Add 390 rows (450 in all)`. Null: there is no number. */
export function addRowsWords(settle: GateAdvice, of: SettledCases): string | null {
  const all = rowsInAll(settle, of);
  if (all === null) return null;
  const add = `add ${counted(all - of.cases, "row")}`;
  const most = settle.next?.most ?? Infinity;
  const bound = all > most ? `; the two looks of the suite hold for ${number(most)} at most` : "";
  if (fewestOfUnchanged(settle, of) !== null) {
    return `${add} (${number(all)} in all, enough to say PASS if none newly fails${bound})`;
  }
  const groups = settle.kind !== "cases" || settle.groups === null ? "" : ` in ${settle.groups}`;
  return `${add} (${number(all)}${groups} in all${bound})`;
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
