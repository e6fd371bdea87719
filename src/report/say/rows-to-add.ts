import type { GateAdvice } from "../../compare/verdict/facts.ts";
import { yamlText } from "../text/yaml-text.ts";
import { unitWords } from "./causes.ts";
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
 * Rows in all that are advised, of those that ask the same one: with none that changed the fewest with which the look after this one can
 * pass, else the number by which a gate is mostly decided if they go on to change so often. Null: no number that anybody would write.
 */
export function rowsInAll(settle: GateAdvice, of: CountedRows): number | null {
  const least = fewestOfUnchanged(settle, of);
  if (least !== null) return least;
  const have = countedRows(of);
  // The sum of both is what a reader checks.
  return settle.kind === "cases" ? have + roughly(Math.max(1, settle.cases - have)) : null;
}

function fewestOfUnchanged(settle: GateAdvice, of: CountedRows): number | null {
  const isOfRows = settle.kind === "cases" || settle.kind === "too many" || isOfCases(settle);
  return of.changed === 0 && isOfRows ? fewestInAll(settle, countedRows(of)) : null;
}

/**
 * `Add 83 rows (103 in all, enough to say PASS if none newly fails)`, and of rows that changed `Add 390 rows (450 in all)`. Where rows
 * ask the same `Add 99 rows that ask something else (103 different questions in all ...)`. Null: there is no number.
 */
export function addRowsWords(settle: GateAdvice, of: CountedRows): string | null {
  const all = rowsInAll(settle, of);
  if (all === null) return null;
  const added = all - countedRows(of);
  const [asking, noun] =
    of.questions === null ? ["", ""] : [` that ${added === 1 ? "asks" : "ask"} something else`, " different questions"];
  const add = `add ${counted(added, "row")}${asking} (${number(all)}${noun}`;
  const most = settle.next?.most ?? Infinity;
  const bound = all > most ? `; the two looks of the suite hold for ${number(most)} at most` : "";
  if (fewestOfUnchanged(settle, of) !== null) return `${add} in all, enough to say PASS if none newly fails${bound})`;
  const groups = settle.kind !== "cases" || settle.groups === null ? "" : ` in ${unitWords(settle.groups)}`;
  return `${add}${groups} in all${bound})`;
}

/** Rows that stand for themselves are added one by one. */
const isOfCases = (settle: GateAdvice): boolean => settle.kind === "clusters" && settle.of.kind === "rows";

/** `put \`repeats: 3\` and \`gates: [{ metric: correct, losses: 0 }]\` into tandem.yaml`: a gate that counts rows, where a reader pastes it. */
export function countRowsWords(metric: string, { repeats, file }: { repeats: number | null; file: string }): string {
  const often = repeats === null ? "" : `\`repeats: ${repeats}\` and `;
  return `put ${often}\`gates: [{ metric: ${yamlText(metric)}, losses: 0 }]\` into ${suiteWords(file)}`;
}

/** The suite's file as it is typed; `SUITE` stands for one that is not known. */
export const suiteWords = (file: string): string => (file === "SUITE" ? "the suite" : file);
