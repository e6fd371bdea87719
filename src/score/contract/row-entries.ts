import { z } from "zod";
import type { CaseChecks } from "../../dataset/case.ts";
import type { JsonObject } from "../../lib/json.ts";
import { isBesideThePoint, type Score } from "./scorer.ts";

/** An entry of the checks of a row: a check, a scorer of the suite that counts in this row, or a set of checks. */
export interface RowEntry {
  weight: number;
  /** The name under which it is also reported by itself; null: none. */
  metric: string | null;
  of:
    | { check: JsonObject; uses: "pass" | "value" }
    | { scorer: string }
    | { set: readonly RowEntry[]; threshold: number | null };
}

const weight = z.number().min(0).default(1);
const metric = z.string().regex(/\S/).nullable().default(null);

/** The keys of a row's check beside those of its scorer. */
export const checkEntry = z.looseObject({ weight, metric, use: z.enum(["pass", "value"]).default("pass") });
/** An entry that names a scorer of the suite. */
export const namedScorerEntry = z.strictObject({ scorer: z.string().regex(/\S/), weight, metric });
/** An entry that is a set of checks. */
export const setEntry = z.strictObject({
  set: z.array(z.record(z.string(), z.json())).min(1),
  threshold: z.number().nullable().default(null),
  weight,
  metric,
});

/** The entries of a row's checks, which were looked at when the row was read. */
export function rowEntries(checks: CaseChecks): readonly RowEntry[] {
  const known = read.get(checks);
  if (known !== undefined) return known;
  const entries = checks.scorers.map(rowEntry);
  read.set(checks, entries);
  return entries;
}

/** Several scorers look at the checks of one row. */
const read = new WeakMap<CaseChecks, readonly RowEntry[]>();

/** The entries that a scorer of checks grades by itself: all, or those of a metric, but none that stands for a scorer. */
export function ownEntries(checks: CaseChecks, metricName: string | null): RowEntry[] {
  const all = rowEntries(checks);
  return (metricName === null ? all : entriesOfMetric(all, metricName)).filter(({ of }) => !("scorer" in of));
}

function rowEntry(written: JsonObject): RowEntry {
  if ("scorer" in written) {
    const { scorer, ...about } = namedScorerEntry.parse(written);
    return { weight: about.weight, metric: about.metric, of: { scorer } };
  }
  if ("set" in written) {
    const { set, threshold, ...about } = setEntry.parse(written);
    return { weight: about.weight, metric: about.metric, of: { set: set.map(rowEntry), threshold } };
  }
  const { use: uses, metric: name, weight: share } = checkEntry.parse(written);
  return { weight: share, metric: name, of: { check: scorerIn(written), uses } };
}

/** The scorer of a check, without what says how the row counts it. */
export function scorerIn(written: JsonObject): JsonObject {
  const { use, metric: name, ...scorer } = written;
  return use === undefined && name === undefined ? written : scorer;
}

/**
 * The entries that are graded where a target has a price, or none: a check of the cost needs one, and a set is none without
 * parts that count.
 */
export function gradedEntries(entries: readonly RowEntry[], hasPrice: boolean): RowEntry[] {
  return entries.flatMap((entry): RowEntry[] => {
    const { of } = entry;
    if ("check" in of) {
      const isGraded = hasPrice || !isOfCost(of.check) || of.check["prices"] !== undefined;
      return isGraded ? [entry] : [];
    }
    if (!("set" in of)) return [entry];
    const set = gradedEntries(of.set, hasPrice);
    return set.some((inner) => inner.weight > 0) ? [{ ...entry, of: { ...of, set } }] : [];
  });
}

/** True for a check of the cost, which needs the price of a target. */
export function isOfCost(written: JsonObject): boolean {
  return written["type"] === "cost";
}

/** The entries that have the name of a metric, also those inside of sets. All without a weight count alike. */
export function entriesOfMetric(entries: readonly RowEntry[], name: string): RowEntry[] {
  const found = entries.flatMap((entry): RowEntry[] => {
    if (entry.metric === name) return [entry];
    if (!("set" in entry.of)) return [];
    return entriesOfMetric(entry.of.set, name).map((inner) => ({ ...inner, weight: inner.weight * entry.weight }));
  });
  return found.some((entry) => entry.weight > 0) ? found : found.map((entry) => ({ ...entry, weight: 1 }));
}

/** A part of a row's grade. */
export interface RowPart {
  name: string;
  weight: number;
  score: Score;
}

/**
 * The weighted mean of some parts. It passes from a threshold on; without one when every part does. A part of weight 0 is
 * only measured: it counts neither way. One that says nothing of the case, such as a check whose wanted text is blank, is
 * left out.
 */
export function meanOfParts(parts: readonly RowPart[], threshold: number | null): Score {
  const weighed = parts.filter((part) => part.weight > 0);
  const counting = weighed.filter(({ score }) => !isBesideThePoint(score));
  const [beside] = weighed;
  if (beside !== undefined && counting.length === 0) return beside.score;
  const total = counting.reduce((sum, part) => sum + part.weight, 0);
  if (total === 0) return { unscored: "the row has no checks that count" };
  let sum = 0;
  const failed: string[] = [];
  for (const { name, weight: share, score } of counting) {
    if ("unscored" in score) return { unscored: `${name}: ${score.unscored}` };
    sum += share * Math.min(1, Math.max(0, score.value));
    if (score.pass === false) failed.push(score.reason);
  }
  const value = sum / total;
  const pass = threshold === null ? failed.length === 0 : value >= threshold - 1e-9;
  if (pass && failed.length === 0) return { value, pass, reason: passing(counting.length) };
  const below =
    pass || threshold === null ? [] : [`the mean ${shown(value, threshold)} is below the threshold ${threshold}`];
  return { value, pass, reason: [...below, ...failed.slice(0, 3)].join("; ") };
}

const passing = (count: number): string =>
  count === 1 ? "the check of the row passes" : `all ${count} checks of the row pass`;

/** A mean below a threshold, with as few digits as show that it is. */
function shown(value: number, threshold: number): number {
  const short = Number(value.toFixed(2));
  return short < threshold ? short : value;
}
