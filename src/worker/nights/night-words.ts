import { nameFault } from "./name-fault.ts";

/** The flags of `tandem night` that a schedule may carry: none of them chooses what is run, read or written on a worker's machine. */
const carried = [
  "against",
  "fail-on",
  "budget",
  "max-cost",
  "max-duration",
  "max-failures",
  "keep",
  "older-than",
  "notify",
  "notify-on",
  "notify-link",
] as const;

type Carried = Partial<Record<(typeof carried)[number], string | number | readonly string[] | undefined>>;

/** Flags as words of a command line. */
export function nightWords(flags: Carried): string[] {
  return carried.flatMap((flag) => [flags[flag] ?? []].flat().map((value) => `--${flag}=${value}`));
}

/** Things of a machine that a night on it may use. */
interface OfMachine {
  /** Place of the schedule's files. */
  place: string;
  /** Variables that its operator lets schedules use. */
  allowed: readonly string[];
}

/** The reason why a word is none that a schedule may carry, without its subject; null: it may. */
export function wordFault(word: string, { place, allowed }: OfMachine): string | null {
  const [, flag = "", value = ""] = /^--([a-z-]+)=(.*)$/s.exec(word) ?? [];
  if (!carried.some((name) => name === flag)) return "is no flag that a schedule may have";
  if (flag === "notify") {
    const [, variable] = /^env:([A-Za-z_]\w*)$/.exec(value) ?? [];
    if (variable === undefined) return "names no variable (env:NAME)";
    if (allowed.includes(variable)) return null;
    return `names a variable that this worker lets no schedule use (--allow-env ${variable} lets it)`;
  }
  if (flag !== "against") return null;
  if (!/[/\\]/.test(value)) return value.startsWith(".") ? "names a hidden file" : null;
  const isOurs = value.startsWith(`${place}/`) && nameFault(value.slice(place.length + 1)) === null;
  return isOurs ? null : "names a file that is not the schedule's";
}
