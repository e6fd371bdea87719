import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";

/** When output has colours: with `auto` where a terminal shows it, and as NO_COLOR and FORCE_COLOR say. */
export const colorModes = ["auto", "always", "never"] as const;
export type ColorMode = (typeof colorModes)[number];

/** The wish of a command line, and its words without it; the last one counts. */
export interface AskedColor {
  mode: ColorMode;
  words: string[];
  /** The complaint about a word that is no mode. */
  fault: AppError | null;
}

/** Reads `--color MODE`, `--color=MODE` and `--no-color` wherever they stand; behind `--` they are words like others. */
export function askedColor(args: readonly string[]): AskedColor {
  const asked: AskedColor = { mode: "auto", words: [], fault: null };
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  for (let place = 0; place < end; place++) {
    const word = args[place] ?? "";
    if (word === "--no-color") asked.mode = "never";
    else if (word === "--color") take(asked, args[++place]);
    else if (word.startsWith("--color=")) take(asked, word.slice("--color=".length));
    else asked.words.push(word);
  }
  asked.words.push(...args.slice(end));
  return asked;
}

function take(asked: AskedColor, value: string | undefined): void {
  const mode = colorModes.find((each) => each === value);
  if (mode !== undefined) asked.mode = mode;
  else {
    const got = value === undefined ? "nothing" : showText(value);
    asked.fault = new AppError("USAGE", `--color takes ${colorModes.join(", ")}; got ${got}.`, {
      hint: "Without it, colours are for a terminal only.",
    });
  }
}

/** Decides whether a stream has colours: the flag first, then NO_COLOR, then FORCE_COLOR, then what the stream is. */
export function isColored(mode: ColorMode, isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (mode !== "auto") return mode === "always";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}
