import { AppError } from "../../errors.ts";
import { onlyVariables, variablesIn } from "../../suite/environment.ts";
import type { Deployment } from "../../suite/suite.ts";
import { closestAddress, type OwnAddress, pathOf } from "./addresses.ts";

/** Variables that are there for keys of tandem, and for nothing else. */
const keyOfTandem = /^TANDEM_(?:[A-Z0-9_]+_)?API_KEY$/;

/** Things of a worker's machine that a deployment of somebody else's suite may use. */
interface Allowed {
  /** With no other variables for its key than those that may be sent there. */
  deployment: Deployment;
  /** Variables that may be read for it. */
  variables: string[];
  /** The path below which its requests stay; empty: they may go anywhere at its host. */
  within: string;
}

/**
 * Looks whether a suite, which a stranger may have written, may have a deployment served here. It chooses neither where
 * requests go, nor which files of this machine are read, nor which variables of its environment are sent. Throws
 * ADDRESS_REFUSED with what its operator would have to allow.
 */
export function allowedHere(own: readonly OwnAddress[], deployment: Deployment): Allowed {
  const { baseUrl, keyNames, keyOptional = false, connection = {}, endpointHeaders = [] } = deployment;
  const around = closestAddress(own, baseUrl);
  if (around === null) throw refused(`this worker sends nothing to ${baseUrl} (--address ${baseUrl} lets it)`);
  const fault = ownWayFault(connection);
  if (fault !== null) throw refused(fault);
  const isFree = (name: string): boolean => around.variables?.includes(name) ?? keyOfTandem.test(name);
  const texts = [...Object.values(connection.headers ?? {}), ...endpointHeaders.map(({ value }) => value)];
  const inHeaders = texts.flatMap(variablesIn);
  const forKey = keyNames.filter(isFree);
  const missing = inHeaders.filter((name) => !isFree(name));
  if (forKey.length === 0 && !keyOptional) missing.push(...keyNames);
  if (missing.length > 0) {
    const names = [...new Set(missing)];
    throw refused(
      `this worker sends no ${names.join(" or ")} to ${around.address} (--address ${around.address}=${names.join(",")} lets it)`,
    );
  }
  return {
    deployment: { ...deployment, keyNames: forKey },
    variables: [...new Set([...forKey, ...inHeaders])],
    within: pathOf(around.address),
  };
}

/** The reason why a way to a service is none for workers: it is their machine's own; null: it is one. */
export function ownWayFault({
  proxy = "env",
  ca,
  cert,
  certKey,
}: NonNullable<Deployment["connection"]>): string | null {
  if (proxy !== "env" && proxy !== "none")
    return "its suite names a proxy, and a worker takes that of its own environment (HTTPS_PROXY)";
  if (ca !== undefined)
    return "its suite names a file with authorities, and a worker trusts its own (NODE_EXTRA_CA_CERTS)";
  if (cert !== undefined || certKey !== undefined)
    return "its suite names a certificate, and a worker shows none of its files";
  return null;
}

/** The variables that may be read, with those that say how this machine reaches others. */
export function environmentOf(env: NodeJS.ProcessEnv, variables: readonly string[]): NodeJS.ProcessEnv {
  const ways = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return onlyVariables(env, [...ways, ...variables]);
}

const refused = (reason: string): AppError => new AppError("ADDRESS_REFUSED", reason);
