import type { EndpointName } from "../api/endpoint-name.ts";

/** One HTTP request to make. */
export interface AttemptRequest {
  endpoint: EndpointName;
  exampleId: string;
  /** JSON text. */
  body: string;
  /** Time from the first byte sent to the last byte received. */
  timeoutMs: number;
  /** Milliseconds to add to moments of the steady clock for dates; left out: what the machine is set to when it is sent. */
  dateOffset?: number;
}
