import { chatCompletions } from "./chat/chat-completions.ts";
import { descriptionIn, type EndpointName, isDescribed, type NamedEndpoint } from "./endpoint-name.ts";
import type { Endpoint } from "./endpoint.ts";
import { functions } from "./functions.ts";
import { describedEndpoint } from "./http/described.ts";
import { videoBots } from "./video-bots.ts";

/** The endpoints with names of their own: a new one is an object of its own and a line here. */
const named: Readonly<Record<NamedEndpoint, Endpoint>> = {
  "video-bots": videoBots,
  functions,
  "chat-completions": chatCompletions,
};

/** Those that suites describe, made with their first use. */
const described = new Map<EndpointName, Endpoint>();

/** The endpoint of a name. */
export function endpointOf(name: EndpointName): Endpoint {
  if (!isDescribed(name)) return named[name];
  const known = described.get(name);
  if (known !== undefined) return known;
  const made = describedEndpoint(descriptionIn(name));
  described.set(name, made);
  return made;
}
