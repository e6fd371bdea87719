import type { OutputFieldDifference } from "./output-fields.ts";

/** Members whose value is a part of the structure: why an answer ended. */
const structural = new Set(["finish_reason", "finish_reason[]"]);

/** The outcome of a run is tested like a member of its output, but is none. */
export const outcomeField = "(outcome)";

/** True for what is compared as structure: what is there, of which type and how many; not the values themselves. */
export function isStructure({ kind, path }: Pick<OutputFieldDifference, "kind" | "path">): boolean {
  return kind !== "value" || structural.has(path);
}

/** The change of a member from the baseline to the candidate. */
export type StructureChange =
  | "vanished"
  | "appeared"
  | "became-null"
  | "no-longer-null"
  | "became-empty"
  | "no-longer-empty"
  | "other-type"
  | "more-entries"
  | "fewer-entries"
  | "other-value";

export function structureChange({ kind, baseline, candidate }: OutputFieldDifference): StructureChange {
  switch (kind) {
    case "absent":
      return candidate === "absent" ? "vanished" : "appeared";
    case "null":
      return candidate === "null" ? "became-null" : "no-longer-null";
    case "empty":
      return candidate === "empty" ? "became-empty" : "no-longer-empty";
    case "type":
      return "other-type";
    case "count":
      return Number(candidate) > Number(baseline) ? "more-entries" : "fewer-entries";
    case "value":
      return "other-value";
  }
}
