import { type EndpointName, serviceEndpoints } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { AppError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { crossCheck } from "../../suite/check/cross-check.ts";
import type { Environment } from "../../suite/environment.ts";
import { faultsOf } from "../../suite/fault.ts";
import { resolveSuite } from "../../suite/resolve.ts";
import { suiteFile } from "../../suite/schema/schema.ts";
import type { Deployment, Target } from "../../suite/suite.ts";

/** The words of a person about an endpoint that no suite knows yet. */
export interface FirstEndpoint {
  /** Its address, as one would call it. */
  url: string;
  /** The model of a chat; null: it is none, or the address says it. */
  model: string | null;
  /** The body of a request, with `{{ input_prompt }}` for the prompt; null: not said. */
  body: JsonValue;
}

/** Parts of a suite file: a deployment and a target for an endpoint. */
export interface FirstParts {
  deployments: JsonObject;
  targets: JsonObject;
}

/** Name of the deployment and of the target. */
const name = "mine";

/** The parts of a suite for an endpoint, by the form of its address: one of the service, a chat, or any other. Throws USAGE. */
export function firstParts({ url: address, model, body }: FirstEndpoint): FirstParts {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new AppError("USAGE", `"${address}" is not the address of an endpoint.`, {
      hint: "It begins with http:// or https://, such as https://api.example.com/chat.",
    });
  }
  const path = url.pathname.replace(/\/+$/, "");
  const service = serviceEndpoints.find((each) => path.endsWith(endpointOf(each).call.path));
  if (service !== undefined) {
    const id = url.searchParams.get("example_id") ?? "";
    return parts(url.origin + without(path, service), { endpoint: service, ...(id !== "" && { example_id: id }) });
  }
  const chat: EndpointName = "chat-completions";
  if (model !== null || path.endsWith(endpointOf(chat).call.path)) {
    return parts(url.origin + without(path, chat), { endpoint: chat, ...(model !== null && { model }) });
  }
  return parts(url.origin, { endpoint: describedAt(url, path, body) });
}

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

function parts(baseUrl: string, target: JsonObject): FirstParts {
  return { deployments: { [name]: { base_url: baseUrl } }, targets: { [name]: { deployment: name, ...target } } };
}

/** The deployment and the target that the parts stand for. Throws USAGE with what is wrong with them. */
export function firstTarget(
  { deployments, targets }: FirstParts,
  env: Environment,
): { deployment: Deployment; target: Target } {
  const file = { dataset: "-", deployments, targets };
  const faults = [...faultsOf(suiteFile, file), ...crossCheck(file)];
  const [fault] = faults;
  if (fault !== undefined) {
    const key = fault.path.at(-1);
    const about =
      key === "model" ? "--model" : key === "example_id" ? "example_id in the address" : fault.path.slice(2).join(".");
    throw new AppError("USAGE", `${about} ${fault.message}.`, fault.hint === null ? {} : { hint: fault.hint });
  }
  const { suite, faults: unusable } = resolveSuite(suiteFile.parse(file), { name, base: ".", folder: null, env });
  const [deployment] = suite.deployments;
  const [target] = suite.targets;
  if (unusable[0] !== undefined || deployment === undefined || target === undefined) {
    throw new AppError("USAGE", `The address ${unusable[0]?.message ?? "cannot be used"}.`);
  }
  return { deployment, target };
}
