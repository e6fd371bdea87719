import type { JsonValue } from "../../lib/json.ts";
import { type HttpAnswer, jsonAnswer } from "./http-answer.ts";
import type { RunIdentity } from "../record/record.ts";

/** Thrown by a check that a request does not pass: the answer it gets instead of a run. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

/** 401: no or malformed Authorization. */
export function unauthorized(error: string): HttpAnswer {
  return jsonAnswer(401, { detail: { error } });
}

/** 403: a key that is not known. */
export function forbidden(): HttpAnswer {
  return jsonAnswer(403, { detail: { error: "Invalid API Key." } });
}

/** 402 without a run. */
export function paymentRequired(): HttpAnswer {
  return jsonAnswer(402, { detail: { error: "Payment required" } });
}

/** 404: an unknown example_id or path; the detail is a string. */
export function notFound(): HttpAnswer {
  return jsonAnswer(404, { detail: "Not Found" });
}

/** 405 with the method that would be right. */
export function methodNotAllowed(allow: string): HttpAnswer {
  return jsonAnswer(405, { detail: "Method Not Allowed" }, { allow });
}

/** One reason why a body does not fit, in the shape the service uses. */
export interface BodyFault {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: JsonValue;
  ctx?: { [member: string]: JsonValue };
}

/** 422: a list of everything that is wrong with the body. */
export function unprocessable(faults: BodyFault[]): HttpAnswer {
  return jsonAnswer(422, { detail: faults.map((fault) => ({ ...fault })) });
}

/** 429 of either kind; `retryAfter` is written as it is. */
export function tooManyRequests(error: string, retryAfter: string): HttpAnswer {
  return jsonAnswer(429, { detail: { error } }, { "retry-after": retryAfter });
}

/** An error that belongs to a run: the run has an id and a page, and was not paid. */
export function runError(status: 401 | 402 | 500, run: RunIdentity, error: string): HttpAnswer {
  return jsonAnswer(status, { detail: { id: run.id, url: run.url, created_at: run.createdAt, error } });
}

/** 500 of the service itself: the detail is a string, and nobody knows whether a run exists. */
export function unhandled(error: string): HttpAnswer {
  return jsonAnswer(500, {
    detail: error,
    github_url: "https://git.example.test/server/blob/main/routers/api.py#L410",
    traceback: `Traceback (most recent call last):\n  File "routers/api.py", line 410, in create_new_run\n${error}\n`,
  });
}
