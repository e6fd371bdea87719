import type { Endpoint } from "../api/api.ts";

/** One HTTP request to make. */
export interface AttemptRequest {
  endpoint: Endpoint;
  exampleId: string;
  /** JSON text. */
  body: string;
  /** Time from the first byte sent to the last byte received. */
  timeoutMs: number;
}
