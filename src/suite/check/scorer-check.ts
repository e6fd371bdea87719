import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { areShares } from "../../score/contract/scale.ts";
import { scorerSpec } from "../../score/contract/spec.ts";
import { knownMetric } from "../../score/make.ts";
import { scorerOfType } from "../../score/registry.ts";
import { makingFaults } from "../../score/making-fault.ts";
import { type Fault, type FaultPath, fault } from "../../lib/fault.ts";
import type { Sections } from "../schema/sections.ts";

type Scorer = NonNullable<Sections["scorers"]>[number];

/**
 * Finds the faults of `scorers` and `pass` that the schema cannot express: names that are used twice or do not exist,
 * and scorers made of each other.
 */
export function checkScorerSections({ scorers = [], pass }: Sections): Fault[] {
  // A scorer without a name is called by its type.
  const names = scorers.map(({ name, type }) => name ?? type ?? null);
  const scorerNamed = (name: string): Scorer | undefined => scorers[names.indexOf(name)];
  return [
    ...repeatedNames(scorers, names),
    ...secondPrimary(scorers),
    ...scorers.flatMap(({ of }, i) => unknownParts(of, ["scorers", i, "of"], names)),
    ...scorers.flatMap((scorer, i) => noShares(scorer, ["scorers", i, "of"], scorerNamed)),
    ...circles(names, (name) => partsIn(scorerNamed(name)?.of).map((part) => part.name)),
    ...(typeof pass === "object"
      ? Object.entries(pass).flatMap(([key, of]) => (Array.isArray(of) ? unknownParts(of, ["pass", key], names) : []))
      : []),
  ];
}

/** Templates and schemas of scorers that cannot be compiled, and files that are not there; what the schema of the suite refuses is passed over. */
export async function scorersNotMade(
  scorers: readonly Scorer[],
  surroundings: { folder: string; targets: readonly string[] },
): Promise<Fault[]> {
  const faults = await Promise.all(
    scorers.map(async (scorer, i) => {
      const found = await makingFaults(scorer, surroundings);
      return found.map(({ key, at, message }) => fault(["scorers", i, key, ...(at === null ? [] : [at])], message));
    }),
  );
  return faults.flat();
}

type Names = readonly (string | null)[];

function repeatedNames(scorers: readonly Scorer[], names: Names): Fault[] {
  return names.flatMap((name, i) => {
    if (name === null || names.indexOf(name) === i) return [];
    if (scorers[i]?.name !== undefined)
      return [fault(["scorers", i, "name"], `${showText(name)} is the name of two scorers`)];
    return [fault(["scorers", i], `is the second one named ${showText(name)}, by its type`, "Give it a name.")];
  });
}

function secondPrimary(scorers: readonly Scorer[]): Fault[] {
  const marked = scorers.flatMap(({ primary }, i) => (primary === true ? [i] : []));
  const hint = "A comparison is about one: keep one of them.";
  return marked.slice(1).map((i) => fault(["scorers", i, "primary"], "is the second primary scorer", hint));
}

function unknownParts(of: Scorer["of"], path: FaultPath, names: Names): Fault[] {
  const known = names.filter((name) => name !== null);
  return partsIn(of).flatMap(({ name, at }) => {
    if (known.includes(name)) return [];
    const hint = didYouMean(name, known) ?? (known.length > 0 ? `The suite has: ${known.join(", ")}.` : null);
    const message = `names the scorer ${showText(name)}, which does not exist`;
    return [{ path: [...path, at], message, hint, atKey: typeof at === "string" }];
  });
}

/** The mean of a row takes the values of its parts as they are: each must be a share of 1. */
function noShares({ type, of }: Scorer, path: FaultPath, scorerNamed: (name: string) => Scorer | undefined): Fault[] {
  if (type !== "row-mean") return [];
  return partsIn(of).flatMap(({ name, at }) => {
    const part = scorerNamed(name);
    if (part === undefined || scorerOfType(part.type ?? "")?.schema.safeParse(part).success !== true) return [];
    const [known] = knownMetric(scorerSpec(part));
    if (known === undefined || areShares(known.metric)) return [];
    const message = `names ${showText(name)}, whose values do not lie between 0 and 1 where more is better`;
    const threshold = known.metric.passes ? "" : "give it a threshold and ";
    const hint = `To count whether it passes, ${threshold}name a scorer { type: all-of, of: [${name}] } here and in the rows.`;
    return [fault([...path, at], message, hint)];
  });
}

/** Names of scorers in a list, or as the keys of a map of weights. */
function partsIn(of: Scorer["of"]): { name: string; at: number | string }[] {
  if (Array.isArray(of)) return of.map((name, at) => ({ name, at }));
  return Object.keys(of ?? {}).map((name) => ({ name, at: name }));
}

/** A composite that is, through others, made of itself. */
function circles(names: Names, partsOf: (name: string) => string[]): Fault[] {
  return names.flatMap((name, i) => {
    if (name === null) return [];
    const reached = new Set<string>();
    const waiting = partsOf(name);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(...partsOf(next));
    }
    return reached.has(name) ? [fault(["scorers", i, "of"], `makes ${showText(name)} depend on itself`)] : [];
  });
}
