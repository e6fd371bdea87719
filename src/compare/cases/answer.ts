import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { storedOutput } from "../../api/stored-output.ts";

/**
 * The answer of a target, from a stored body: the replies of a bot joined by a blank line (those before post-processing
 * if there are no others), or a function's return value, text as it is and anything else as JSON. Null when there is no
 * answer or the body is no record.
 */
export function answerTextOf(endpoint: EndpointName, body: string | null): string | null {
  const output = storedOutput(endpoint, body);
  return output === null ? null : endpointOf(endpoint).textOf(output);
}
