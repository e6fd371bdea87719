import type { Check } from "../../../app/check.ts";
import { paint } from "../../../report/terminal/paint.ts";
import { visible } from "../../../report/text/visible.ts";
import { displayWidth, pad } from "../../../report/text/width.ts";

/** The checks as a table, with the advice below whatever is not well. */
export function checkLines(checks: Check[], colored: boolean): string[] {
  const color = paint(colored);
  const width = Math.max(...checks.map(({ about }) => displayWidth(about)));
  return checks.flatMap(({ about, state, found, advice }) => {
    const word = state.padEnd("warning".length);
    const shown = state === "failed" ? color("red", word) : state === "warning" ? color("yellow", word) : word;
    // A list of faults keeps its lines.
    const [first = "", ...more] = found.split("\n").map((line) => visible(line));
    const indent = " ".repeat("warning".length + width + 4);
    const hint = state === "ok" || advice === null ? [] : [`${indent}${color("dim", visible(advice))}`];
    return [`${shown}  ${pad(about, width)}  ${first}`, ...more.map((line) => indent + line), ...hint];
  });
}
