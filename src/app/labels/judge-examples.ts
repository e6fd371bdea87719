import type { ScorerSpec } from "../../score/contract/spec.ts";
import { usedToWrite } from "../../score/judge/judge-examples.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { caseResultReader } from "../../store/results/results.ts";
import type { Suite } from "../../suite/suite.ts";
import { gradedCase } from "../grade/score-answer.ts";

/** Tells which stored cases a judge was written with: people's labels of them say nothing of it. Null: none, or it is no judge. */
export function judgeExamples(
  { judges }: Pick<Suite, "judges">,
  spec: ScorerSpec,
): ((found: CaseResult) => boolean) | null {
  if (scorerOfType(spec.type)?.family !== "judge") return null;
  const judge = judges.find(({ name }) => name === spec.options?.["target"]);
  const isOne = usedToWrite(spec, judge?.body ?? {});
  return isOne === null ? null : (found) => isOne(gradedCase(found));
}

/** The same by the id of a case of a batch. */
export function judgeExampleIds(db: Connection, { suite }: Batch, spec: ScorerSpec): (caseId: number) => boolean {
  const isOne = judgeExamples(suite, spec);
  if (isOne === null) return () => false;
  const read = caseResultReader(db);
  const known = new Map<number, boolean>();
  return (caseId) => {
    const before = known.get(caseId);
    if (before !== undefined) return before;
    const [found] = read([caseId]);
    const is = found !== undefined && isOne(found);
    known.set(caseId, is);
    return is;
  };
}
