import { endpointOf } from "../api/endpoints.ts";
import { type Fault, fault } from "../lib/fault.ts";
import { sessionField } from "../api/session-field.ts";
import type { CaseMapping, Target } from "./suite.ts";

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

/** Names of fields that tell conversations apart, though another column than that of the conversation fills them. */
const namesTalk = /conversation|session|thread|chat|dialog|talk|user|customer|sender|contact|caller/i;

/**
 * The fault of a target whose service keeps conversations itself, and whose requests name none: the service would begin a new
 * one with each turn. Null where there is none.
 */
export function sessionFault({ name, endpoint, body, keepsHistory }: Target, mapping: CaseMapping): Fault | null {
  const { session, lacksHistory } = endpointOf(endpoint);
  if (keepsHistory !== true || session === null || lacksHistory === null) return null;
  const { cluster, input } = mapping;
  const isWhole = mapping.turns !== undefined || mapping.messages !== undefined || cluster === null;
  const sources: Readonly<Record<string, unknown>> = { ...input, ...body };
  const isNamed = (field: string): boolean =>
    isWhole || namesTalk.test(field) || JSON.stringify(sources[field] ?? field).includes(cluster);
  if ((session.of !== null && session.isSent) || session.uses.some(isNamed)) return null;
  const place = ["targets", name, "endpoint", lacksHistory.key ?? []].flat();
  const message = "names no conversation, so that the service would begin a new one with each turn";
  const sent = `put it into the request: \`${sessionField}: $${sessionField}\``;
  if (session.of !== null) return fault(place, message, `The reply names one (session: ${session.path}); ${sent}.`);
  return fault(
    place,
    message,
    `If the service gives it an id, say where the reply has it (\`session: $.conversation_id\` in the endpoint), and ${sent}. If it takes one of yours, map it: \`${sessionField}: ${cluster ?? "COLUMN"}\` in case.input.`,
  );
}
