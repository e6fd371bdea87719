import { resolve } from "node:path";
import { endpointOf } from "../api/endpoints.ts";
import { variablesIn } from "./environment.ts";
import { isAuthorization } from "./check/connection-check.ts";
import { toStoredKeys } from "./schema/kept.ts";
import type { SuiteFile } from "./schema/schema.ts";
import type { Deployment, Target } from "./suite.ts";

type WrittenDeployment = NonNullable<SuiteFile["deployments"]>[string];

/** A deployment as it is written, with its defaults; files are found from `base`. */
export function deploymentOf(
  { name, baseUrl, base }: { name: string; baseUrl: string; base: string },
  written: WrittenDeployment,
): Deployment {
  const { base_url: _address, api_key_env: _key, headers, proxy, ca, cert, cert_key, ...limits } = written;
  const files = Object.entries(toStoredKeys({ ca, cert, cert_key })).map(([key, path]) => [key, resolve(base, path)]);
  const connection = { ...toStoredKeys({ headers, proxy }), ...Object.fromEntries(files) };
  return {
    name,
    baseUrl,
    keyNames: keyNames(name, baseUrl, written),
    ...(Object.keys(connection).length > 0 && { connection }),
    ...toStoredKeys(limits),
  };
}

/** Needs of the endpoints at a deployment: a key, and variables of the environment for their headers. */
export function needsOf(
  name: string,
  { api_key_env: keyName }: Pick<WrittenDeployment, "api_key_env">,
  targets: readonly Target[],
): Partial<Pick<Deployment, "keyNames" | "keyOptional" | "isForeign" | "endpointHeaders">> {
  const calls = targets
    .filter(({ deployment }) => deployment === name)
    .map(({ endpoint }) => endpointOf(endpoint).call);
  const endpointHeaders = calls
    .flatMap(({ headers }) => Object.entries(headers).map(([header, value]) => ({ name: header, value })))
    .filter(({ value }) => variablesIn(value).length > 0);
  const isForeign = calls.length > 0 && calls.every(({ needsKey }) => !needsKey);
  const keyOptional = isForeign && keyName === undefined;
  return {
    ...(isForeign && { isForeign }),
    // The key that is for all was given for the service: it goes to no other.
    ...(keyOptional && { keyOptional, keyNames: [ownKeyName(name)] }),
    ...(endpointHeaders.length > 0 && { endpointHeaders }),
  };
}

/** A deployment that gets a secret of its own in a header is not sent a key that was not meant for it. */
function keyNames(
  deployment: string,
  baseUrl: string,
  { api_key_env: keyName, headers = {} }: Pick<WrittenDeployment, "api_key_env" | "headers">,
): string[] {
  if (baseUrl.startsWith("local:")) return [];
  if (keyName !== undefined) return [keyName];
  const written = Object.entries(headers);
  if (written.some(([name, value]) => isAuthorization(name) || variablesIn(value).length > 0)) return [];
  return [ownKeyName(deployment), "TANDEM_API_KEY"];
}

export const ownKeyName = (deployment: string): string =>
  `TANDEM_${deployment.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_API_KEY`;
