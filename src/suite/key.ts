import { AppError } from "../errors.ts";
import { type Environment, envValue, variablesIn } from "./environment.ts";
import type { Deployment } from "./suite.ts";

/**
 * The API key of a deployment from the environment; null for an embedded one, which needs none.
 * Raises KEY_MISSING when no variable holds a usable key, KEY_INSECURE when it would go over plain http to another machine.
 * No message ever holds the key.
 */
export function resolveKey(
  deployment: Pick<Deployment, "name" | "baseUrl" | "keyNames" | "keyOptional">,
  env: Environment,
): string | null {
  const { name, baseUrl, keyNames, keyOptional = false } = deployment;
  if (keyNames.length === 0) return null;
  const variable = keyNames.find((each) => envValue(env, each) !== "");
  if (variable === undefined && keyOptional) return null;
  if (variable === undefined) {
    throw new AppError(
      "KEY_MISSING",
      `The deployment ${name} needs an API key, and ${keyNames.join(" and ")} ${keyNames.length > 1 ? "are" : "is"} not set.`,
      {
        hint: `Set ${keyNames.join(" or ")} in the environment or in .env.`,
      },
    );
  }
  const key = envValue(env, variable);
  refuseFaultyKey(key, variable, `The API key of the deployment ${name} in ${variable}`);
  refusePlainHttp(baseUrl, `The API key of the deployment ${name} (from ${variable})`);
  return key;
}

/** Throws KEY_MISSING for the value of a variable that is more than a key, or none; the message never shows it. */
export function refuseFaultyKey(key: string, variable: string, about: string): void {
  const wrong = keyValueFault(key);
  if (wrong === null) return;
  throw new AppError("KEY_MISSING", `${about} ${wrong}.`, {
    hint: `Set ${variable} to the key alone: no quotes, no word before it, no spaces or line breaks.`,
  });
}

/** The reason why a text is no key that a service would take; null where it may be one. It never shows the text. */
function keyValueFault(key: string): string | null {
  const inQuotes = quotesFault(key);
  if (inQuotes !== null) return inQuotes;
  if (/^(?:proxy-)?authorization\s*:|^[\w-]*api-?key\s*:/i.test(key))
    return "holds the name of a header before the key";
  if (/^(?:bearer|basic|token)(?:\s|:)/i.test(key))
    return "holds the word before a key (Bearer), which is added when it is sent";
  if (/^(?:export\s+)?\w*(?:key|token|secret)\w*\s*=\s*[^=\s]/i.test(key))
    return "holds the name of a variable before the key";
  if (/^(?:\$\{?\w+\}?|\{\{.*\}\}|<.*>|.*(?:\.{3}|\u2026))$/.test(key))
    return "holds a placeholder in place of the key";
  return /^[\x21-\x7e]+$/.test(key) ? null : "holds a space or a character that cannot be sent";
}

/** Says that a value begins or ends with a quote, as `docker --env-file`, a CI's settings and some shells keep them. */
export const quotesFault = (value: string): string | null =>
  /^[\s]*["'`\u2018-\u201f\u00ab\u00bb\uff02\uff07]|["'`\u2018-\u201f\u00ab\u00bb\uff02\uff07]\s*$/.test(value)
    ? "is written in quotes, which would be sent with it"
    : null;

/** Throws KEY_INSECURE when a secret would be readable on its way to another machine. */
export function refusePlainHttp(baseUrl: string, secret: string): void {
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" || isLoopbackAddress(url.hostname)) return;
  throw new AppError("KEY_INSECURE", `${secret} would go over plain http to ${url.host}.`, {
    hint: `Use https:// in its base_url; plain http is for this machine only (localhost, 127.0.0.1).`,
  });
}

/** The variables whose values are secrets of a deployment: its key, and those in headers and in the address of its proxy. */
export function secretNames({
  keyNames,
  connection,
  endpointHeaders = [],
}: Pick<Deployment, "keyNames" | "connection" | "endpointHeaders">): string[] {
  const headers = [...Object.values(connection?.headers ?? {}), ...endpointHeaders.map(({ value }) => value)];
  return [...keyNames, ...[...headers, connection?.proxy ?? ""].flatMap(variablesIn)];
}

/** `the header Authorization (MY_TOKEN)`: headers whose values come from the environment, each once. */
export function secretHeaders({
  connection,
  endpointHeaders = [],
}: Pick<Deployment, "connection" | "endpointHeaders">): string[] {
  const all = [
    ...Object.entries(connection?.headers ?? {}),
    ...endpointHeaders.map(({ name, value }) => [name, value] as const),
  ];
  const named = all.flatMap(([header, value]) => {
    const variables = variablesIn(value);
    return variables.length === 0 ? [] : [`the header ${header} (${variables.join(", ")})`];
  });
  return [...new Set(named)];
}

/** A sentence on a service whose key goes in another header than `Authorization`. */
export const otherHeaderWords = (name: string): string =>
  `It is sent as \`Authorization: Bearer\`; for another header write \`headers: { X-Api-Key: "\${MY_KEY}" }\` at the deployment ${name} of the suite.`;

/** True for the names and addresses of this machine itself. */
export function isLoopbackAddress(hostname: string): boolean {
  return (
    // Names below localhost lead to where the name server says.
    hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
