import { addressOf, type EndpointCall } from "../api/endpoint-call.ts";
import { direct, type ServiceConnection } from "./service-connection.ts";

/** The facts of a deployment that its requests are made of. */
export interface RequestSource {
  /** `https://host` with an optional path, which goes before that of an endpoint. */
  baseUrl: string;
  /** Sent as `Authorization: bearer KEY`; null sends no such header. */
  key: string | null;
  /** Default: straight to the service, with nothing but the key. */
  connection?: ServiceConnection | undefined;
  /** Default `tandem`. */
  userAgent?: string;
}

/** The parts of a request that are the same for all that an endpoint of a deployment is sent. */
export interface RequestLine {
  /** Goes before the path of a request. */
  prefix: string;
  /** Names and values in turn. */
  headers: string[];
  /** Method and address, for messages: `POST https://host/v2/video-bots`. */
  where: string;
}

/** Makes it of the deployment's address, key and headers. A header of the endpoint's own replaces one of ours, one of the deployment's all others. */
export function requestLine(
  call: EndpointCall,
  { baseUrl, key, connection = direct, userAgent }: RequestSource,
): RequestLine {
  const { origin, pathname } = new URL(addressOf(call, baseUrl.replace(/\/+$/, ""), ""));
  const prefix = pathname.replace(/\/+$/, "");
  const headers = new Map<string, string>();
  if (call.contentType !== null) headers.set("content-type", call.contentType);
  headers.set("accept", "application/json").set("user-agent", userAgent ?? "tandem");
  if (key !== null) headers.set("authorization", `${call.keyWord} ${key}`);
  for (const [name, value] of Object.entries(call.headers))
    headers.set(name.toLowerCase(), connection.filled.get(value) ?? value);
  for (const [name, value] of connection.headers) headers.set(name.toLowerCase(), value);
  return { prefix, headers: [...headers].flat(), where: `${call.method} ${origin}${prefix}${call.path}` };
}
