import type { Comparison } from "../compare/comparison.ts";
import type { GateResult } from "../compare/gates.ts";
import type { Paint } from "./paint.ts";
import { counted } from "./quantity.ts";
import { behaviourWords, gateWords } from "./verdict-words.ts";
import { visible } from "./visible.ts";
import { fit } from "./width.ts";
import { wrapped } from "./wrap.ts";

const mostGates = 6;
const mostReasons = 4;
const mostCandidates = 3;

/** The result in plain words, before any table: whether it may be believed, whether it got worse, whether it changed. */
export function verdictLines(comparison: Comparison, width: number, color: Paint): string[] {
  const { candidates, validity, gates } = comparison;
  if (candidates.length === 0) return [];
  const isValid = validity?.state === "valid";
  const lines = validity?.state === "invalid" ? invalidLines(validity.reasons, width, color) : [];
  lines.push(...gateLines(comparison, width, color));
  for (const candidate of candidates.slice(0, mostCandidates)) {
    if (isValid) lines.push(...wrapped(visible(behaviourWords(candidate.behaviour, candidate)), width));
  }
  if (isValid && gates.length === 0) lines.push(...withoutGates(comparison, width, color));
  return lines.length === 0 ? [] : [...lines, ""];
}

function invalidLines(reasons: readonly string[], width: number, color: Paint): string[] {
  const told = reasons.slice(0, mostReasons).map((reason) => fit(`  ${visible(reason)}`, width));
  if (reasons.length > mostReasons) told.push(`  and ${counted(reasons.length - mostReasons, "more reason")}`);
  return [color("red", "The comparison is invalid:"), ...told];
}

function gateLines(comparison: Comparison, width: number, color: Paint): string[] {
  // Why the comparison is invalid is said above; what can be said of other candidates all the same is said here.
  const isValid = comparison.validity?.state === "valid";
  const gates = comparison.gates.filter(({ state }) => isValid || state !== "invalid");
  const lines = gates.slice(0, mostGates).flatMap((gate) => {
    const { sentence } = gateWords(gate, comparison);
    const [first = "", ...rest] = wrapped(visible(`${gate.state.toUpperCase()}  ${sentence}`), width);
    return [painted(gate, first, color), ...rest, ...adviceLines(gate, width)];
  });
  const more = gates.length - mostGates;
  return more > 0 ? [...lines, color("dim", `and ${counted(more, "more gate")}: see --json`)] : lines;
}

function painted({ state }: GateResult, line: string, color: Paint): string {
  const name = state.toUpperCase();
  const colour = state === "regression" ? "red" : state === "pass" ? "bold" : "yellow";
  return color(colour, name) + line.slice(name.length);
}

/** An answer that is none says what would make it one. */
function adviceLines({ state, settle, reason }: GateResult, width: number): string[] {
  if (state !== "inconclusive" && state !== "invalid") return [];
  const told = [
    ...(reason === null ? [] : [reason]),
    ...(settle === null ? [] : [`What would settle it: ${settle.text}.`]),
  ];
  return told.flatMap((text) => wrapped(visible(text), width - 2).map((line) => `  ${line}`));
}

function withoutGates({ decision }: Comparison, width: number, color: Paint): string[] {
  const why = decision.notCompared[0] ?? "the suite has no scorers";
  return [color("dim", fit(`No gate decides: ${visible(why)}.`, width))];
}
