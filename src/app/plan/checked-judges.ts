import { z } from "zod";
import { hashText } from "../../lib/hash.ts";
import { canonicalJson, type JsonValue } from "../../lib/json.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { probeNames } from "../../score/probes/probe-plan.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { ReportedCheck } from "../../report/shape/model.ts";
import { targetAddress } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { latestChecks } from "../../store/scores/judge-checks.ts";
import { isKnownJudge } from "../../store/scores/judges.ts";
import type { Suite, Target } from "../../suite/suite.ts";

/** Number of the built-in prompts: another one where they change (`test/app/checked-judges.test.ts` sees that), so that a judge counts as a new one. */
export const promptVersion = 1;

/** A hash over the parts that make a judge: its prompt, what it may say, who is asked and with which settings; null for a scorer that is none. */
export function judgeIdentity(suite: Pick<Suite, "judges" | "deployments">, spec: ScorerSpec): string | null {
  const { target: _, ...options } = spec.options;
  const judge = judgeOf(suite, spec);
  if (judge === null) return null;
  const { endpoint, exampleId, body } = judge;
  const baseUrl = targetAddress(suite, judge);
  const { type } = spec;
  const value: JsonValue = { promptVersion, type, options, baseUrl, endpoint, exampleId, body };
  return hashText(canonicalJson(value), 40);
}

/** The judge whose opinion a scorer asks. */
function judgeOf({ judges }: Pick<Suite, "judges">, { type, options }: ScorerSpec): Target | null {
  if (scorerOfType(type)?.hasOpinion !== true) return null;
  return judges.find(({ name }) => name === options["target"]) ?? null;
}

/** The scorers of a suite that a gate or the main figure goes by. */
export function decidingScorers({ scorers, decision }: Pick<Suite, "scorers" | "decision">): ScorerSpec[] {
  const primary = scorers.find((spec) => spec.primary) ?? scorers[0];
  const gated = new Set(decision.gates.map(({ metric }) => metric));
  return scorers.filter((spec) => spec === primary || gated.has(spec.name));
}

/** The parts of a kept check that are shown later. */
const kept = z.looseObject({
  state: z.enum(["fit", "alarm", "inconclusive"]),
  verdict: z.string(),
  probes: z.array(z.string()),
});
const isKept = (value: unknown): value is z.output<typeof kept> => kept.safeParse(value).success;

type JudgingSuite = Pick<Suite, "judges" | "deployments" | "scorers">;

/** The judges of a suite's scorers, each with its latest check in the database that tried all or was an alarm, or else its latest; null: there is no database yet. */
export function checkedJudges(db: Connection | null, suite: JudgingSuite): (ReportedCheck & { judge: string })[] {
  return suite.scorers.flatMap((spec) => {
    const [judge, identity] = [judgeOf(suite, spec), judgeIdentity(suite, spec)];
    if (judge === null || identity === null) return [];
    const checks = db === null ? [] : latestChecks(db, identity, isKept);
    // A later check for one thing alone does not take back what was found of the others.
    const counts = ({ result }: (typeof checks)[number]): boolean =>
      result.state === "alarm" || result.probes.length === probeNames.length;
    const found = checks.find(counts) ?? checks[0] ?? null;
    const at = found === null ? null : new Date(found.at).toISOString();
    const { state = null, verdict = null } = found?.result ?? {};
    return [{ judge: judge.name, scorer: spec.name, at, state, verdict }];
  });
}

/** Names of scores whose judge is asked for the first time in this database, and was never checked. */
export function newJudges(db: Connection, suite: JudgingSuite): string[] {
  return checkedJudges(db, suite).flatMap(({ judge: name, scorer, at }) => {
    const judge = suite.judges.find((each) => each.name === name);
    if (at !== null || judge === undefined) return [];
    return isKnownJudge(db, judge, targetAddress(suite, judge)) ? [] : [scorer];
  });
}
