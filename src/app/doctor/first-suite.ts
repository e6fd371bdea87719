import { type EndpointName, isDescribed, serviceEndpoints } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { compileBody } from "../../api/http/body-template.ts";
import { isSecretQuery, isSecretText } from "../../api/http/secret.ts";
import { AppError } from "../../errors.ts";
import { encodingFault, isEncoded, parseAddress } from "../../lib/address.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { suiteFaults } from "../../suite/check/cross-check.ts";
import type { Environment } from "../../suite/environment.ts";
import { historyFault } from "../../suite/history.ts";
import { resolveSuite } from "../../suite/resolve.ts";
import { suiteFile } from "../../suite/schema/schema.ts";
import type { Deployment, Target } from "../../suite/suite.ts";

/** The words of a person about an endpoint that no suite knows yet. */
export interface FirstEndpoint {
  /** Name of its deployment and target; left out: `mine`. */
  name?: string | undefined;
  /** Its address, as one would call it. */
  url: string;
  /** The model of a chat; null: it is none, or the address says it. */
  model: string | null;
  /** The body of a request, with `{{ input_prompt }}` for the prompt; null: not said. */
  body: JsonValue;
  /** Headers of its requests, with `${NAME}` where the environment has a value. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** It will be sent the turns of conversations: a body gets a place for what was said before. */
  isTalkedTo?: boolean;
}

/** Parts of a suite file: a deployment and a target for an endpoint. */
export interface FirstParts {
  deployments: JsonObject;
  targets: JsonObject;
}

const keysHint = "Keys come from the environment: TANDEM_API_KEY, or `headers` of the deployment with ${NAME}.";

/** Name of the deployment and of the target of the only bot. */
export const onlyBot = "mine";

/** The parts of a suite for an endpoint, by the form of its address: one of the service, a chat, or any other. Throws USAGE. */
export function firstParts(given: FirstEndpoint): FirstParts {
  const { headers = {} } = given;
  const made = partsAt(given);
  if (Object.keys(headers).length === 0) return made;
  const deployments = Object.entries(made.deployments).map(([name, entry]) => [
    name,
    isJsonObject(entry) ? { ...entry, headers: { ...headers } } : entry,
  ]);
  return { ...made, deployments: Object.fromEntries(deployments) };
}

function partsAt({ name = onlyBot, url: address, model, body, isTalkedTo = false }: FirstEndpoint): FirstParts {
  const { url, fault } = parseAddress(address);
  if (url === null || !isEncoded(url.pathname)) {
    throw new AppError("USAGE", `The address of the endpoint ${fault ?? encodingFault}.`, {
      hint: "It looks like https://api.example.com/chat.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new AppError("USAGE", "The address of the endpoint must not hold a user name or password.", {
      hint: keysHint,
    });
  }
  refuseKey(url);
  const path = pathOf(url);
  const service = serviceAt(path);
  const chat: EndpointName = "chat-completions";
  const isChat = service === undefined && (model !== null || path.endsWith(endpointOf(chat).call.path));
  if (service !== undefined && model !== null) throw unused("--model", service, "it runs what example_id names");
  if (body !== null && (service !== undefined || isChat))
    throw unused("--body", service ?? chat, "it makes its own request; write more fields into `body` of the target");
  if (service !== undefined) {
    const id = url.searchParams.get("example_id") ?? "";
    return parts(name, url.origin + without(path, service), {
      endpoint: service,
      ...(id !== "" && { example_id: id }),
    });
  }
  if (isChat) {
    return parts(name, url.origin + without(path, chat), { endpoint: chat, ...(model !== null && { model }) });
  }
  return parts(name, url.origin, {
    endpoint: describedAt(url, path, isTalkedTo ? (withHistory(body)?.body ?? body) : body),
  });
}

/** Throws USAGE where an address holds a key: a suite file is shared, and never holds one. */
function refuseKey({ pathname, searchParams }: URL): void {
  const key = [...searchParams].find(([name, value]) => isSecretQuery(name, value))?.[0];
  if (key === undefined && !isSecretText(decodeURI(pathname))) return;
  throw new AppError(
    "USAGE",
    `The address of the endpoint must not hold a key, and ${key === undefined ? "its path" : `${showText(key)} after the ?`} is one.`,
    { hint: `Leave it out: ${keysHint}` },
  );
}

const pathOf = (url: URL): string => url.pathname.replace(/\/+$/, "");

const serviceAt = (path: string): EndpointName | undefined =>
  serviceEndpoints.find((each) => path.endsWith(endpointOf(each).call.path));

/** True for the address of a saved configuration, which says by itself what is run and sent. */
export const isServiceAddress = (address: string): boolean =>
  URL.canParse(address) && serviceAt(pathOf(new URL(address))) !== undefined;

const unused = (flag: string, endpoint: EndpointName, why: string): AppError =>
  new AppError("USAGE", `${flag} would change nothing at an address of ${endpoint}: ${why}.`, {
    hint: "Leave it out.",
  });

const without = (path: string, endpoint: EndpointName): string => {
  const { path: own } = endpointOf(endpoint).call;
  return path.endsWith(own) ? path.slice(0, -own.length) : path;
};

function describedAt(url: URL, path: string, body: JsonValue): JsonObject {
  const query = Object.fromEntries(url.searchParams);
  const asks = Object.values(query).some((value) => value.includes("{{") || value.startsWith("$"));
  return {
    // A query with a place for the prompt asks by itself.
    ...(asks && body === null && { method: "GET" }),
    path: decodeURI(path),
    ...(Object.keys(query).length > 0 && { query }),
    ...((!asks || body !== null) && { body: body ?? { input_prompt: "{{ input_prompt }}", messages: "$messages" } }),
  };
}

/** A body with a place for what was said before, and a sentence that says where it was put. */
interface WithHistory {
  body: JsonObject;
  put: string;
}

/** Null where a body has such a place already, and where it is not known where one could be. */
function withHistory(body: JsonValue): WithHistory | null {
  if (!isJsonObject(body) || fieldsOfBody(body).has("messages")) return null;
  for (const [key, value] of Object.entries(body)) {
    if (!Array.isArray(value) || !isPrompt(value.at(-1))) continue;
    const messages = [...value.slice(0, -1), "$messages", ...value.slice(-1)];
    return { body: { ...body, [key]: messages }, put: `\`$messages\` was put into \`${key}\`, before the prompt.` };
  }
  if (body["messages"] !== undefined) return null;
  const put = "`messages: $messages` was put into the body; give it the name that the service gives it.";
  return { body: { ...body, messages: "$messages" }, put };
}

/** True for a message of the user in which the prompt of a case stands. */
function isPrompt(message: JsonValue | undefined): boolean {
  return isJsonObject(message) && message["role"] === "user" && fieldsOfBody(message).has("input_prompt");
}

/** The fields of a case that a body holds; none of one that is not Liquid, which the suite's check tells. */
export function fieldsOfBody(body: JsonValue): ReadonlySet<string> {
  try {
    return new Set(compileBody(body).uses);
  } catch {
    return new Set();
  }
}

function parts(name: string, baseUrl: string, target: JsonObject): FirstParts {
  return { deployments: { [name]: { base_url: baseUrl } }, targets: { [name]: { deployment: name, ...target } } };
}

/** The deployment and the target that the parts stand for. Throws USAGE with what is wrong with them. */
export function firstTarget(
  { deployments, targets }: FirstParts,
  env: Environment,
): { deployment: Deployment; target: Target } {
  const file = { dataset: "-", deployments, targets };
  const [fault] = suiteFaults(file);
  if (fault !== undefined) {
    const key = fault.path.at(-1);
    const about = fault.path.includes("headers")
      ? `-H ${String(key)}`
      : key === "model"
        ? "--model"
        : key === "example_id"
          ? "example_id in the address"
          : fault.path.slice(2).join(".");
    throw new AppError("USAGE", `${about} ${fault.message}.`, fault.hint === null ? {} : { hint: fault.hint });
  }
  const {
    suite,
    faults: unusable,
    missing,
  } = resolveSuite(suiteFile.parse(file), {
    name: onlyBot,
    base: ".",
    folder: null,
    env,
  });
  const [deployment] = suite.deployments;
  const [target] = suite.targets;
  if (missing[0] !== undefined)
    throw new AppError("ENV_MISSING", `-H ${String(missing[0].path.at(-1))} ${missing[0].message}.`, {
      hint: missing[0].hint ?? "Set it in the environment or in .env.",
    });
  if (unusable[0] !== undefined || deployment === undefined || target === undefined) {
    throw new AppError("USAGE", `The address ${unusable[0]?.message ?? "cannot be used"}.`);
  }
  return { deployment, target };
}

/** Sentences on how a target of these parts is sent what was said before in a conversation; none where that goes without saying. */
export function historyRemark(made: FirstParts, { body }: Pick<FirstEndpoint, "body">, env: Environment): string[] {
  const { target } = firstTarget(made, env);
  const fault = historyFault(target);
  if (fault !== null) {
    const refused = `\`tandem run\` refuses this: ${fault.path.slice(2).join(".")} ${fault.message}.`;
    return [refused, ...(fault.hint === null ? [] : [fault.hint])];
  }
  const put = isDescribed(target.endpoint) ? withHistory(body)?.put : undefined;
  if (put === undefined) return [];
  return [
    `Each turn is sent with what was said before: ${put}`,
    "If the service keeps the conversation itself, take it out again and write `history: service` beside `endpoint`.",
  ];
}
