import { mayGrade } from "../grade/grading.ts";
import { gradedCase, isGraded, storedAnswer } from "../grade/score-answer.ts";
import { seededRandom } from "../../lib/random.ts";
import type { Answer } from "../../score/contract/scorer.ts";
import type { MadeScorer } from "../../score/make.ts";
import { type ProbeSource, answerText } from "../../score/probes/probe-plan.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type CaseSpan, caseSpan } from "../../store/results/result-rows.ts";
import { caseResultReader } from "../../store/results/results.ts";

/** A stored answer with which a judge is tried, and its case. */
export interface ProbedAnswer extends ProbeSource {
  caseId: number;
}

/**
 * Answers of a batch by lot, one of each case, that the judge would be asked about: of a judge of two a candidate's answer beside
 * the baseline's.
 */
export function probeSources(
  db: Connection,
  batch: Batch,
  { made, baseline, cases, seed }: { made: MadeScorer; baseline: string | null; cases: number; seed: string },
): ProbedAnswer[] {
  const { scorer } = made;
  if (scorer.kind !== "judge") return [];
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const read = caseResultReader(db);
  const random = seededRandom(`judge check ${seed}`);
  const found: ProbedAnswer[] = [];
  for (const caseId of drawnIds(caseSpan(db, batch.id), random)) {
    const [result] = read([caseId]);
    if (result === undefined) continue;
    const graded = gradedCase(result);
    const answers = result.jobs.flatMap((job): Answer[] => {
      const target = targets.get(job.targetId);
      if (target === undefined || !isGraded(job) || job.outcome !== "ok" || job.repeat > 1) return [];
      const answer = storedAnswer(graded, job, target);
      return answerText(answer).trim() !== "" && mayGrade(made, answer) ? [answer] : [];
    });
    const other = scorer.against === null ? null : (answers.find(({ target }) => target === baseline) ?? null);
    const own = scorer.against === null ? answers : answers.filter(({ target }) => target !== baseline);
    const answer = own[Math.floor(random() * own.length)];
    if (answer === undefined || (scorer.against !== null && other === null)) continue;
    if (Array.isArray(scorer.ask(answer, other))) found.push({ caseId, answer, other });
    if (found.length >= cases) break;
  }
  return found;
}

/** The ids of a range, each once, in an order by lot: without a list of all where there are very many. */
function* drawnIds({ from, to }: CaseSpan, random: () => number): Generator<number> {
  const count = to - from + 1;
  const moved = new Map<number, number>();
  for (let left = count; left > 0; left--) {
    const place = Math.floor(random() * left);
    yield from + (moved.get(place) ?? place);
    moved.set(place, moved.get(left - 1) ?? left - 1);
  }
}
