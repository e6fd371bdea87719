import type { Options } from "yargs";
import { sentenceList } from "../lib/sentence-list.ts";

/** Groups of flags, in the order of the help. */
export const flagGroups = {
  what: "What to do",
  dataset: "A dataset without a suite: where to send it, and how to grade it",
  selection: "Which cases",
  limits: "Limits and pace",
  reading: "How the dataset is read",
  results: "Results and reports",
  notify: "Notifications",
} as const;

/** One flag, as yargs reads it, with its place in the help. A long alias is an old name, which the help leaves out. */
export interface Flag extends Options {
  group: keyof typeof flagGroups;
  /** The word for its value in the help, such as FILE. */
  value?: string;
  /** Needed seldom: only `--help all` shows it. */
  more?: boolean;
  /** The actions of its command that it is for. */
  for?: readonly string[];
  /** The flag of its command that it needs. */
  with?: string;
  /** It takes a whole number of this or more. */
  least?: number;
  /** It takes a number above this. */
  above?: number;
}

/** The meaning of a flag, with the actions that it is for and the flag that it needs. */
export function flagMeaning({ for: actions, with: needed, describe = "" }: Flag): string {
  if (actions === undefined && needed === undefined) return describe;
  const place = actions === undefined ? `With --${needed}` : `For ${sentenceList(actions)}`;
  return `${place}: ${describe.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())}`;
}

/** Flags by their names. */
export type Flags = Record<string, Flag>;

type Group = keyof typeof flagGroups;
type More = Omit<Partial<Flag>, "group" | "describe">;
type Plain<Of> = { [Name in keyof Of]: Of[Name] };

/** A kind of flag: what all of it have, beside what each says itself. The types of both are kept for the command's `run`. */
function kind<const Own extends Partial<Flag>>(own: Own) {
  function make(group: Group, describe: string): Plain<Own & { group: Group; describe: string }>;
  function make<const Rest extends More>(
    group: Group,
    describe: string,
    rest: Rest,
  ): Plain<Omit<Own, keyof Rest> & Rest & { group: Group; describe: string }>;
  function make(group: Group, describe: string, rest: More = {}): object {
    return { group, describe, ...own, ...rest };
  }
  return make;
}

export const string = kind({ type: "string" });
export const count = kind({ type: "number" });
export const toggle = kind({ type: "boolean", default: false });
export const onUnlessNo = kind({ type: "boolean", default: true });
export const strings = kind({ type: "string", array: true, default: [] as string[] });
export const word = kind({});
