import { hashText } from "../../lib/hash.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { JudgeScorer } from "../../score/contract/scorer.ts";
import { type ProbeReading, readProbe } from "../../score/probes/asked-probes.ts";
import { defaultDoubtPolicy } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { settleInDoubt } from "../../store/journal/in-doubt.ts";
import {
  askProbes,
  beginCheck,
  openCheck,
  probeReplies,
  type ProbeQuestion,
  type ProbeReply,
  unfinishedProbes,
} from "../../store/scores/judge-checks.ts";
import type { Suite } from "../../suite/suite.ts";
import type { RunContext } from "../context.ts";
import { type EnteredJudge, questionTo } from "../grade/questions.ts";
import { judgeReplyOf } from "../grade/score-answer.ts";
import { sendQuestions } from "../grade/send-questions.ts";
import type { SendEnd } from "../send/send.ts";

/** Questions to a judge that are no grading, as jobs of a batch. */
export interface ProbeList {
  batch: Batch;
  suite: Suite;
  /** Name of the score. */
  name: string;
  scorer: JudgeScorer;
  entered: EnteredJudge;
  /** A hash over the parts that make the judge. */
  identity: string;
  /** The requests of each probe, and the case of the batch that it stands at. */
  probes: readonly { bodies: readonly JsonObject[]; caseId: number }[];
  /** They are those of an earlier check. */
  again?: boolean;
}

function questionsOf(
  { entered, probes }: ProbeList,
  { place, bodies, round }: { place: number; bodies: readonly JsonObject[]; round: number },
): ProbeQuestion[] {
  const caseId = probes[place]?.caseId ?? 0;
  return bodies.map((body, number) => {
    return { place, round, number, caseId, judge: entered.stored.id, ...questionTo(entered, body) };
  });
}

const firstQuestions = (list: ProbeList): ProbeQuestion[] =>
  list.probes.flatMap(({ bodies }, place) => questionsOf(list, { place, bodies, round: 0 }));

const planOf = (list: ProbeList): string => hashText(JSON.stringify(firstQuestions(list)), 40);

/** The check with these questions that was broken off. */
export function brokenOffCheck(db: Connection, list: ProbeList): number | null {
  return openCheck(db, { batchId: list.batch.id, judge: list.identity, plan: planOf(list) });
}

/** The replies to all probes; `isOpen`: questions are left. */
export interface AskedProbes {
  checkId: number;
  readings: ProbeReading[];
  isOpen: boolean;
  end: SendEnd;
}

/** Sends what is open, once more what could not be read, and reads the replies. A check that was broken off goes on where it was. Only for the holder of the batch's lock. */
export async function askAll(run: RunContext, list: ProbeList): Promise<AskedProbes> {
  const { db } = run;
  const { batch, suite, name, identity, entered, again = false } = list;
  const about = { batchId: batch.id, scorer: name, judge: identity, plan: planOf(list), again };
  const checkId = brokenOffCheck(db, list) ?? beginCheck(db, { ...about, questions: firstQuestions(list) });
  settleInDoubt(db, batch.id, defaultDoubtPolicy(db, batch.id, suite), "probe");
  const end: SendEnd = { stopped: [], stops: [] };
  const isOpen = (): boolean => unfinishedProbes(db, batch.id).size > 0;
  for (const isRepaired of [false, true]) {
    const shown = `check of ${entered.judge.name}`;
    const sent = await sendQuestions({ ...run, suite }, batch, { kind: "probe", shown, isLater: true });
    end.stopped.push(...sent.stopped);
    end.stops.push(...sent.stops);
    if (isRepaired || isOpen()) break;
    const questions = readAll(list, probeReplies(db, checkId)).flatMap((read, place) => {
      if (!("repair" in read)) return [];
      // One that is as it was has a reply that could be read.
      const before = list.probes[place]?.bodies ?? [];
      return questionsOf(list, { place, bodies: read.repair, round: 1 }).filter(
        ({ number }) => read.repair[number] !== before[number],
      );
    });
    if (questions.length === 0) break;
    askProbes(db, { checkId, batchId: batch.id, questions });
  }
  const readings = readAll(list, probeReplies(db, checkId)).map((read): ProbeReading =>
    "repair" in read ? { score: { unscored: "the replies cannot be read" }, pair: null } : read,
  );
  return { checkId, readings, isOpen: isOpen(), end };
}

/** The grade of each probe by the replies of its last round, or the questions that ask once more. */
function readAll({ probes, scorer }: ProbeList, replies: readonly ProbeReply[]): ReturnType<typeof readProbe>[] {
  const byPlace = Map.groupBy(replies, ({ place }) => place);
  return probes.map(({ bodies }, place) => {
    const own = byPlace.get(place) ?? [];
    const round = own.reduce((last, reply) => Math.max(last, reply.round), 0);
    // A reply that was read is not asked for again: it stands in the round before.
    const last = bodies.map(
      (_, number) =>
        own.find((reply) => reply.round === round && reply.number === number) ??
        own.find((reply) => reply.round === 0 && reply.number === number),
    );
    const read = last.map((reply) => (reply?.outcome === "ok" ? judgeReplyOf(reply) : null));
    return readProbe(scorer, bodies, { replies: read, isRepaired: round > 0 });
  });
}
