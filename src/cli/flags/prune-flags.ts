import { AppError } from "../../errors.ts";
import { durationMs } from "../../lib/duration.ts";
import type { PruneRule } from "../../store/needed-batches.ts";

const dayMs = 86_400_000;

/** The rule of `--keep` and `--older-than`, by the age of now; null: neither is given. Throws USAGE. */
export function pruneRuleOf({
  keep,
  "older-than": age,
}: {
  keep?: number | undefined;
  "older-than"?: string | undefined;
}): PruneRule | null {
  if (keep === undefined && age === undefined) return null;
  return { keep: keep ?? null, before: age === undefined ? null : Date.now() - ageMs("--older-than", age) };
}

/** Milliseconds of a time that may be told in days. Throws USAGE, with the name of the flag. */
export function ageMs(flag: string, text: string): number {
  if (text === "0") return 0;
  const [, days] = /^(\d{1,6})d$/.exec(text) ?? [];
  const ms = days === undefined ? durationMs(text) : Number(days) * dayMs;
  if (ms !== null) return ms;
  throw new AppError("USAGE", `${flag} takes a number of days or hours such as 90d or 12h; got "${text}".`);
}
