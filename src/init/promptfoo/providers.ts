import { type EndpointName, serviceEndpoints } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import type { LeftOut } from "./tests.ts";

/** A provider whose address is one of this API, as a target. */
export interface HttpTarget {
  name: string;
  baseUrl: string;
  endpoint: EndpointName;
  exampleId: string;
}

/** The providers that a suite can ask; the others are left out, each with what to write. */
export function targetsOf(providers: readonly JsonValue[], left: LeftOut): HttpTarget[] {
  const targets: HttpTarget[] = [];
  for (const provider of providers) {
    const { id, url } = named(provider);
    const target = url === null ? null : targetAt(url, `prod${targets.length === 0 ? "" : targets.length + 1}`);
    if (target !== null) {
      targets.push(target);
      left.note(
        `the headers of ${id}`,
        `a key stands in TANDEM_${target.name.toUpperCase()}_API_KEY, never in the suite`,
      );
    } else if (url !== null) {
      left.note(
        `the provider ${id}`,
        "its address has not the form of this API (/v2/video-bots?example_id=...); `tandem doctor --try URL` makes the lines of a target for it",
      );
    } else if (id !== "") {
      left.note(
        `the provider ${id}`,
        "a target is a saved bot (example_id), or a chat (endpoint: chat-completions, model): write it with its deployment",
      );
    }
  }
  return targets;
}

/** The name and the address of a provider, as promptfoo takes it: a text, `{id, config}`, or a name with its settings. */
function named(provider: JsonValue): { id: string; url: string | null } {
  if (typeof provider === "string") return { id: provider, url: addressIn(provider) };
  if (!isJsonObject(provider)) return { id: "", url: null };
  const { id, label, config } = provider;
  const url = isJsonObject(config) ? config["url"] : undefined;
  if (typeof id !== "string") return { id: Object.keys(provider)[0] ?? "", url: null };
  return { id: typeof label === "string" ? label : id, url: addressIn(typeof url === "string" ? url : id) };
}

const addressIn = (text: string): string | null => (/^https?:\/\//i.test(text) ? text : null);

/** `https://host/v2/video-bots?example_id=x` as a target; null for any other address. */
function targetAt(address: string, name: string): HttpTarget | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return null;
  const endpoint = serviceEndpoints.find((each) =>
    url.pathname.replace(/\/$/, "").endsWith(endpointOf(each).call.path),
  );
  const exampleId = url.searchParams.get("example_id") ?? "";
  if (endpoint === undefined || exampleId === "") return null;
  const before = url.pathname.slice(0, url.pathname.lastIndexOf(endpointOf(endpoint).call.path));
  return { name, baseUrl: `${url.origin}${before}`, endpoint, exampleId };
}
