import { findBatch } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { attemptPages } from "../../store/results/attempt-pages.ts";
import { AppError } from "../../errors.ts";
import { gradesIn, type SentGrade } from "../spans/grades.ts";
import { postJson } from "../spans/posting.ts";
import {
  type Handing,
  type Post,
  type ReceiverName,
  type ScoreReceiver,
  receivers,
  type HandingRequest,
  type ValuedGrade,
} from "./receivers.ts";

export interface ScoresRequest extends Omit<Handing, "batch"> {
  out: string;
  /** Name of a batch, SUITE~N or latest. */
  batch: string;
  to: ReceiverName;
  /** Gets each request in the place of the receiver; null: they are sent. */
  show: ((request: HandingRequest) => void) | null;
}

/** The end of handing over the scores of a batch. */
export interface ScoresSent {
  /** Name of the batch. */
  batch: string;
  to: ReceiverName;
  /** Scores that the receiver took; where nothing was to be sent, those that would be. */
  scores: number;
  /** Scores that it had already, and kept as they were. */
  alreadyThere: number;
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
 * Hands the scores of a batch to a program that takes them. Each has an id that is made of the run and the metric: whoever
 * was killed begins again, and nothing is there twice. Throws USAGE for a batch that was not graded, and what a receiver's
 * address throws.
 */
export async function sendScores({ out, batch: reference, to, show, ...choices }: ScoresRequest): Promise<ScoresSent> {
  const receiver = receivers[to];
  const link = show === null ? linkTo(receiver, choices.env) : null;
  using db = openDatabase(databasePath(out), { reading: true });
  const batch = findBatch(db, reference);
  const gradesOf = gradesIn(db, batch);
  if (gradesOf === null) {
    throw new AppError("USAGE", `${batch.name} was not graded, so that it has no scores to send.`, {
      hint: `Grade it: tandem score ${batch.name}`,
    });
  }
  const reported: ScoresSent = {
    batch: batch.name,
    to,
    scores: 0,
    alreadyThere: 0,
    unscored: 0,
    unplaced: 0,
    refused: 0,
    reason: null,
  };
  for (const rows of attemptPages(db, batch.id, 0)) {
    const grades = gradesOf(rows);
    const valued = grades.filter(hasValue);
    const requests = receiver.requests(valued, { batch, ...choices });
    const placed = requests.reduce((sum, { scores }) => sum + scores, 0);
    reported.unscored += grades.length - valued.length;
    reported.unplaced += valued.length - placed;
    if (link === null) {
      for (const request of requests) show?.(request);
      reported.scores += placed;
      continue;
    }
    for (let at = 0; at < requests.length; at += atOnce) {
      await Promise.all(requests.slice(at, at + atOnce).map((request) => handOver(request, link, reported)));
    }
  }
  return reported;
}

const hasValue = (grade: SentGrade): grade is ValuedGrade => grade.value !== null;

async function handOver(request: HandingRequest, link: Link, reported: ScoresSent): Promise<void> {
  const end = await link(request);
  if (end === "taken") reported.scores += request.scores;
  else if (end === "already there") reported.alreadyThere += request.scores;
  else {
    reported.refused += request.scores;
    reported.reason ??= end.refusal;
  }
}

/** Sends a request, and tells what became of it. */
type Link = (request: HandingRequest) => Promise<"taken" | "already there" | { refusal: string }>;

function linkTo(receiver: ScoreReceiver, env: NodeJS.ProcessEnv): Link {
  const { url, headers } = receiver.address(env);
  /** Why nobody is asked any more: the key is refused, or nobody answers after several tries. */
  let over: string | null = null;
  const post: Post = async (path, body) => {
    const to = new URL(url);
    to.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
    const reply = await postJson({ url: to, headers }, JSON.stringify(body), Number.POSITIVE_INFINITY);
    const { status } = reply;
    if (status === 401 || status === 403) over = `it refused the key: ${reply.reason}`;
    else if (!reply.ok && (status === null || status === 429 || status >= 500)) over = reply.reason;
    return reply;
  };
  const experiments = new Map<string, Promise<string>>();
  const pathOf = async ({ path, experiment }: HandingRequest): Promise<string> => {
    if (experiment === undefined || receiver.experiment === undefined) return path;
    const known = experiments.get(experiment) ?? receiver.experiment(experiment, env, post);
    experiments.set(experiment, known);
    return path.replace("{experiment_id}", await known);
  };
  return async (request) => {
    if (over !== null) return { refusal: over };
    try {
      const reply = await post(await pathOf(request), request.body);
      if (reply.ok) return "taken";
      return reply.status === receiver.has ? "already there" : { refusal: over ?? reply.reason };
    } catch (error) {
      return { refusal: over ?? (error instanceof Error ? error.message : String(error)) };
    }
  };
}
