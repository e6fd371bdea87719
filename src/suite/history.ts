import { endpointOf } from "../api/endpoints.ts";
import { type Fault, fault } from "./fault.ts";
import type { Target } from "./suite.ts";

/** True for a target whose requests hold what was said before: its endpoint takes `messages`, and it sets none itself. */
export function sendsHistory({ endpoint, body }: Pick<Target, "endpoint" | "body">): boolean {
  return endpointOf(endpoint).lacksHistory === null && body["messages"] === undefined;
}

/**
 * The fault of a target in a suite whose dataset has conversations: their turns would be sent without what was said
 * before, and nothing says that the service knows it. Null where there is none.
 */
export function historyFault(target: Target): Fault | null {
  const { name, endpoint, stored, keepsHistory = false } = target;
  if (stored !== undefined || keepsHistory || sendsHistory(target)) return null;
  const { lacksHistory } = endpointOf(endpoint);
  const place = lacksHistory === null ? ["body", "messages"] : ["endpoint", lacksHistory.key ?? []].flat();
  const message = lacksHistory?.message ?? "takes the place of what was said before";
  const advice = lacksHistory?.advice ?? "Take it out";
  return fault(
    ["targets", name, ...place],
    `${message}, and the dataset has conversations`,
    `${advice}; or write \`history: service\` beside \`endpoint\`, if the service keeps the conversation itself.`,
  );
}
