import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";
import type { Command } from "./command.ts";

/** Refuses values of flags that take a number and are none, as they were typed: yargs would hand over NaN. Throws USAGE. */
export function checkNumbers(args: readonly string[], { flags }: Command): void {
  const end = args.indexOf("--");
  const words = end === -1 ? args : args.slice(0, end);
  for (const [name, { type, alias }] of Object.entries(flags)) {
    if (type !== "number") continue;
    const names = [name, ...[alias ?? []].flat()].map((each) => (each.length === 1 ? `-${each}` : `--${each}`));
    for (const [place, word] of words.entries()) {
      const typed = typedValue(word, words[place + 1], names);
      if (typed === null || (typed.trim() !== "" && Number.isFinite(Number(typed)))) continue;
      throw new AppError("USAGE", `--${name} takes a number; got ${typed === "" ? "nothing" : showText(typed)}.`);
    }
  }
}

/** The value that a word gives to a flag, in itself (`--limit=4`, `-j4`) or by the word behind it; null: it gives none. */
function typedValue(word: string, next: string | undefined, names: readonly string[]): string | null {
  for (const name of names) {
    if (word === name) return next ?? "";
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (name.length === 2 && word.startsWith(name)) return word.slice(name.length);
  }
  return null;
}
