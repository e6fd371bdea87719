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
  /** The reason why the headers cannot be written; null: they can. */
  fault: string | null;
}

/** The reason why a request cannot be written as HTTP; null: it can. undici would count a connection as busy for good. */
export function lineFault({ fault }: RequestLine, path: string): string | null {
  if (fault !== null) return fault;
  if (/[^\x21-\xff]/.test(path)) return "the path holds a character that no request line can";
  return null;
}

function headersFault(headers: ReadonlyMap<string, string>): string | null {
  const [name] = [...headers].find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value)) ?? [];
  return name === undefined ? null : `the header ${name} holds a character that no header can`;
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
  const where = `${call.method} ${origin}${prefix}${call.path}`;
  return { prefix, headers: [...headers].flat(), where, fault: headersFault(headers) };
}

/** The usual headers with the type and the length of a body of its own. */
export function headersFor(usual: readonly string[], contentType: string | undefined, length: number | null): string[] {
  const headers = [...usual];
  const type = headers.findIndex((word, index) => index % 2 === 0 && word === "content-type");
  if (contentType !== undefined && type !== -1) headers[type + 1] = contentType;
  return length === null ? headers : [...headers, "content-length", String(length)];
}
