import type { Case } from "../../dataset/case.ts";
import { findingText } from "../../dataset/finding.ts";
import { listInCell } from "../../dataset/lint/written-list.ts";
import { counted } from "../../report/say/quantity.ts";
import { needsExpected } from "../../score/make.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { Suite } from "../../suite/suite.ts";

/** Watches for lists that are written in one cell, as the rows pass by before anything is sent. */
export function watchLists({ scorers }: Pick<Suite, "scorers">) {
  // A judge reads a list as what it is.
  const compares = scorers.some((spec) => needsExpected(spec) && scorerOfType(spec.type)?.family !== "judge");
  let count = 0;
  let first: string | null = null;
  return {
    onCase(found: Case): void {
      const list = compares ? listInCell(found) : null;
      if (list === null) return;
      count += 1;
      const { file, line, row } = found.source;
      const message = `the expected answer ${list.message}`;
      first ??= findingText({ ...list, file, line, row, message, column: null, character: null });
    },
    /** The first of them, and how many more there are. */
    warnings(): string[] {
      if (first === null) return [];
      return [
        count === 1 ? first : `${first} ${counted(count - 1, "more row")} ${count === 2 ? "is" : "are"} like it.`,
      ];
    },
  };
}
