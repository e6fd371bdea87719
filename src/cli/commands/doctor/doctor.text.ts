import type { Check } from "../../../app/doctor/check.ts";
import { paint } from "../../../report/terminal/paint.ts";
import type { FirstCall } from "../../../app/doctor/first-call.ts";
import { duration } from "../../../report/words/quantity.ts";
import { visible } from "../../../report/text/visible.ts";
import { displayWidth, pad } from "../../../report/text/width.ts";

/** A first call as a person reads it: what was asked, and what came. */
export function firstCallText({ method, url, status, outcome, error, milliseconds, answer, reply }: FirstCall): string {
  const took = milliseconds === null ? "" : ` in ${duration(milliseconds)}`;
  const came = status === null ? outcome : `HTTP ${status}${took}`;
  return [
    `${method} ${visible(url)}: ${came}`,
    ...(error === null ? [] : [visible(error)]),
    ...(reply === null ? [] : ["", "The reply begins:", `  ${visible(reply)}`]),
    "",
    answer === null ? "No answer was found." : `The answer is: ${visible(answer.slice(0, 300))}`,
  ].join("\n");
}

/** The lines of a suite that ask an endpoint as the first call did. */
export function suiteLines({ answer }: FirstCall, suite: string): string {
  const about =
    answer === null
      ? "A beginning of a suite; say what is sent (--body), and where the answer is:"
      : "Lines of a suite that ask it so:";
  const lines = suite.trimEnd().split("\n");
  return [about, "", ...lines.map((line) => `  ${visible(line)}`)].join("\n");
}

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
