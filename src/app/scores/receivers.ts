import { envValue } from "../../suite/environment.ts";
import { refuseFaultyKey } from "../../suite/key.ts";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { parseAddress } from "../../lib/address.ts";
import type { Batch } from "../../store/batches.ts";
import type { SentGrade } from "../spans/grades.ts";
import { jsonOf, needSafeWay, type PostAddress, type PostReply } from "../spans/posting.ts";

/** Programs that take scores. */
export type ReceiverName = "langfuse" | "langsmith" | "braintrust";

/** A request that hands over scores, as it is shown and sent. */
export interface HandingRequest {
  /** Below the address of the receiver; `{experiment_id}` is known when it is sent. */
  path: string;
  body: object;
  /** Number of scores in it. */
  scores: number;
  /** The experiment in which they stand, by its name; left out: in none. */
  experiment?: string;
}

/** The choices of whoever hands scores over. */
export interface Handing {
  batch: Pick<Batch, "name" | "suiteName">;
  /** Reasons of grades go along, which may quote answers. */
  reasons: boolean;
  /** The ids of runs are those of the receiver's own traces; else scores belong to the traces that `tandem spans` sends. */
  runIds: boolean;
  env: NodeJS.ProcessEnv;
}

/** A program that takes scores. Its requests are those of its documented API, with ids by which the same score is never there twice. */
export interface ScoreReceiver {
  title: string;
  /** The variables with its address and keys, some of which may be left out. */
  variables: readonly string[];
  /** The reason why a run without such a place is left out. */
  needs: string;
  /** The requests for the grades of some runs; grades that have no place there are in none. */
  requests: (grades: readonly ValuedGrade[], handing: Handing) => HandingRequest[];
  /** Its address and keys. Throws KEY_MISSING and KEY_INSECURE. */
  address: (env: NodeJS.ProcessEnv) => PostAddress;
  /** The id of an experiment, which is made where it is not there; an Error says why there is none. */
  experiment?: (name: string, env: NodeJS.ProcessEnv, post: Post) => Promise<string>;
  /** The answer that it has this score already. */
  has?: number;
}

/** Sends a body to a path of the receiver. */
export type Post = (path: string, body: object) => Promise<PostReply>;

/** A grade with a value: what is unscored is no score of anybody. */
export interface ValuedGrade extends SentGrade {
  value: number;
}

const metadataOf = ({ of, metric }: SentGrade, { batch }: Handing) => ({
  batch: batch.name,
  suite: batch.suiteName,
  target: of.target,
  case: of.key,
  repeat: of.repeat,
  scorer: metric.type,
});

const commentOf = ({ reason }: SentGrade, { reasons }: Handing) =>
  reasons && reason !== null ? { comment: reason.toWellFormed() } : {};

/** Langfuse: `POST /api/public/scores`, which creates a score, or writes over that of the same `id`. */
const langfuse: ScoreReceiver = {
  title: "Langfuse",
  variables: ["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY", "LANGFUSE_BASE_URL", "LANGFUSE_HOST"],
  needs: "an id of its run, which is that of a trace in Langfuse",
  requests: (grades, handing) =>
    grades.flatMap((grade) => {
      const { id, metric, value, of, traceId, spanId } = grade;
      if (handing.runIds && of.runId === null) return [];
      const place = handing.runIds ? { traceId: of.runId } : { traceId, observationId: spanId };
      const body = {
        id,
        ...place,
        name: metric.name,
        value,
        dataType: metric.scale.kind === "pass" ? "BOOLEAN" : "NUMERIC",
        ...commentOf(grade, handing),
        metadata: metadataOf(grade, handing),
      };
      return [{ path: "/api/public/scores", body, scores: 1 }];
    }),
  address: (env) => {
    const [user, word] = [keyIn(env, "LANGFUSE_PUBLIC_KEY"), keyIn(env, "LANGFUSE_SECRET_KEY")];
    const authorization = `Basic ${Buffer.from(`${user}:${word}`).toString("base64")}`;
    return addressIn(env, ["LANGFUSE_BASE_URL", "LANGFUSE_HOST"], "https://cloud.langfuse.com", { authorization });
  },
};

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** LangSmith: `POST /api/v1/feedback` on a run of its own; it answers 409 where it has that of the same `id`. */
const langsmith: ScoreReceiver = {
  title: "LangSmith",
  variables: ["LANGSMITH_API_KEY", "LANGSMITH_ENDPOINT", "LANGSMITH_WORKSPACE_ID", "LANGSMITH_PROJECT_ID"],
  needs: "an id of its run that is that of a run in LangSmith, a UUID",
  has: 409,
  requests: (grades, handing) =>
    grades.flatMap((grade) => {
      const { id, metric, value, of } = grade;
      if (of.runId === null || !uuid.test(of.runId)) return [];
      const session = handing.env["LANGSMITH_PROJECT_ID"]?.trim() ?? "";
      const body = {
        id: uuidOf(id),
        run_id: of.runId,
        ...(session !== "" && { session_id: session }),
        key: metric.name,
        score: value,
        ...commentOf(grade, handing),
        feedback_source: { type: "api", metadata: metadataOf(grade, handing) },
      };
      return [{ path: "/api/v1/feedback", body, scores: 1 }];
    }),
  address: (env) => {
    const workspace = env["LANGSMITH_WORKSPACE_ID"] ?? "";
    const headers = {
      "x-api-key": keyIn(env, "LANGSMITH_API_KEY"),
      ...(workspace !== "" && { "x-tenant-id": workspace }),
    };
    const address = addressIn(env, ["LANGSMITH_ENDPOINT"], "https://api.smith.langchain.com", headers);
    // For a server of one's own, the variable is written with the path of the API.
    address.url.pathname = address.url.pathname.replace(/\/api\/v1\/*$/, "/");
    return address;
  },
};

/** Braintrust: `POST /v1/experiment/{id}/insert`, a row for each run in an experiment for each target; a row of the same `id` is replaced. */
const braintrust: ScoreReceiver = {
  title: "Braintrust",
  variables: ["BRAINTRUST_API_KEY", "BRAINTRUST_PROJECT_ID", "BRAINTRUST_API_URL"],
  needs: "",
  requests: (grades, handing) =>
    [...Map.groupBy(grades, ({ of }) => of.target)].map(([target, ofTarget]) => {
      const rows = [...Map.groupBy(ofTarget, ({ traceId }) => traceId)];
      const events = rows.map(([id, own]) => {
        const [first] = own;
        // Only shares are scores there; seconds, words and points are its metrics.
        const [shares, others] = [own.filter(isShare), own.filter((grade) => !isShare(grade))];
        return {
          id,
          // Rows of experiments belong together by their input.
          input: { case: first?.of.key, repeat: first?.of.repeat },
          scores: Object.fromEntries(shares.map(({ metric, value }) => [metric.name, value])),
          ...(others.length > 0 && {
            metrics: Object.fromEntries(others.map(({ metric, value }) => [metric.name, value])),
          }),
          metadata: {
            batch: handing.batch.name,
            suite: handing.batch.suiteName,
            target,
            run_id: first?.of.runId ?? null,
            ...(handing.reasons && {
              reasons: Object.fromEntries(
                own.map(({ metric, reason }) => [metric.name, reason?.toWellFormed() ?? null]),
              ),
            }),
          },
        };
      });
      const experiment = `${handing.batch.name} ${target}`;
      return { path: "/v1/experiment/{experiment_id}/insert", body: { events }, scores: ofTarget.length, experiment };
    }),
  address: (env) => {
    keyIn(env, "BRAINTRUST_PROJECT_ID");
    const authorization = `Bearer ${keyIn(env, "BRAINTRUST_API_KEY")}`;
    return addressIn(env, ["BRAINTRUST_API_URL"], "https://api.braintrust.dev", { authorization });
  },
  experiment: async (name, env, post) => {
    const reply = await post("/v1/experiment", { project_id: keyIn(env, "BRAINTRUST_PROJECT_ID"), name });
    if (!reply.ok) throw new Error(reply.reason);
    const made = experimentMade.safeParse(jsonOf(reply.text));
    if (!made.success) throw new Error("it named no experiment");
    return made.data.id;
  },
};

/** The id goes into the path of what follows: nothing in it leads elsewhere. */
const experimentMade = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) });

export const receivers: Record<ReceiverName, ScoreReceiver> = { langfuse, langsmith, braintrust };

function isShare({ metric: { scale }, value }: ValuedGrade): boolean {
  const isKind = scale.kind === "pass" || (scale.kind === "bounded" && scale.min === 0 && scale.max === 1);
  return isKind && value >= 0 && value <= 1;
}

/** The digits of a hash as a UUID of version 8, which is for ids that are made of something. */
function uuidOf(id: string): string {
  const digits = `${id.slice(0, 12)}8${id.slice(13, 16)}a${id.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function keyIn(env: NodeJS.ProcessEnv, name: string): string {
  const value = envValue(env, name);
  if (value !== "") refuseFaultyKey(value, name, name);
  if (value !== "") return value;
  throw new AppError("KEY_MISSING", `${name} is not set.`, { hint: `Put it into the environment: export ${name}=...` });
}

function addressIn(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
  usual: string,
  headers: Record<string, string>,
): PostAddress {
  const name = names.find((each) => (env[each]?.trim() ?? "") !== "");
  const text = (name === undefined ? usual : (env[name] ?? "")).trim();
  const { url, fault } = parseAddress(text);
  if (url === null) {
    throw new AppError("USAGE", `${name} ${fault}.`, {
      hint: `For example: export ${name}=${usual}`,
    });
  }
  const address = { url, headers };
  needSafeWay(address, "The key");
  return address;
}
