import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { EndpointCall, HttpRequest, ReceivedReply, ReplyRun } from "./endpoint-call.ts";
import type { StatusMeaning } from "./outcomes.ts";
import { detailOf } from "./service-call.ts";

/** The asynchronous form of an endpoint: a run is submitted, and asked for by its id until it has ended. */
export interface AsyncForm {
  /** The submission; its reply names the run and has no output yet. */
  submit: EndpointCall;
  /** The question for a run; its reply as a whole is what `stateOf` reads. */
  status: EndpointCall;
  /** The request that asks for a run. */
  ask: (runId: string) => HttpRequest;
  /** Reads the reply to the question. */
  stateOf: (json: JsonValue | undefined) => RunReported;
}

/** The facts that a service tells of a run. */
interface RunReported {
  isGoing: boolean;
  /** It has ended well, by its own word. */
  isCompleted: boolean;
  /** The output as soon as it has ended; empty where it has none, or was told before and deleted. */
  output: JsonObject;
  /** Milliseconds of the run itself; null: it is not told. */
  runMs: number | null;
}

const goingStates = new Set(["standby", "starting", "running"]);
const endedStates = new Set(["completed", "failed"]);

/** The asynchronous form of a call of the service, under the name that it has there. */
export function asyncForm(slug: string, call: EndpointCall): AsyncForm {
  const submitPath = `/v3/${slug}/async`;
  const statusPath = `/v3/${slug}/status/`;
  const common = { ...call, runOf: runOfReply, failedRun: failedRunOf, failureIn: () => null };
  return {
    submit: {
      ...common,
      path: submitPath,
      request(body, runs, files) {
        const { path, ...request } = call.request(body, runs, files);
        return { ...request, path: submitPath + path.slice(call.path.length) };
      },
      outputOf: (reply) => (runOfReply(reply).id === null ? null : {}),
      notOurs: 'without a "run_id"',
    },
    status: {
      ...common,
      method: "GET",
      path: statusPath,
      contentType: null,
      outputOf: ({ json }) => (isJsonObject(json) && isState(json["status"]) ? json : null),
      failureIn: failureOf,
      meaning: statusMeaning,
      notOurs: 'without the "status" of a run',
    },
    ask: (runId) => ({
      method: "GET",
      path: `${statusPath}?run_id=${encodeURIComponent(runId.toWellFormed())}`,
      body: null,
    }),
    stateOf,
  };
}

/** The reason why a run has no answer: its own, or that it ended in another form than the API has. */
function failureOf({ status, detail, output }: JsonObject): string | null {
  if (status === "failed") {
    const reason = textOf(detail) || (isJsonObject(detail) || Array.isArray(detail) ? JSON.stringify(detail) : "");
    return reason || "the run failed";
  }
  const isSound = output === undefined || output === null || isJsonObject(output);
  return status === "completed" && !isSound ? "the run has completed with an output that is no object" : null;
}

/**
 * The meaning of an error to a question for a run: with the id of the run, that it has failed, whatever the status; a run
 * is not known only where the service itself says so, not a proxy or an account that is out.
 */
function statusMeaning(status: number, json: JsonValue | undefined): StatusMeaning | null {
  const detail = failedRunOf(json);
  if (detail !== null && textOf(detail["id"]) !== "") return status === 402 ? "credits" : "run-failed";
  if (status === 402) return "ambiguous";
  if (status !== 404) return null;
  return isJsonObject(json) && typeof json["detail"] === "string" ? "target" : "ambiguous";
}

const isState = (status: JsonValue | undefined): boolean =>
  typeof status === "string" && (goingStates.has(status) || endedStates.has(status));

function stateOf(json: JsonValue | undefined): RunReported {
  const { status, output, run_time_sec: seconds } = isJsonObject(json) ? json : {};
  return {
    isGoing: typeof status === "string" && goingStates.has(status),
    isCompleted: status === "completed",
    output: isJsonObject(output) ? output : {},
    runMs: typeof seconds === "number" && seconds >= 0 ? Math.round(seconds * 1_000) : null,
  };
}

function runOfReply({ json }: ReceivedReply): ReplyRun {
  const { run_id: id, web_url: url, created_at: createdAt } = isJsonObject(json) ? json : {};
  return { id: textOf(id) || null, url: textOf(url) || null, createdAt: textOf(createdAt) || null };
}

/** The detail of an error in the words of a record. */
function failedRunOf(json: JsonValue | undefined): JsonObject | null {
  const detail = detailOf(json);
  if (detail === null) return null;
  const { run_id: id = null, web_url: url = null, ...rest } = detail;
  return id === null && url === null ? detail : { ...rest, id, url };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");
