import { boundedJson, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import {
  type AskedProvider,
  bodyWithoutSecrets,
  headersIn,
  type NamedProvider,
  noSecret,
  type ProviderReading,
  withVariables,
} from "./provider.ts";
import { isSecretQuery, isSecretText } from "../../api/http/secret.ts";
import { withoutLogin } from "./secret.ts";
import { pathOfSteps } from "./transform.ts";

/** A provider that is asked over HTTP, as a described endpoint; null, and a note, where it cannot be one. */
export function httpOf(named: NamedProvider, address: string | null, reading: ProviderReading): AskedProvider | null {
  const { left } = reading;
  const { id, place } = named;
  const config = named.config.members;
  const placeOf = (key: string): string => named.config.member(key).place;
  const refused = (way: string, at = place, kind = `the provider ${id}`): null => {
    left.note(kind, way, at);
    return null;
  };
  const url = address === null ? null : splitUrl(withoutLogin(address));
  if (address === null || url === null)
    return refused(
      config["request"] === undefined
        ? "it has no address; `tandem check --url URL` makes the lines of a target"
        : "its raw request is not read; write `url`, `method`, `headers` and `body` in its place",
    );
  if (isSecretText(url.path))
    return refused("its path has a key in it, which a suite never holds", place, `the provider ${nameOf(url.base)}`);
  if (withoutLogin(address) !== address) left.note(`the user and the password of ${id}`, loginAdvice, place);
  left.keys("http", named.config, (key) => `\`config.${key}\` of ${id}`);
  const variables = new Set<string>();
  const fill = (text: string): string | null => requestText(text, variables);
  const { method, headers, queryParams, maxRetries } = config;
  const parsed = bodyOf(config["body"]);
  const body =
    parsed === undefined || parsed === null ? parsed : filledValue(bodyWithoutSecrets(parsed, named, reading), fill);
  if (body === null)
    return refused(
      "its body is no JSON with {{prompt}} and variables in it; write `endpoint: { path, body, answer }`",
      placeOf("body"),
    );
  const transformKey = config["transformResponse"] === undefined ? "responseParser" : "transformResponse";
  const answer = answerPath(config[transformKey]);
  if (answer === null)
    return refused(
      "the code of its transformResponse is not run; write a target with `answer: $.path.to.the.text`, which `tandem check --url URL --body ...` finds",
      placeOf(transformKey),
    );
  if (answer.isCut)
    left.note(`transformResponse of ${id}`, `only ${answer.path ?? "the text"} of it is taken`, placeOf(transformKey));
  const used = headersIn(headers, named, reading);
  const query = queryOf(url.query, queryParams, fill, (name) =>
    left.note(`\`${name}\` of the query of ${id}`, noSecret, place),
  );
  const verb = typeof method === "string" ? method.toUpperCase() : body === undefined ? "GET" : "POST";
  const path = fill(url.path);
  if (query === null || path === null || !["POST", "PUT", "PATCH", "GET"].includes(verb))
    return refused("its address or method cannot be described as an endpoint");
  const endpoint = JSON.stringify([path, query, used, body ?? null]);
  if (!endpoint.includes("{{ input_prompt }}") && variables.size === 0)
    return refused("its request has no place for {{prompt}}; write `endpoint: { path, body, answer }`");
  const isForm = isJsonObject(headers) && isFormType(headers) && isJsonObject(body);
  return {
    name: nameOf(url.base),
    kind: "described",
    service: nameOf(url.base),
    deployment: {
      base_url: url.base,
      ...(typeof maxRetries === "number" && { retries: Math.max(0, Math.floor(maxRetries)) }),
    },
    target: {
      endpoint: {
        method: verb,
        ...(path !== "" && { path }),
        ...(Object.keys(query).length > 0 && { query }),
        ...(Object.keys(used).length > 0 && { headers: used }),
        ...(body !== undefined && verb !== "GET" && { [isForm ? "form" : "body"]: body }),
        ...(answer.path !== undefined && { answer: answer.path }),
      },
    },
    prompts: named.prompts,
    variables: [...variables],
    transform: named.transform,
  };
}

const loginAdvice = 'a header takes them from the environment: `headers: { Authorization: "Basic ${VARIABLE}" }`';

interface SplitUrl {
  base: string;
  path: string;
  query: string;
}

/** An address as what a deployment has of it and what follows; `{{ env.X }}` may stand for its beginning. */
function splitUrl(written: string): SplitUrl | null {
  const [, base = "", path = "", query = ""] =
    /^((?:https?:\/\/)?(?:\{\{[^}]*\}\}|\$\{[^}]*\}|[^/?#{}$])+)(\/[^?#]*)?(?:\?([^#]*))?/i.exec(written.trim()) ?? [];
  const address = withVariables(base);
  if (address.includes("{{") || (!/^https?:\/\//i.test(address) && !address.startsWith("${"))) return null;
  return { base: address, path, query };
}

/** A text of a request in Liquid over the fields of a case; null where it has more than places for variables. */
function requestText(text: string, variables: Set<string>): string | null {
  let failed = false;
  const made = text.replaceAll(/\{\{([^}]*)\}\}|\{%[^%]*%\}/g, (_, inside: string | undefined) => {
    const [, name = ""] = /^\s*(\w+)\s*(?:\|\s*(?:dump|tojson|safe|urlencode)\s*)?$/.exec(inside ?? "") ?? [];
    if (name === "") failed = true;
    if (name === "prompt") return "{{ input_prompt }}";
    variables.add(name);
    return `{{ variables.${name} }}`;
  });
  return failed ? null : made;
}

const isFormType = (headers: JsonObject): boolean =>
  Object.entries(headers).some(
    ([name, value]) => /^content-type$/i.test(name) && /x-www-form-urlencoded/i.test(JSON.stringify(value)),
  );

/** The body as JSON; null where it is none, undefined where there is no body. */
function bodyOf(body: JsonValue | undefined): JsonValue | undefined {
  if (typeof body !== "string") return body ?? undefined;
  // A place that makes a JSON text of its variable stands without quotes.
  const quoted = body.replaceAll(
    /(?<!["\w])\{\{\s*(\w+)\s*\|\s*(?:dump|tojson)\s*(?:\|\s*safe\s*)?\}\}(?!")/g,
    '"{{$1}}"',
  );
  try {
    return boundedJson(quoted);
  } catch {
    return null;
  }
}

function filledValue(value: JsonValue, fill: (text: string) => string | null): JsonValue | null {
  if (typeof value === "string") {
    const text = fill(value);
    // A text that begins with a dollar would stand for a field.
    return text === null ? null : text.startsWith("$") ? `{{ "$" }}${text.slice(1)}` : text;
  }
  if (Array.isArray(value)) {
    const all = value.map((each) => filledValue(each, fill));
    return all.some((each, i) => each === null && value[i] !== null) ? null : all;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name, filledValue(each, fill)] as const);
  return members.some(([name, each]) => each === null && value[name] !== null) ? null : Object.fromEntries(members);
}

function queryOf(
  query: string,
  params: JsonValue | undefined,
  fill: (text: string) => string | null,
  onSecret: (name: string) => void,
): Record<string, string> | null {
  const ofUrl = query === "" ? [] : query.split("&").map((part) => part.split("="));
  const pairs: [string, string][] = ofUrl.map(([name = "", ...value]) => [decoded(name), decoded(value.join("="))]);
  if (isJsonObject(params)) {
    for (const [name, value] of Object.entries(params))
      pairs.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  const made: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (isSecretQuery(name, value)) {
      onSecret(name);
      continue;
    }
    const text = fill(value);
    if (text === null) return null;
    made[name] = text;
  }
  return made;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Where the answer is, by code that only steps into the reply; null for other code. `isCut`: it does more than that. */
export function answerPath(code: JsonValue | undefined): { path?: string; isCut: boolean } | null {
  if (code === undefined || code === null || code === "") return { isCut: false };
  if (typeof code !== "string" || code.startsWith("file://")) return null;
  const inner = code
    .trim()
    .replace(/^(?:async\s*)?\(?\s*\{?\s*(?:json|data|response|res)\s*\}?(?:\s*,\s*\w+)*\s*\)?\s*=>\s*/, "")
    .replace(/^\{\s*return\s+([^;}]*);?\s*\}$/, "$1")
    .replace(/;$/, "")
    .trim();
  const [, member] = /^\(?\s*\{\s*(?:[^]*?,\s*)?output\s*:\s*([^,}]+?)\s*(?:,[^]*)?\}\s*\)?$/.exec(inner) ?? [];
  const [first = "", ...others] = (member ?? inner).split(/\s*(?:\|\||\?\?)\s*/);
  const plain = first
    .replace(/^JSON\.stringify\((.*)\)$/, "$1")
    .replace(/^String\((.*)\)$/, "$1")
    .replace(/\.(?:trim|toString)\(\)$/, "");
  const isCut =
    member !== undefined ||
    others.some((each) => !/^(?:''|""|``|text|json|data|null|undefined|'[^']*'|"[^"]*")$/.test(each));
  const [, rest] = /^(?:text|json|data|response|res)\b([^]*)$/.exec(plain) ?? [];
  if (rest === "") return { isCut };
  const path = rest === undefined ? null : pathOfSteps(rest);
  return path === null ? null : { path, isCut };
}

function nameOf(base: string): string {
  const host = base.replace(/^https?:\/\//i, "").replace(/[:/].*$/, "");
  if (/^(?:localhost|127\.|\[?::1)/.test(host)) return "local-api";
  const word =
    /^\$\{(\w+)/.exec(base)?.[1] ?? host.split(".").find((part) => !/^(?:www|api|app|\d+)$/.test(part)) ?? "api";
  return (
    word
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "") || "api"
  );
}
