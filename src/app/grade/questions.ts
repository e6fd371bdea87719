import { hashText } from "../../lib/hash.ts";
import { canonicalJson, type JsonObject } from "../../lib/json.ts";
import { withTargetBody } from "../../plan/body.ts";
import { targetAddress } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { questionWriter, storedJudge, type StoredJudge } from "../../store/scores/judges.ts";
import type { Scoring, ScoreWriter } from "../../store/scores/scores.ts";
import type { Suite, Target } from "../../suite/suite.ts";
import type { StaleReplies } from "./stale-replies.ts";

/** The answer that is judged. */
export interface AskedJob {
  caseId: number;
  jobId: number;
}

/** Enters questions to judges. */
export interface Questions {
  ask: (job: AskedJob, asked: { scorer: number; round: number; bodies: readonly JsonObject[] }) => void;
  /** The judges that are asked. */
  judges: readonly StoredJudge[];
}

/** Makes the questions of a scoring ready to be entered; `judgeOf`: place of a scorer to the name of its judge. */
export function openQuestions(
  db: Connection,
  scoring: Scoring,
  given: {
    suite: Suite;
    judgeOf: ReadonlyMap<number, string>;
    writer: ScoreWriter;
    cache: boolean;
    stale: StaleReplies;
  },
): Questions {
  const { suite, judgeOf, writer, cache, stale } = given;
  const judges = enteredJudges(db, scoring.batchId, { suite, judgeOf });
  const write = questionWriter(db, scoring, { cache, staleUpTo: (scorer) => stale.get(scorer) ?? 0 });
  return {
    judges: [...judges.values()].map(({ stored }) => stored),
    ask(job, { scorer, round, bodies }) {
      const asked = judges.get(judgeOf.get(scorer) ?? "");
      if (asked === undefined) return;
      for (const [number, body] of bodies.entries()) {
        const question = questionTo(asked, body);
        writer.also(() => void write({ ...job, scorer, round, number, judge: asked.stored.id, ...question }));
      }
    },
  };
}

/** The judges of scorers by their names, each entered for the batch. */
export function enteredJudges(
  db: Connection,
  batchId: number,
  { suite, judgeOf }: { suite: Suite; judgeOf: ReadonlyMap<number, string> },
): Map<string, EnteredJudge> {
  const judges = new Map<string, EnteredJudge>();
  for (const name of judgeOf.values()) {
    const judge = suite.judges.find((each) => each.name === name);
    if (judge === undefined) throw new Error(`the suite has no judge ${name}`);
    const baseUrl = targetAddress(suite, judge);
    judges.set(name, { judge, baseUrl, stored: storedJudge(db, batchId, judge, baseUrl) });
  }
  return judges;
}

/** A judge of the suite, and as it is stored for a batch. */
export interface EnteredJudge {
  judge: Target;
  baseUrl: string;
  stored: StoredJudge;
}

/** The whole question, and a hash over it and where it goes: the same question is known again by it. */
export function questionTo(
  { judge: { endpoint, exampleId, body: constants }, baseUrl }: EnteredJudge,
  asked: JsonObject,
): { hash: string; body: string } {
  // It stays in the words of a case, as every input that is stored: the body is made of it when it is sent.
  const body = withTargetBody(asked, constants);
  return { hash: hashText(canonicalJson({ baseUrl, endpoint, exampleId, body }), 40), body: JSON.stringify(body) };
}
