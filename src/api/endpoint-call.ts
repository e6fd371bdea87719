import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { BodyWithFiles } from "./files/case-file.ts";
import type { FileMarks } from "./files/file-marks.ts";
import type { StatusMeaning } from "./outcomes.ts";

/** One request as HTTP has it. */
export interface HttpRequest {
  method: string;
  /** Below the base URL of a deployment, with the query. */
  path: string;
  /** null: it has none. */
  body: string | BodyWithFiles | null;
  /** Type of this body, where it is not that of the endpoint's call. */
  contentType?: string;
}

/** A request as an endpoint puts it together: texts stand for its files. */
export type MadeRequest = HttpRequest & { body: string | null };

/** A reply, or a stored body. */
export interface ReceivedReply {
  /** The body as JSON; undefined when it is none. */
  json: JsonValue | undefined;
  /** The body as text. */
  text: () => string;
}

/** A run as a reply tells of it. */
export interface ReplyRun {
  /** The record's own id, or the `run_id` of its url, or one salvaged from a broken body; null when there is none. */
  id: string | null;
  url: string | null;
  /** ISO 8601 where the reply says so. */
  createdAt: string | null;
}

/** The form of one request and of its reply: a client that sends and waits needs nothing else. */
export interface EndpointCall {
  /** Method and path for messages: the path may hold templates. */
  method: string;
  path: string;
  /** The part that stands between the path of a base URL and that of a request; mostly nothing. */
  below: (basePath: string) => string;
  /** Type of the request's body; null where there is none. */
  contentType: string | null;
  /** Further headers; `${NAME}` in a value stands for a variable of the environment. */
  headers: Readonly<Record<string, string>>;
  /** The word before the key in `Authorization`. */
  keyWord: string;
  /** True for the service, whose deployments need a key; false: every other one, which is asked without one where there is none. */
  needsKey: boolean;
  /**
   * The request for a case's input with the target's own members over it; `runs` names what is to run, `files` knows which
   * texts stand for files. It may change the object that it is given. Raises an Error for a case that cannot be put into it.
   */
  request: (body: JsonObject, runs: string, files: FileMarks) => MadeRequest;

  /** The output of a reply with a good status, or of a stored body; null: it is not a reply of this endpoint. */
  outputOf: (reply: ReceivedReply) => JsonObject | null;
  /** True for a reply without an output that began as one and broke off, beside JSON that does: a run may have been made. */
  isBroken: (reply: ReceivedReply) => boolean;
  /** The run that a reply with an output tells of. */
  runOf: (reply: ReceivedReply) => ReplyRun;
  /** The error of a reply that has a good status but no answer; null: it has an answer, or no error. */
  failureIn: (output: JsonObject) => string | null;
  /** The reason why an output shows that the endpoint is not described rightly; null: it does not. Asked about first replies. */
  lacksAnswer: (output: JsonObject) => string | null;
  /** The reason why a reply with a good status is not one of this endpoint, after "is JSON ...". */
  notOurs: string;

  /** The part of an error's body that may name the run that failed. */
  failedRun: (json: JsonValue | undefined) => JsonObject | null;
  /** The message of an error's body, if its form is not that of the service. */
  errorText: (json: JsonValue | undefined) => string | null;
  /** The meaning of an error; null: that of its status. */
  meaning: (status: number, json: JsonValue | undefined) => StatusMeaning | null;
  /** Where a broken body may still name its run, in the form that the service writes. */
  salvagesRuns: boolean;

  /** A body that is read as this output and this run, for an answer that nobody sent. */
  bodyOf: (output: JsonObject, run: ReplyRun) => string;
}

/** The address of a request to a deployment. */
export function addressOf(call: EndpointCall, baseUrl: string, path: string): string {
  return baseUrl + call.below(pathOf(baseUrl)) + path;
}

/** The path of a base URL, without a slash at its end; empty for an address that is none, such as `local:DIR`. */
function pathOf(baseUrl: string): string {
  return /^https?:/.test(baseUrl) ? new URL(baseUrl).pathname.replace(/\/+$/, "") : "";
}
