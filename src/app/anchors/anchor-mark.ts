import { hashText } from "../../lib/hash.ts";
import { canonicalJson } from "../../lib/json.ts";
import type { CaseResult, JobResult } from "../../store/results/case-result.ts";

/** A hash over question and answer of a stored run, by which an anchor that is another by now is known. */
export function anchorMark(
  result: Pick<CaseResult, "key" | "input" | "expected">,
  job: Pick<JobResult, "body">,
): string {
  return hashText(canonicalJson([result.key, result.input, result.expected, job.body]), 32);
}
