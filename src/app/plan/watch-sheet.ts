import type { Case } from "../../dataset/case.ts";
import { ExpectedCounts, type ExpectedProfile } from "../../dataset/lint/expected-profile.ts";
import { AppError } from "../../errors.ts";
import { counted } from "../../report/say/quantity.ts";
import { isOfCost } from "../../score/contract/row-entries.ts";
import { targetPrice } from "../../suite/prices.ts";
import type { Suite } from "../../suite/suite.ts";
import type { ErrorOf } from "./refuse-faults.ts";
import { watchGroups } from "./row-groups.ts";
import { watchScorerColumns } from "./scorer-columns.ts";
import { checkExpected } from "./scorer-fit.ts";
import { openSheetTrial, type SheetTrial } from "./sheet-trial.ts";
import { watchTemplates } from "./template-check.ts";
import { watchLists } from "./written-lists.ts";

/** Checks of a suite by the rows of its sheet, for a run and for `check` alike; a new one is added here. */
export interface SheetWatch {
  onCase: (found: Case) => void;
  /** To be called when all rows have passed: each throws what it finds, and no other depends on it. */
  checks: readonly (() => void)[];
  expected: () => ExpectedProfile;
  /** Sentences on a cluster column that puts no rows together, or all of them. */
  groupFaults: () => string[];
  /** Sentences on columns by which rows may belong together; none unless they are asked for. */
  groupsShow: () => string[];
  /** Sentences about scorers that pass the expected answers of other rows, and those without ends on few cases. */
  scorerNotes: () => string[];
  /** Sentences about expected answers that are lists and are taken for one text. */
  listNotes: () => string[];
  /** Sentences about checks of the cost that cannot be graded, because a target has no price. */
  costNotes: () => string[];
}

/** Watches the rows of a sheet while they pass by. Memory does not grow with them. */
export async function watchSheet(
  suite: Suite,
  { errorOf, proposesGroups }: { errorOf: ErrorOf; proposesGroups: boolean },
): Promise<SheetWatch> {
  const trial = await openSheetTrial(suite).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  const groups = watchGroups(suite, { proposes: proposesGroups });
  const templates = watchTemplates(suite);
  const scorerColumns = watchScorerColumns(suite);
  const lists = watchLists(suite);
  const costs = watchCosts(suite);
  const expected = new ExpectedCounts();
  let cases = 0;
  const tried = (): SheetTrial => {
    if (trial instanceof AppError) throw trial;
    return trial;
  };
  return {
    onCase(found) {
      cases += 1;
      expected.add(found.expected);
      if (!(trial instanceof AppError)) trial.onCase(found);
      for (const watch of [groups, templates, scorerColumns, lists, costs]) watch.onCase(found);
    },
    checks: [
      () => templates.check(errorOf),
      () => {
        if (cases > 0) checkExpected(suite, expected.profile, errorOf);
      },
      () => scorerColumns.check(errorOf),
      () => tried().checkRanges(),
    ],
    expected: () => expected.profile,
    groupFaults: groups.faults,
    groupsShow: groups.proposals,
    scorerNotes: () => (trial instanceof AppError ? [] : trial.warnings()),
    listNotes: () => lists.warnings(),
    costNotes: () => costs.notes(),
  };
}

/** Watches for checks of the cost that rows bring along. */
function watchCosts(suite: Pick<Suite, "targets" | "deployments">) {
  let [rows, first] = [0, 0];
  return {
    onCase({ checks, source }: Case): void {
      if (checks?.scorers.some((written) => isOfCost(written) && written["prices"] === undefined) !== true) return;
      if (rows === 0) first = source.row;
      rows += 1;
    },
    notes(): string[] {
      const unpriced = suite.targets.filter(
        (target) => target.stored === undefined && targetPrice(suite, target) === null,
      );
      if (rows === 0 || unpriced.length === 0) return [];
      const names = unpriced.map(({ name }) => name).join(", ");
      const where = `The checks of the cost (${counted(rows, "row")}, first in row ${first}) are not graded for ${names}: there is no price. `;
      return [
        `${where}Write \`price: 0.02\` (one run), or \`price: { input: 2.5, output: 10 }\` (a million tokens), into the suite's deployment or target.`,
      ];
    },
  };
}
