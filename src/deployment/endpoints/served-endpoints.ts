import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { servedBots } from "./served-bots.ts";
import type { ServedEndpoint } from "./served-endpoint.ts";
import { servedFunctions } from "./served-functions.ts";

/** The endpoints as the local deployment serves them. */
export const servedEndpoints: Readonly<Record<ServiceEndpoint, ServedEndpoint>> = {
  "video-bots": servedBots,
  functions: servedFunctions,
};
