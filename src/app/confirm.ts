import { readSide } from "../compare/cases/case-side.ts";
import { isCompared } from "../compare/cases/pairing.ts";
import { tagsOf } from "../compare/tallies/candidate-tally.ts";
import { comparisonStream } from "../compare/comparison.ts";
import type { GateFacts } from "../compare/verdict/facts.ts";
import { isClaimed } from "../compare/two-looks.ts";
import type { Job } from "../plan/job.ts";
import { planJobs } from "../plan/jobs.ts";
import { counted, number } from "../report/say/quantity.ts";
import { type Batch, batchTargets, findBatch } from "../store/batches.ts";
import type { CaseOfBatches } from "../store/compared/joined-case.ts";
import type { Connection } from "../store/connection.ts";
import { lockBatch } from "../store/lock.ts";
import { casesInOrder } from "../store/plan/plan.ts";
import { addSecondLook, hasSecondLook } from "../store/plan/second-look.ts";
import { asksAgain } from "../suite/confirmation.ts";
import { comparisonOfBatch, type PlannedComparison } from "./compare/planned-comparison.ts";
import { pairedResults } from "../store/compared/paired-results.ts";
import type { RunContext } from "./context.ts";
import { type SendEnd, sendBatch } from "./send/send.ts";

/**
 * Sends the cases of a regression once more, to both sides, where its gates want that: further runs of the same cases in
 * the same batch. Null: there is nothing to confirm, or it was asked before. Nothing is graded yet.
 */
export async function askAgain(run: RunContext, name: string): Promise<SendEnd | null> {
  const { db } = run;
  const batch = findBatch(db, name);
  if (batch.state !== "finished" || !asksAgain(batch.suite) || hasSecondLook(db, batch.id)) return null;
  const planned = comparisonOfBatch(db, batch);
  const claims = claimsOf(db, planned);
  if (claims.length === 0) return null;
  if ((batch.selection?.shard ?? null) !== null) {
    run.onNotice("This is a part of the cases (--shard): its regression is not asked once more.");
    return null;
  }
  const asked = askedAgain(db, planned, claims);
  const lock = lockBatch(db, batch.id);
  let jobs = 0;
  try {
    jobs = addSecondLook(db, batch.id, { jobs: jobsOf(db, batch, asked), at: Date.now() });
  } finally {
    lock.release();
  }
  if (jobs === 0) {
    run.onNotice("The regression cannot be asked once more: the answers of the candidate were given before.");
    return null;
  }
  const sentence = announcement(claims, { asked, jobs, planned });
  run.tell({ type: "asked-again", batch: name, cases: asked.cases, jobs, sentence });
  return sendBatch(run, findBatch(db, name));
}

/** The gates that call a regression which has to be confirmed. */
function claimsOf(db: Connection, { batches, settings }: PlannedComparison): GateFacts[] {
  const stream = comparisonStream(settings);
  for (const result of pairedResults(db, batches, { reasons: false, wants: isCompared(settings) })) stream.add(result);
  return stream.summary().gates.filter(isClaimed);
}

/** Targets that are asked again, by the case; by the conversation where turns need those before them. */
interface Asked {
  cases: number;
  byConversation: boolean;
  targets: Map<number | string, Set<number>>;
}

/** The cases of the gates: those that have the metric on both sides, of a gate by a tag those with its value. */
function askedAgain(db: Connection, planned: PlannedComparison, claims: readonly GateFacts[]): Asked {
  const { batch, batches, settings } = planned;
  const askable = new Set(batchTargets(db, batch.id).flatMap(({ id, deployment }) => (deployment === "" ? [] : id)));
  const gates = claims.flatMap(({ metric, of, candidate, baseline, slice }) => {
    const [from, to] = [baseline, candidate].map((name) => settings.sides.find(({ target }) => target === name));
    const place = settings.metrics.findIndex((each) => each.metric.name === metric && each.of === of);
    if (from === undefined || to === undefined || !to.targetIds.some((id) => askable.has(id))) return [];
    // A pin, and answers that were given before, stay as they are.
    const ids = [...from.targetIds, ...to.targetIds].filter((id) => askable.has(id));
    return [{ from, to, place, slice, ids }];
  });
  const byConversation = batch.suite.mapping.turn !== null;
  const asked: Asked = { cases: 0, byConversation, targets: new Map() };
  const isIn = (result: CaseOfBatches, { from, to, place, slice }: (typeof gates)[number]): boolean => {
    // A case that was not looked at when it was decided has nothing to confirm.
    if (settings.stop?.placeOf(result.caseId) === null) return false;
    if (result.variant !== 0 || (slice !== null && tagsOf(result)[slice.tag] !== slice.value)) return false;
    return [from, to].every((side) => readSide(result, side, settings.metrics).side.scores[place]?.mean !== null);
  };
  for (const result of pairedResults(db, batches, { reasons: false, bodies: false })) {
    const own = gates.filter((gate) => isIn(result, gate));
    if (own.length === 0) continue;
    asked.cases += 1;
    const key = byConversation ? result.cluster : result.caseId;
    const known = asked.targets.get(key) ?? new Set();
    for (const { ids } of own) for (const id of ids) known.add(id);
    asked.targets.set(key, known);
  }
  return asked;
}

/** As many runs as the first look had, in an order that is drawn anew. */
function* jobsOf(db: Connection, batch: Batch, { targets: wanted, byConversation }: Asked): Generator<Job> {
  const targets = batchTargets(db, batch.id);
  const repeats = new Map(targets.map((target) => [target.id, target.repeats]));
  const keyOf = (one: { id: number; cluster: string }): number | string => (byConversation ? one.cluster : one.id);
  const cases = Array.from(casesInOrder(db, batch.id)).filter((one) => wanted.has(keyOf(one)));
  const jobs = planJobs({ cases: () => cases, targets, turns: byConversation, seed: `${batch.seed} again` });
  for (const job of jobs) {
    const isWanted = wanted.get(keyOf({ id: job.caseId, cluster: job.cluster }))?.has(job.targetId) === true;
    if (isWanted) yield { ...job, repeat: job.repeat + (repeats.get(job.targetId) ?? 0) };
  }
}

function announcement(
  claims: readonly GateFacts[],
  { asked, jobs, planned: { against } }: { asked: Asked; jobs: number; planned: PlannedComparison },
): string {
  const metrics = [...new Set(claims.map(({ metric }) => metric))].join(", ");
  const sides =
    against === ""
      ? "on both sides"
      : `of ${[...new Set(claims.map(({ candidate }) => candidate))].join(", ")} (${against} stays as it is)`;
  return `A regression of ${metrics}: to confirm it, ${counted(asked.cases, "row")} are asked once more ${sides} = ${number(jobs)} more ${jobs === 1 ? "job" : "jobs"}`;
}
