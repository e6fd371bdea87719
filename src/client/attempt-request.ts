import type { HttpRequest } from "../api/endpoint-call.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import type { AsyncPart } from "../api/endpoints.ts";

/** One HTTP request to make. */
export interface AttemptRequest extends HttpRequest {
  /** The endpoint whose reply it is. */
  endpoint: EndpointName;
  /** The part of its asynchronous form; left out: its answer is waited for. */
  part?: AsyncPart | undefined;
  /** Texts and patterns of answers that are failures put into words; left out: none. */
  failedWhen?: readonly string[] | undefined;
  /** Time from the first byte sent to the last byte received. */
  timeoutMs: number;
  /** The reason why no request can be made of the case: nothing is sent, and the job is rejected. */
  fault?: string;
  /** Asked when a connection is ready, right before the first byte: when it is false, nothing is sent. Left out: it may. */
  mayLeave?: (() => boolean) | undefined;
  /** Milliseconds to add to moments of the steady clock for dates; left out: what the machine is set to when it is sent. */
  dateOffset?: number;
}
