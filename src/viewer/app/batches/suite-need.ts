import type { SuiteReason, SuiteStanding } from "../../../report/shape/standing.ts";
import { counted } from "../../../report/say/quantity.ts";

/** The standing of a suite: it needs a look, somebody knows all that is wrong in it, nothing was decided yet, or nothing is wrong. */
export function standingPlace({
  reasons,
  undecided,
}: Pick<SuiteStanding, "reasons" | "undecided">): (typeof places)[number] {
  if (reasons.length === 0) return undecided === null ? "quiet" : "undecided";
  return reasons.every(({ isKnown }) => isKnown) ? "known" : "needing";
}

const kinds: readonly SuiteReason["kind"][] = ["regression", "invalid", "unfinished", "alarm"];

const places = ["needing", "known", "undecided", "quiet"] as const;

/** Puts suites that need a look first, then those that are known, undecided and quiet; among them the gravest. */
export function byPlace(one: SuiteStanding, other: SuiteStanding): number {
  return places.indexOf(standingPlace(one)) - places.indexOf(standingPlace(other)) || byNeed(one, other);
}

/** Puts the gravest first, of the same kind what is new, then the latest. */
export function byNeed(one: SuiteStanding, other: SuiteStanding): number {
  const [own, others] = [need(one), need(other)];
  return own.kind - others.kind || own.old - others.old || latestFirst(one, other);
}

/** The gravest reason of a suite that nobody knows of. */
function need({ reasons }: SuiteStanding): { kind: number; old: number } {
  const open = reasons.filter(({ isKnown }) => !isKnown);
  const kind = Math.min(kinds.length, ...open.map((reason) => kinds.indexOf(reason.kind)));
  return { kind, old: Number(!open.some((reason) => reason.isNew && reason.kind === kinds[kind])) };
}

const lastAt = ({ last }: SuiteStanding): number => last?.at ?? 0;

export const latestFirst = (one: SuiteStanding, other: SuiteStanding): number => lastAt(other) - lastAt(one);

/** `2 of 4 suites need a look`: all that was read, in one sentence. */
export function needWords(suites: readonly SuiteStanding[]): string {
  const needing = suites.filter((suite) => standingPlace(suite) === "needing").length;
  const all = counted(suites.length, "suite");
  if (needing > 0) return `${needing} of ${all} ${needing === 1 ? "needs" : "need"} a look`;
  // A suite in which nothing was decided is not quiet: nobody knows.
  const open = suites.filter((suite) => standingPlace(suite) === "undecided").length;
  if (open > 0 && open === suites.length) return `No verdict yet in ${all}`;
  if (open > 0) return `No suite needs a look; no verdict yet in ${open} of ${all}`;
  if (suites.some((suite) => standingPlace(suite) === "known")) return "No suite needs a look";
  return suites.length === 1 ? "All quiet" : `All ${all} are quiet`;
}
