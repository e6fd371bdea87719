import { resolve } from "node:path";
import { endpointOf } from "../api/endpoints.ts";
import { durationMs } from "../lib/duration.ts";
import { parseRate } from "./duration.ts";
import { variablesIn } from "./environment.ts";
import { isAuthorization } from "./check/connection-check.ts";
import type { SuiteFile } from "./schema/schema.ts";
import type { Deployment, DeploymentConnection, Target } from "./suite.ts";

type WrittenDeployment = NonNullable<SuiteFile["deployments"]>[string];

/** A deployment as it is written, with its defaults; files are found from `base`. */
export function deploymentOf(
  { name, baseUrl, base }: { name: string; baseUrl: string; base: string },
  written: WrittenDeployment,
): Deployment {
  const connection = connectionOf(written, base);
  return {
    name,
    baseUrl,
    keyNames: keyNames(name, baseUrl, written),
    ...(connection !== null && { connection }),
    concurrency: written.concurrency,
    rate: written.rate === undefined ? null : parseRate(written.rate),
    timeoutMs: durationMs(written.timeout) ?? 0,
    connectTimeoutMs: durationMs(written.connect_timeout) ?? 0,
    jobTimeoutMs: durationMs(written.job_timeout) ?? 0,
    ...(written.wait_for_service !== undefined && { waitForServiceMs: durationMs(written.wait_for_service) ?? 0 }),
    retries: written.retries,
    price: written.price ?? null,
  };
}

/** Needs of the endpoints at a deployment: a key, and variables of the environment for their headers. */
export function needsOf(
  name: string,
  { api_key_env: named }: Pick<WrittenDeployment, "api_key_env">,
  targets: readonly Target[],
): Partial<Pick<Deployment, "keyNames" | "keyOptional" | "isForeign" | "endpointHeaders">> {
  const calls = targets
    .filter(({ deployment }) => deployment === name)
    .map(({ endpoint }) => endpointOf(endpoint).call);
  const endpointHeaders = calls
    .flatMap(({ headers }) => Object.entries(headers).map(([header, value]) => ({ name: header, value })))
    .filter(({ value }) => variablesIn(value).length > 0);
  const isForeign = calls.length > 0 && calls.every(({ needsKey }) => !needsKey);
  const keyOptional = isForeign && named === undefined;
  return {
    ...(isForeign && { isForeign }),
    // The key that is for all was given for the service: it goes to no other.
    ...(keyOptional && { keyOptional, keyNames: [ownKeyName(name)] }),
    ...(endpointHeaders.length > 0 && { endpointHeaders }),
  };
}

/** null: the address tells all. */
function connectionOf(
  { headers, proxy, ca, cert, cert_key: certKey }: WrittenDeployment,
  base: string,
): DeploymentConnection | null {
  const connection = {
    ...(headers !== undefined && { headers }),
    ...(proxy !== undefined && { proxy }),
    ...(ca !== undefined && { ca: resolve(base, ca) }),
    ...(cert !== undefined && { cert: resolve(base, cert) }),
    ...(certKey !== undefined && { certKey: resolve(base, certKey) }),
  };
  return Object.keys(connection).length === 0 ? null : connection;
}

/** A deployment that gets a secret of its own in a header is not sent a key that was not meant for it. */
function keyNames(
  deployment: string,
  baseUrl: string,
  { api_key_env: named, headers = {} }: Pick<WrittenDeployment, "api_key_env" | "headers">,
): string[] {
  if (baseUrl.startsWith("local:")) return [];
  if (named !== undefined) return [named];
  const written = Object.entries(headers);
  if (written.some(([name, value]) => isAuthorization(name) || variablesIn(value).length > 0)) return [];
  return [ownKeyName(deployment), "TANDEM_API_KEY"];
}

const ownKeyName = (deployment: string): string =>
  `TANDEM_${deployment.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_API_KEY`;
