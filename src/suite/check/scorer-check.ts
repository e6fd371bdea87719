import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { areShares } from "../../score/contract/scale.ts";
import { scorerSpec } from "../../score/contract/spec.ts";
import { knownMetric } from "../../score/make.ts";
import { scorerOfType } from "../../score/registry.ts";
import { makingFaults } from "../../score/making-fault.ts";
import type { Fault, FaultPath } from "../fault.ts";
import { gridOf } from "../matrix/grid.ts";

/**
 * Finds the faults of `scorers` and `pass` that the schema cannot express: names that are used twice or do not exist,
 * and scorers made of each other.
 */
export function checkScorerSections(suite: { [key: string]: unknown }): Fault[] {
  const { scorers, pass } = suite;
  if (scorers !== undefined && !Array.isArray(scorers)) return [];
  const entries = (scorers ?? []).map((entry: unknown) => (isJsonObject(entry) ? entry : {}));
  const names = entries.map(nameOf);
  return [
    ...repeatedNames(entries, names),
    ...secondPrimary(entries),
    ...entries.flatMap((entry, i) => unknownParts(entry["of"], ["scorers", i, "of"], names)),
    ...entries.flatMap((entry, i) => noShares(entry, i, { entries, names })),
    ...circles(entries, names),
    ...passNames(pass, names),
  ];
}

/** Templates and schemas of scorers that cannot be compiled, and files that are not there; what the schema of the suite refuses is passed over. */
export async function scorersNotMade(suite: unknown, folder: string): Promise<Fault[]> {
  const scorers = isJsonObject(suite) ? suite["scorers"] : null;
  if (!Array.isArray(scorers)) return [];
  const targets = targetNames(suite);
  const faults = await Promise.all(
    scorers.map(async (entry: unknown, i): Promise<Fault[]> => {
      const found = isJsonObject(entry) ? await makingFaults(entry, { folder, targets }) : [];
      return found.map(({ key, at, message }) => {
        const path = ["scorers", i, key, ...(at === null ? [] : [at])];
        return { path, message, hint: null, atKey: false };
      });
    }),
  );
  return faults.flat();
}

/** The names of the targets as far as they are written; of a matrix those that it makes. */
function targetNames(suite: unknown): string[] {
  const { targets, matrix } = isJsonObject(suite) ? suite : {};
  if (isJsonObject(targets)) return Object.keys(targets);
  return isJsonObject(matrix) ? gridOf(matrix).targets.map(({ name }) => name) : [];
}

/** A scorer without a name is called by its type. */
function nameOf(entry: JsonObject): string | null {
  const name = entry["name"] ?? entry["type"];
  return typeof name === "string" ? name : null;
}

function repeatedNames(entries: readonly JsonObject[], names: readonly (string | null)[]): Fault[] {
  return names.flatMap((name, i) => {
    if (name === null || names.indexOf(name) === i) return [];
    const own = entries[i]?.["name"] !== undefined;
    const message = own
      ? `${showText(name)} is the name of two scorers`
      : `is the second one named ${showText(name)}, by its type`;
    return [
      {
        path: own ? ["scorers", i, "name"] : ["scorers", i],
        message,
        hint: own ? null : "Give it a name.",
        atKey: false,
      },
    ];
  });
}

function secondPrimary(entries: readonly JsonObject[]): Fault[] {
  const marked = entries.flatMap((entry, i) => (entry["primary"] === true ? [i] : []));
  return marked.slice(1).map((i) => ({
    path: ["scorers", i, "primary"],
    message: "is the second primary scorer",
    hint: "A comparison is about one: keep one of them.",
    atKey: false,
  }));
}

function unknownParts(of: unknown, path: FaultPath, names: readonly (string | null)[]): Fault[] {
  const known = names.filter((name) => name !== null);
  return partsIn(of).flatMap(({ name, at }) => {
    if (known.includes(name)) return [];
    const hint = didYouMean(name, known) ?? (known.length > 0 ? `The suite has: ${known.join(", ")}.` : null);
    const message = `names the scorer ${showText(name)}, which does not exist`;
    return [{ path: [...path, at], message, hint, atKey: typeof at === "string" }];
  });
}

/** The mean of a row takes the values of its parts as they are: each must be a share of 1. */
function noShares(
  entry: JsonObject,
  i: number,
  { entries, names }: { entries: readonly JsonObject[]; names: readonly (string | null)[] },
): Fault[] {
  if (entry["type"] !== "row-mean") return [];
  return partsIn(entry["of"]).flatMap(({ name, at }) => {
    const part = entries[names.indexOf(name)];
    const type = typeof part?.["type"] === "string" ? scorerOfType(part["type"]) : null;
    if (part === undefined || type?.schema.safeParse(part).success !== true) return [];
    const [known] = knownMetric(scorerSpec(part));
    if (known === undefined || areShares(known.metric)) return [];
    const message = `names ${showText(name)}, whose values do not lie between 0 and 1 where more is better`;
    const threshold = known.metric.passes ? "" : "give it a threshold and ";
    const hint = `To count whether it passes, ${threshold}name a scorer { type: all-of, of: [${name}] } here and in the rows.`;
    return [{ path: ["scorers", i, "of", at], message, hint, atKey: false }];
  });
}

/** Names of scorers in a list, or as the keys of a map of weights. */
function partsIn(of: unknown): { name: string; at: number | string }[] {
  if (isJsonObject(of)) return Object.keys(of).map((name) => ({ name, at: name }));
  if (!Array.isArray(of)) return [];
  return of.flatMap((name: unknown, at) => (typeof name === "string" ? [{ name, at }] : []));
}

function passNames(pass: unknown, names: readonly (string | null)[]): Fault[] {
  if (!isJsonObject(pass)) return [];
  return ["all", "any", "of"].flatMap((key) => unknownParts(pass[key], ["pass", key], names));
}

/** A composite that is, through others, made of itself. */
function circles(entries: readonly JsonObject[], names: readonly (string | null)[]): Fault[] {
  const partsOf = (name: string): string[] => partsIn(entries[names.indexOf(name)]?.["of"]).map((part) => part.name);
  return names.flatMap((name, i) => {
    if (name === null) return [];
    const reached = new Set<string>();
    const waiting = partsOf(name);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(...partsOf(next));
    }
    return reached.has(name)
      ? [{ path: ["scorers", i, "of"], message: `makes ${showText(name)} depend on itself`, hint: null, atKey: false }]
      : [];
  });
}
