import { resolve } from "node:path";
import { AppError } from "../errors.ts";
import { isSecretName, isSecretText, wordsOfName } from "../api/http/secret.ts";
import { type Environment, substitute, envValue, variablesIn } from "./environment.ts";
import type { Fault } from "../lib/fault.ts";
import type { Deployment, Suite } from "./suite.ts";

/** The address of a deployment, with what is missing or wrong in it. */
interface Address {
  /** Empty when there are faults. */
  url: string;
  faults: Fault[];
  /** `${NAME}` without value and default. */
  missing: Fault[];
  warnings: { path: Fault["path"]; message: string }[];
}

/** The surroundings of an address that is written. */
interface AddressContext {
  /** Relative paths begin here. */
  base: string;
  env: Environment;
}

/** The address that is written for a deployment, with its variables filled in. */
export function deploymentAddress(deployment: string, written: string, context: AddressContext): Address {
  const path = ["deployments", deployment, "base_url"];
  const secret = secretIn(written, context.env);
  if (secret !== null) return { url: "", faults: [{ path, ...secret, atKey: false }], missing: [], warnings: [] };
  const { text, missing } = substitute(written, context.env);
  if (missing.length > 0) {
    const faults = missing.map((variable) => ({
      path,
      message: `needs the environment variable ${variable}, which is not set`,
      hint: `Set ${variable}, or write \${${variable}:-default}.`,
      atKey: false,
    }));
    return { url: "", faults: [], missing: faults, warnings: [] };
  }
  const baseUrl = readBaseUrl(text, context.base);
  if (!baseUrl.ok) {
    const { message } = baseUrl;
    return { url: "", faults: [{ path, message, hint: null, atKey: false }], missing: [], warnings: [] };
  }
  const { url, advice } = baseUrl;
  return { url, faults: [], missing: [], warnings: advice === null ? [] : [{ path, message: advice }] };
}

/** A variable of an address that holds a key by its name or its value: an address is stored and shown. Null: none does. */
function secretIn(written: string, env: Environment): Pick<Fault, "message" | "hint"> | null {
  const keys = Object.keys(env).filter((name) => isKeyName(name) && envValue(env, name).length >= shortestKey);
  const isKey = (name: string): boolean => {
    const value = envValue(env, name);
    return isKeyName(name) || isSecretText(value) || keys.some((key) => value.includes(envValue(env, key)));
  };
  const found = variablesIn(written).find(isKey);
  if (found === undefined) return null;
  return {
    message: `must not hold the key of ${found}: an address is stored, and shown in plans and reports`,
    hint: `Send it in a header: \`api_key_env: ${found}\`, or \`headers: { NAME: "\${${found}}" }\`.`,
  };
}

/** A shorter value occurs in addresses by chance. */
const shortestKey = 8;

const isKeyName = (name: string): boolean =>
  !isPlace.test(name) && (isSecretName(name) || wordsOfName(name).at(-1) === "key");

/** Ends of names that tell of a place, such as AUTH_HOST. */
const isPlace = /(?:HOST|HOSTNAME|PORT|DOMAIN|BASE|PATH|PREFIX|REGION|SERVER|SERVICE|NAMESPACE|ADDRESS|URLS?)$/i;

/**
 * An address as it is written, where it names variables: what a suite keeps beside the address that they made. Defaults are
 * left out: one may hold what an address must not.
 */
export function namedIn(written: string): Pick<Deployment, "writtenUrl"> {
  if (variablesIn(written).length === 0) return {};
  return { writtenUrl: written.trim().replaceAll(/(\$\{[A-Za-z_]\w*):-[^}]*\}/g, "$1}") };
}

/**
 * Throws BATCH_CHANGED where the variables of a stored address have another value by now, with both addresses. A variable that
 * is not set says nothing: the stored address stands.
 */
export function checkAddresses({ deployments, folder }: Pick<Suite, "deployments" | "folder">, env: Environment): void {
  const others = deployments.flatMap(({ name, baseUrl, writtenUrl = "" }) => {
    const { url, missing } = deploymentAddress(name, writtenUrl, { env, base: folder ?? "." });
    const isSame = writtenUrl === "" || missing.length > 0 || url === baseUrl;
    return isSame ? [] : [{ line: otherValue(name, writtenUrl, [baseUrl, url]), variables: variablesIn(writtenUrl) }];
  });
  if (others.length === 0) return;
  const lines = others.map(({ line }) => `  ${line}`).join("\n");
  const variables = [...new Set(others.flatMap((other) => other.variables))].join(" and ");
  throw new AppError("BATCH_CHANGED", `This would send to another address than the batch was made for:\n${lines}`, {
    hint: `Unset ${variables}, or set what it was then; for the address of now start a new batch, or \`tandem resume --suite FILE --accept-changes\`.`,
  });
}

/** The same between the suite that is stored and the one of now. */
export function changedValues(stored: readonly Deployment[], now: readonly Deployment[]): string[] {
  return stored.flatMap(({ name, baseUrl, writtenUrl }) => {
    const same = now.find((each) => each.name === name && each.writtenUrl === writtenUrl);
    if (writtenUrl === undefined || same === undefined || same.baseUrl === baseUrl) return [];
    return [otherValue(name, writtenUrl, [baseUrl, same.baseUrl])];
  });
}

function otherValue(name: string, written: string, [then, now]: readonly [string, string]): string {
  const ofNow = now === "" ? "no address that can be used" : JSON.stringify(now);
  return `the base_url of ${name}, ${written}, was ${JSON.stringify(then)} then, and is ${ofNow} now`;
}

/** An address without a trailing slash, or what is wrong with it. A fault never shows the text itself: it may hold a password. */
type BaseUrl = { ok: true; url: string; advice: string | null } | { ok: false; message: string };

/** `http(s)://...` cleaned, or `local:DIR` with DIR made absolute from `folder`. */
function readBaseUrl(text: string, folder: string): BaseUrl {
  const trimmed = text.trim();
  if (trimmed.startsWith("local:")) {
    const directory = trimmed.slice("local:".length);
    if (directory === "") return wrong("must name a folder after local:");
    return { ok: true, url: `local:${resolve(folder, directory)}`, advice: null };
  }
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url === null) return wrong("must be an address such as https://api.example.org, or local:DIR");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return wrong(`must begin with http://, https:// or local:, got ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    return wrong("must not hold a user name or password; keys come from the environment (api_key_env)");
  }
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(trimmed))
    return wrong("must not hold ? or #; example_id belongs to the target");
  const clean = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  const advice = /\/v2(\/|$)/.test(url.pathname)
    ? "base_url holds /v2, which is added to it for each request: usually it ends before that"
    : null;
  return { ok: true, url: clean, advice };
}

function wrong(message: string): BaseUrl {
  return { ok: false, message };
}
