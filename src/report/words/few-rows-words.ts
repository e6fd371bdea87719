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

/** The cases of a gate, as more of them are counted. */
interface CountedRows {
  cases: number;
  /** Those that got worse or better. */
  changed: number;
  /** Different questions among the cases, where some are asked more than once; else null. */
  questions: number | null;
}

/** Rows that ask the same count as one. */
export const countedRows = ({ cases, questions }: Pick<CountedRows, "cases" | "questions">): number =>
  questions ?? cases;

/**
 * `Add 83 rows (103 in all, enough to say PASS if none newly fails)`, and of rows that changed `Add 390 rows (450 in all)`: the
 * number by which a gate is mostly decided if they go on to change so often. Where rows ask the same `Add 99 rows that ask something
 * else (103 different questions in all ...)`. Null: no number that anybody would write.
 */
export function addRowsWords(settle: GateAdvice, of: CountedRows): string | null {
  const have = countedRows(of);
  const rows = (added: number): string =>
    of.questions === null
      ? counted(added, "row")
      : `${counted(added, "row")} that ${added === 1 ? "asks" : "ask"} something else`;
  const all = (sum: number): string => `${number(sum)}${of.questions === null ? "" : " different questions"}`;
  const least = fewestInAll(settle, have);
  const isOfRows = settle.kind === "cases" || settle.kind === "too many" || isOfCases(settle);
  if (of.changed === 0 && least !== null && isOfRows)
    return `add ${rows(least - have)} (${all(least)} in all, enough to say PASS if none newly fails)`;
  if (settle.kind !== "cases") return null;
  // The sum of both is what a reader checks.
  const added = roughly(Math.max(1, settle.cases - have));
  const groups = settle.groups === null ? "" : ` in ${settle.groups}`;
  return `add ${rows(added)} (${all(have + added)}${groups} in all)`;
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
