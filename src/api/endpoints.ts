import type { AsyncForm } from "./async-form.ts";
import type { EndpointCall } from "./endpoint-call.ts";
import { chatCompletions } from "./chat/chat-completions.ts";
import { embeddings } from "./embeddings.ts";
import { descriptionIn, endpointNamed, type EndpointName, isDescribed, type NamedEndpoint } from "./endpoint-name.ts";
import type { Endpoint } from "./endpoint.ts";
import { functions } from "./functions.ts";
import { describedEndpoint } from "./http/described.ts";
import { videoBots } from "./video-bots.ts";

/** The endpoints with names of their own: a new one is an object of its own and a line here. */
const named: Readonly<Record<NamedEndpoint, Endpoint>> = {
  "video-bots": videoBots,
  functions,
  "chat-completions": chatCompletions,
  embeddings,
};

/** Those that suites describe, made with their first use. */
const described = new Map<EndpointName, Endpoint>();

/** A part of the asynchronous form. */
export type AsyncPart = "submit" | "status";

/** The call of an endpoint, or of a part of its asynchronous form. */
export function callOf(name: EndpointName, part: AsyncPart | undefined): EndpointCall {
  return part === undefined ? endpointOf(name).call : asyncFormOf(name)[part];
}

/** The asynchronous form of an endpoint that has one: a suite that asks another for it is refused. */
export function asyncFormOf(name: EndpointName): AsyncForm {
  const { asyncForm } = endpointOf(name);
  if (asyncForm === null) throw new Error(`the endpoint ${name} has no asynchronous form`);
  return asyncForm;
}

/** The endpoint of a name. */
export function endpointOf(name: EndpointName): Endpoint {
  if (!isDescribed(name)) return named[name];
  const known = described.get(name);
  if (known !== undefined) return known;
  const made = describedEndpoint(descriptionIn(name));
  described.set(name, made);
  return made;
}

/** True for the name or the description of an endpoint. */
export function isEndpoint(name: string): name is EndpointName {
  const known = endpointNamed(name);
  try {
    return known !== null && endpointOf(known).prompt !== undefined;
  } catch {
    return false;
  }
}
