import { firstLook } from "../grade/trial.ts";
import { type SendEnd, type SendOptions, sendBatch } from "../send/send.ts";
import { wayToDecide } from "./deciding.ts";
import { sendInRounds } from "./rounds.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { Suite } from "../../suite/suite.ts";

interface Sending extends SendOptions {
  suite: Suite;
  /** Leave to run the modules and commands of the suite. null: it must have none. */
  trust: CodeTrust | null;
  /** Tries the scorers and one case of each target before the rest is sent. */
  preflight: boolean;
  /** Judges are not asked again what they have answered, for whatever batch. */
  cache: boolean;
}

/** Sends what is unfinished, until it is decided where the suite asks for that. */
export async function sendUnfinished(db: Connection, batch: Batch, request: Sending): Promise<SendEnd> {
  const options: SendOptions = { ...request, ...examination(db, batch, request) };
  const way = await wayToDecide(db, batch, request);
  if (way === null) return sendBatch(db, batch, options);
  if (way.kind === "to-the-end") {
    request.onNotice(`Everything is sent, although it should stop when it is decided: ${way.why}.`);
    return sendBatch(db, batch, options);
  }
  if (way.kind === "at-once") return sendBatch(db, batch, { ...options, deciding: way.deciding });
  request.onNotice(
    "Its gates take scorers that take their time: cases are sent in rounds until it is decided, each with its grading.",
  );
  const { suite, trust, cache } = request;
  const score = { suite, trust, cache, again: false };
  return sendInRounds(db, batch, { send: options, score });
}

/** Sends what was left out when it was decided, too. */
export async function sendRest(db: Connection, batch: Batch, request: Omit<Sending, "cache">): Promise<SendEnd> {
  return sendBatch(db, batch, { ...request, ...examination(db, batch, request) });
}

/** A look at the first answers before the rest is sent, unless the user does without. */
function examination(
  db: Connection,
  batch: Batch,
  { preflight, suite, trust }: Pick<Sending, "preflight" | "suite" | "trust">,
): Pick<SendOptions, "firstLook"> {
  return preflight ? { firstLook: firstLook(db, batch, { suite, trust }) } : {};
}
