import { AppError } from "../../errors.ts";
import { findBatch } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { attemptPages } from "../../store/results/attempt-pages.ts";
import { gradesIn, type SentGrade } from "../spans/grades.ts";
import { postJson } from "../spans/posting.ts";
import {
  langfuseAddress,
  type LangfuseOptions,
  scoreRequest,
  type LangfuseRequest,
  type ValuedGrade,
} from "./langfuse.ts";

export interface ScoresRequest extends Omit<LangfuseOptions, "batch"> {
  out: string;
  /** Name of a batch, SUITE~N or latest. */
  batch: string;
  env: NodeJS.ProcessEnv;
  /** Gets each request in the place of Langfuse; null: they are sent. */
  show: ((request: LangfuseRequest) => void) | null;
}

/** The end of handing over the scores of a batch. */
export interface ScoresSent {
  /** Name of the batch. */
  batch: string;
  /** Scores that Langfuse took; where nothing was to be sent, those that would be. */
  scores: number;
  /** Grades that are unscored, which are no score there. */
  unscored: number;
  /** Scores of runs that have no place there. */
  unplaced: number;
  /** Scores that it did not take. */
  refused: number;
  /** Why it did not, the first reason; null: it took all. */
  reason: string | null;
}

/** Requests that are on their way at a time. */
const atOnce = 8;

/**
 * Hands the scores of a batch to Langfuse. Each has an id that is made of the run and the metric: a command that was killed is
 * typed again, and nothing is there twice. Throws USAGE for a batch that was not graded, KEY_MISSING and KEY_INSECURE.
 */
export async function sendScores({ out, batch: reference, env, show, ...options }: ScoresRequest): Promise<ScoresSent> {
  const send = show === null ? senderTo(env) : null;
  using db = openDatabase(databasePath(out), { reading: true });
  const batch = findBatch(db, reference);
  const gradesOf = gradesIn(db, batch);
  if (gradesOf === null) {
    throw new AppError("USAGE", `${batch.name} was not graded, so that it has no scores to send.`, {
      hint: `Grade it: tandem score ${batch.name}`,
    });
  }
  const sent: ScoresSent = { batch: batch.name, scores: 0, unscored: 0, unplaced: 0, refused: 0, reason: null };
  for (const rows of attemptPages(db, batch.id, 0)) {
    const grades = gradesOf(rows);
    const valued = grades.filter(hasValue);
    const requests = valued.flatMap((grade) => scoreRequest(grade, { batch, ...options }) ?? []);
    sent.unscored += grades.length - valued.length;
    sent.unplaced += valued.length - requests.length;
    for (let at = 0; at < requests.length; at += atOnce) {
      const some = requests.slice(at, at + atOnce);
      const refusals = send === null ? some.map((request) => show?.(request)) : await Promise.all(some.map(send));
      const refused = refusals.filter((refusal) => typeof refusal === "string");
      sent.scores += some.length - refused.length;
      sent.refused += refused.length;
      sent.reason ??= refused[0] ?? null;
    }
  }
  return sent;
}

const hasValue = (grade: SentGrade): grade is ValuedGrade => grade.value !== null;

/** Sends one score; resolves with the reason where it was not taken. */
function senderTo(env: NodeJS.ProcessEnv): (request: LangfuseRequest) => Promise<string | null> {
  const { url, headers } = langfuseAddress(env);
  /** Why nothing more is sent: the key is refused, or several tries had no answer. */
  let over: string | null = null;
  return async ({ path, body }) => {
    if (over !== null) return over;
    const to = new URL(url);
    to.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
    const { ok, status, reason } = await postJson({ url: to, headers }, JSON.stringify(body), Number.POSITIVE_INFINITY);
    if (ok) return null;
    if (status === 401 || status === 403) over = `it refused the key: ${reason}`;
    else if (status === null || status === 429 || status >= 500) over = reason;
    return over ?? reason;
  };
}
