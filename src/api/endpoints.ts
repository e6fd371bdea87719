import type { EndpointName } from "./endpoint-name.ts";
import type { Endpoint } from "./endpoint.ts";
import { functions } from "./functions.ts";
import { videoBots } from "./video-bots.ts";

/** The endpoints there are: a new one is an object of its own and a line here. */
export const endpoints: Readonly<Record<EndpointName, Endpoint>> = {
  "video-bots": videoBots,
  functions,
};
