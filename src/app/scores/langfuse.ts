import { AppError } from "../../errors.ts";
import { parseAddress } from "../../lib/address.ts";
import type { Batch } from "../../store/batches.ts";
import { envValue } from "../../suite/environment.ts";
import { refuseFaultyKey } from "../../suite/key.ts";
import type { SentGrade } from "../spans/grades.ts";
import { needSafeWay, type PostAddress } from "../spans/posting.ts";

/** A grade with a value: what is unscored is no score in Langfuse. */
export interface ValuedGrade extends SentGrade {
  value: number;
}

/** The choices by which the scores of a batch are written. */
export interface LangfuseOptions {
  batch: Pick<Batch, "name" | "suiteName">;
  /** Reasons of grades go along, which may quote answers. */
  reasons: boolean;
  /** The ids of runs are those of the bot's own traces; else scores belong to the traces that `tandem send spans` sends. */
  runIds: boolean;
}

/** A request that hands over one score, as it is shown and sent. */
export interface LangfuseRequest {
  /** Below the address of Langfuse. */
  path: string;
  body: object;
}

/** The variables with its address and keys. */
export const langfuseVariables = [
  "LANGFUSE_PUBLIC_KEY",
  "LANGFUSE_SECRET_KEY",
  "LANGFUSE_BASE_URL",
  "LANGFUSE_HOST",
] as const;

/**
 * `POST /api/public/scores`, which creates a score, or writes over that of the same `id`. Null: the grade has no place there,
 * as its run has no id.
 */
export function scoreRequest(grade: ValuedGrade, { batch, reasons, runIds }: LangfuseOptions): LangfuseRequest | null {
  const { id, metric, value, reason, of, traceId, spanId } = grade;
  if (runIds && of.runId === null) return null;
  const place = runIds ? { traceId: of.runId } : { traceId, observationId: spanId };
  const body = {
    id,
    ...place,
    name: metric.name,
    value,
    dataType: metric.scale.kind === "pass" ? "BOOLEAN" : "NUMERIC",
    ...(reasons && reason !== null && { comment: reason.toWellFormed() }),
    metadata: {
      batch: batch.name,
      suite: batch.suiteName,
      target: of.target,
      case: of.key,
      repeat: of.repeat,
      scorer: metric.type,
    },
  };
  return { path: "/api/public/scores", body };
}

const cloud = "https://cloud.langfuse.com";

/** Its address and keys. Throws KEY_MISSING and KEY_INSECURE. */
export function langfuseAddress(env: NodeJS.ProcessEnv): PostAddress {
  const [user, word] = [keyIn(env, "LANGFUSE_PUBLIC_KEY"), keyIn(env, "LANGFUSE_SECRET_KEY")];
  const name = ["LANGFUSE_BASE_URL", "LANGFUSE_HOST"].find((each) => (env[each]?.trim() ?? "") !== "");
  const text = (name === undefined ? cloud : (env[name] ?? "")).trim();
  const { url, fault } = parseAddress(text);
  if (url === null) throw new AppError("USAGE", `${name} ${fault}.`, { hint: `For example: export ${name}=${cloud}` });
  const address = {
    url,
    headers: { authorization: `Basic ${Buffer.from(`${user}:${word}`).toString("base64")}` },
  };
  needSafeWay(address, "The key");
  return address;
}

function keyIn(env: NodeJS.ProcessEnv, name: string): string {
  const value = envValue(env, name);
  if (value !== "") refuseFaultyKey(value, name, name);
  if (value !== "") return value;
  throw new AppError("KEY_MISSING", `${name} is not set.`, { hint: `Put it into the environment: export ${name}=...` });
}
