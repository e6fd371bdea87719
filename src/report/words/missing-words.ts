import { counted } from "./quantity.ts";

const beginning = "Without the ";

/** `Without the 20 runs that brought no answer: +2.6 points (-1.1 to +6.2), in 39 cases.` */
export function missingWords(runs: number, by: string): string {
  return `${beginning}${counted(runs, "run")} that brought no answer: ${by}.`;
}

/** The line of this among the details of a gate; null where no answer is missing. */
export function missingLineOf(details: readonly string[]): string | null {
  return details.find((line) => line.startsWith(beginning)) ?? null;
}
