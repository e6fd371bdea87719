import type { EndpointName } from "../api/endpoint-name.ts";

/** One HTTP request to make. */
export interface AttemptRequest {
  endpoint: EndpointName;
  exampleId: string;
  /** JSON text. */
  body: string;
  /** Time from the first byte sent to the last byte received. */
  timeoutMs: number;
}
