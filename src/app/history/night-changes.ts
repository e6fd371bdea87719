import type { NightConfiguration, StoredNight } from "../../store/nights/stored-nights.ts";

/** The facts by which two batches of a suite are told apart: equal texts mean the same. */
export interface NightFacts extends Omit<
  StoredNight,
  "comparison" | "comparedAt" | "editedScores" | "editedAt" | "state" | "reason"
> {
  /** Target to its configuration. */
  targets: ReadonlyMap<string, string>;
  /** Name of a judge's score to whose grades it has, since a judge is known to have changed. */
  judges?: ReadonlyMap<string, string>;
}

/** The configuration of a target as a text. A local deployment is the same wherever its folder stands. */
export function configurationText({ deployment, baseUrl, asked }: NightConfiguration): string {
  return JSON.stringify([deployment, baseUrl.startsWith("local:") ? "local:" : baseUrl, asked]);
}

/** Changes from one night to the next, in a few words each. */
export function nightChanges(now: NightFacts, before: NightFacts): string[] {
  const own = [
    ...(differ(now.datasetHash, before.datasetHash) ? ["dataset"] : []),
    ...(differ(now.expectedHash, before.expectedHash) && !differ(now.datasetHash, before.datasetHash)
      ? ["expected answers"]
      : []),
    ...(now.selection === before.selection ? [] : ["selection of cases"]),
    ...(differ(now.scorers, before.scorers) ? ["scorers"] : []),
    ...[...(now.judges?.keys() ?? [])].flatMap((name) =>
      isOtherJudge(now, before, name) ? [`the judge ${name}`] : [],
    ),
    ...targetChanges(now, before),
    ...(now.prices === before.prices ? [] : ["prices"]),
    ...(now.against === before.against ? [] : [`compared with ${now.against ?? "each other"}`]),
  ];
  return own.length === 0 && now.suiteHash !== before.suiteHash ? ["suite"] : own;
}

/** True where both are known and not the same. */
export function differ(now: string | null, before: string | null): boolean {
  return now !== null && before !== null && now !== before;
}

/** True where the grades of two nights by a score are those of a judge before and after it changed. */
export function isOtherJudge(now: NightFacts, before: NightFacts, scorer: string): boolean {
  return differ(now.judges?.get(scorer) ?? null, before.judges?.get(scorer) ?? null);
}

function targetChanges({ targets: now }: NightFacts, { targets: before }: NightFacts): string[] {
  const changed = [...now].flatMap(([name, text]) => {
    const then = before.get(name);
    if (then === undefined) return [`new target ${name}`];
    return then === text ? [] : [`configuration of ${name}`];
  });
  const gone = [...before.keys()].filter((name) => !now.has(name)).map((name) => `without target ${name}`);
  return [...changed, ...gone];
}
