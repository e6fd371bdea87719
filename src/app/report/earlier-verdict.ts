import { verdictRules } from "../../compare/comparison.ts";
import { verdictByRules } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";

const states: ReadonlySet<string> = new Set(["regression", "pass", "inconclusive", "invalid"]);

/** The verdict of a comparison that an earlier tandem kept by its rules, as it was said; null: none did. */
export function earlierVerdict(db: Connection, { batch, against }: PlannedComparison): string | null {
  const kept = verdictByRules(db, batch.id, against);
  if (kept === null || kept.rules >= verdictRules || !states.has(kept.verdict)) return null;
  return kept.verdict.toUpperCase();
}
