import type { JsonValue } from "../../lib/json.ts";

/** A complete HTTP answer, before anything of it is written to a socket. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** An answer whose body is JSON, as the service writes it: `application/json` without a charset. */
export function jsonAnswer(status: number, value: JsonValue, headers: Record<string, string> = {}): HttpAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** An answer that is a page of a proxy: no JSON. */
export function htmlAnswer(status: number, page: string, headers: Record<string, string> = {}): HttpAnswer {
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body: page };
}
