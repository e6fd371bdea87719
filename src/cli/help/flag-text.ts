import type { PositionalOptions } from "yargs";
import { type Flag, flagMeaning } from "../flag.ts";

/** The names of a flag and the word for its value: `-o, --output FILE`. */
export function flagTitle([name, { alias, value, type, choices, default: fallback }]: [string, Flag]): string {
  const letter = [alias ?? []].flat().find((each) => each.length === 1);
  const taken =
    choices === undefined
      ? type === "boolean"
        ? ""
        : (value ?? (type === "number" ? "N" : "TEXT"))
      : (value ?? "WORD");
  const title = `--${fallback === true ? "no-" : ""}${name}${taken === "" ? "" : ` ${taken}`}`;
  return letter === undefined ? `    ${title}` : `-${letter}, ${title}`;
}

/** The meaning of a flag, with the words it takes and its default. */
export function flagText(flag: Flag): string {
  const choices = flag.choices === undefined ? "" : ` (${flag.choices.join(", ")})`;
  return withDefault({ describe: `${flagMeaning(flag)}${choices}`, default: flag.default });
}

/** The meaning of an argument, with its default. */
export function withDefault({
  describe = "",
  default: fallback,
}: Pick<PositionalOptions, "describe" | "default">): string {
  const isSaid = (typeof fallback === "string" && fallback !== "") || typeof fallback === "number";
  return isSaid ? `${describe} (default: ${fallback})` : describe;
}
