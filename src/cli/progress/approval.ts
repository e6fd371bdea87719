import type { PreparedBatch } from "../../app/plan/prepare.ts";
import { AppError } from "../../errors.ts";
import { counted, number } from "../../report/say/quantity.ts";
import type { Suite } from "../../suite/suite.ts";
import { isAllowed } from "../ask.ts";

/** A matrix of more targets than its limit, in words; null: it stays within. */
export function beyondLimit(
  { targets }: Pick<Suite, "targets">,
  { limit, cases, jobs }: { limit: number | null; cases: number; jobs: number },
): string | null {
  if (limit === null || targets.length <= limit) return null;
  return `The matrix makes ${number(targets.length)} targets, more than its limit of ${number(limit)}: ${counted(cases, "row")} are ${counted(jobs, "request")}.`;
}

/** Asks before more targets than the limit of a matrix are sent anything. Throws USAGE where nobody allows it. */
export function approvalOf(
  suite: Pick<Suite, "targets">,
  { limit, yes }: { limit: number | null; yes: boolean },
): (prepared: Pick<PreparedBatch, "cases" | "jobs">) => Promise<void> {
  return async (prepared) => {
    const words = yes ? null : beyondLimit(suite, { limit, ...prepared });
    if (words === null) return;
    const hint = `Add --yes, write \`limit: ${suite.targets.length}\` into the matrix, or take fewer: --target, \`exclude\`, --sample for fewer cases.`;
    const message = `${words} Nothing was sent.`;
    if (!(await isAllowed(`${words} Send them`, { message, hint }))) throw new AppError("USAGE", message, { hint });
  };
}
