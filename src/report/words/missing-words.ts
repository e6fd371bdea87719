import { counted } from "./quantity.ts";

const beginning = "Among those answered: ";

/** `Among those answered: +2.6 points (-1.1 to +6.2), in 39 cases; 20 runs brought no answer.` */
export function missingWords(runs: number, by: string): string {
  return `${beginning}${by}; ${counted(runs, "run")} brought no answer.`;
}

/** The line of this among the details of a gate; null where no answer is missing. */
export function missingLineOf(details: readonly string[]): string | null {
  return details.find((line) => line.startsWith(beginning)) ?? null;
}
