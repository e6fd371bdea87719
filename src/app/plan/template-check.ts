import type { Case } from "../../dataset/case.ts";
import { templatesIn } from "../../api/body-templates.ts";
import { unknownNameFaults } from "../../suite/prompts/body-templates.ts";
import type { Suite } from "../../suite/suite.ts";
import { type ErrorOf, refuseFaults } from "./refuse-faults.ts";

/** The columns of a dataset and the fields of its cases, as they pass by before anything is sent. */
interface TemplateWatch {
  onCase: (found: Case) => void;
  /** Refuses templates of targets, and their prompts, that use a column which the dataset does not have. Throws SUITE_INVALID or, of flags, USAGE. */
  check: (errorOf: ErrorOf) => void;
}

export function watchTemplates(suite: Pick<Suite, "targets" | "mapping">): TemplateWatch {
  const columns = new Set<string>();
  const fields = new Set<string>();
  let cases = 0;
  const isWatched = suite.targets.some((target) =>
    (["us", "service"] as const).some((filledBy) => templatesIn(target, filledBy).length > 0),
  );
  const onCase = (found: Case): void => {
    if (!isWatched) return;
    cases += 1;
    for (const name in found.columns) columns.add(name);
    for (const name in found.input) fields.add(name);
  };
  return {
    onCase,
    check(errorOf) {
      refuseFaults(cases === 0 ? [] : unknownNameFaults(suite, { columns, fields }), errorOf);
    },
  };
}
