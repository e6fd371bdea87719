import { endpointOf } from "../api/endpoints.ts";
import type { Target } from "./suite.ts";

/** True for a target whose requests hold what was said before: its endpoint takes `messages`, and it sets none itself. */
export function sendsHistory({ endpoint, body }: Pick<Target, "endpoint" | "body">): boolean {
  return endpointOf(endpoint).takesHistory && body["messages"] === undefined;
}
