import { type ServiceConnection, direct, type Proxy } from "../../client/service-connection.ts";
import { AppError } from "../../errors.ts";
import { basicLogin } from "../../lib/address.ts";
import { readCertificates } from "../../suite/certificates.ts";
import { headerValueFault, proxyFault } from "../../suite/check/connection-check.ts";
import { type Environment, substitute, envValue, variablesIn } from "../../suite/environment.ts";
import { isLoopbackAddress, quotesFault, refusePlainHttp } from "../../suite/key.ts";
import type { Deployment } from "../../suite/suite.ts";

type Reached = Pick<Deployment, "name" | "baseUrl" | "keyNames" | "connection" | "endpointHeaders">;

/**
 * Looks up what a deployment is reached with: headers and the password of a proxy from the environment, certificates
 * from their files. Throws ENV_MISSING, KEY_INSECURE or SUITE_INVALID; no message holds a value of the environment.
 */
export async function openConnection(deployment: Reached, env: Environment): Promise<ServiceConnection> {
  const { name, baseUrl, connection = {}, endpointHeaders = [] } = deployment;
  const filled = new Map(
    endpointHeaders.map((header) => [header.value, headerValue(deployment, header.name, header.value, env)]),
  );
  const texts = [...Object.values(connection.headers ?? {}), ...endpointHeaders.map(({ value }) => value)];
  const hidden = valuesIn(texts, env);
  if (baseUrl.startsWith("local:")) return { ...direct, filled, secrets: hidden };
  const headers = Object.entries(connection.headers ?? {}).map(([header, written]) => {
    return [header, headerValue(deployment, header, written, env)] as const;
  });
  const { certificates, faults } = await readCertificates(connection, []);
  if (faults.length > 0) {
    const reported = faults.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
    throw new AppError("SUITE_INVALID", `The deployment ${name} cannot be reached: ${reported}.`);
  }
  const { ca, ...own } = certificates;
  const tls = { ...own, ...(ca !== undefined && { ca: [...(await usualAuthorities()), ca] }) };
  const { proxy, secrets } = await openProxy(deployment, env);
  return {
    headers,
    filled,
    secrets: [...hidden, ...secrets],
    tls: Object.keys(tls).length === 0 ? null : tls,
    proxy,
  };
}

/** The certificates that Node trusts. */
const usualAuthorities = async (): Promise<string[]> => (await import("node:tls")).getCACertificates("default");

/** The values of the variables that texts name: those are the secrets, not the words around them. */
function valuesIn(texts: readonly string[], env: Environment): string[] {
  return texts.flatMap(variablesIn).flatMap((variable) => envValue(env, variable) || []);
}

function headerValue({ name, baseUrl }: Reached, header: string, written: string, env: Environment): string {
  const about = `The header ${header} of the deployment ${name}`;
  const value = filledIn(written, about, env);
  const variables = variablesIn(written);
  const inQuotes = variables.flatMap((variable) => quotesFault(envValue(env, variable)) ?? [])[0];
  const twice = /^(\w+)\s+\1\s/i.exec(value)?.[1];
  const fault =
    headerValueFault(value) ??
    inQuotes ??
    (twice === undefined ? null : `has the word ${twice} twice, in the suite and in the variable`);
  if (fault !== null) {
    throw new AppError("ENV_MISSING", `${about} ${fault}.`, {
      hint: `Look at the value of ${variables.join(" and ")}.`,
    });
  }
  if (variables.length > 0 && !baseUrl.startsWith("local:"))
    refusePlainHttp(baseUrl, `${about} (from ${variables.join(" and ")})`);
  return value.trim();
}

function filledIn(written: string, about: string, env: Environment): string {
  const { text, missing } = substitute(written, env);
  if (missing.length === 0) return text;
  throw new AppError(
    "ENV_MISSING",
    `${about} needs the environment variable ${missing.join(" and ")}, which is not set.`,
    {
      hint: `Set ${missing.join(" and ")}.`,
    },
  );
}

/** The proxy of a deployment, and what must not be repeated of its address. */
async function openProxy(
  { name, baseUrl, keyNames, connection = {} }: Reached,
  env: Environment,
): Promise<{ proxy: Proxy | null; secrets: string[] }> {
  const { proxy: written = "env" } = connection;
  const isOwn = isLoopbackAddress(new URL(baseUrl).hostname);
  if (written === "none" || (written === "env" && isOwn)) return { proxy: null, secrets: [] };
  const of = (variable: string): string => env[variable.toLowerCase()] ?? env[variable] ?? "";
  const proxies = { httpProxy: of("HTTP_PROXY"), httpsProxy: of("HTTPS_PROXY"), noProxy: of("NO_PROXY") };
  const named = written === "env" ? null : filledIn(written, `The proxy of the deployment ${name}`, env);
  const addresses = named === null ? [proxies.httpProxy, proxies.httpsProxy].filter((each) => each !== "") : [named];
  if (addresses.length === 0) return { proxy: null, secrets: [] };
  for (const address of addresses) {
    const wrong = proxyFault(address);
    if (wrong === null) continue;
    const from =
      named === null ? "HTTPS_PROXY or HTTP_PROXY of the environment" : `${written} (deployments.${name}.proxy)`;
    throw new AppError("ENV_MISSING", `${from} is not the address of a proxy: it ${wrong}.`);
  }
  if (named !== null) refuseOpenProxy({ name, baseUrl, keyNames, connection }, named);
  const { throughProxy } = await import("../../client/proxy.ts");
  return { proxy: throughProxy(named ?? proxies), secrets: addresses.flatMap(passwordsOf) };
}

/** Throws KEY_INSECURE when a secret would be readable on its way to a proxy on another machine: plain http is no tunnel. */
function refuseOpenProxy({ name, baseUrl, keyNames, connection }: Reached, proxy: string): void {
  const isSecret =
    keyNames.length > 0 || Object.values(connection?.headers ?? {}).some((text) => variablesIn(text).length > 0);
  const { hostname, host } = new URL(proxy);
  if (!isSecret || !baseUrl.startsWith("http:") || isLoopbackAddress(hostname)) return;
  throw new AppError(
    "KEY_INSECURE",
    `What the deployment ${name} is sent would go over plain http to the proxy ${host}.`,
    {
      hint: "Use https:// in its base_url, or proxy: none for an address of this machine.",
    },
  );
}

/** The password in an address, as it is and as it goes to the proxy. */
function passwordsOf(address: string): string[] {
  const url = new URL(address);
  const login = basicLogin(url);
  return url.password === "" || login === null ? [] : [decodeURIComponent(url.password), login];
}
