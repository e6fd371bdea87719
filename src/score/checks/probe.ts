import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { resolveHost } from "./public-address.ts";

/** The result of asking for a file at an address. `refused`: it may not be asked for; `failed`: it is not there. */
export type Probe = { status: number; type: string; length: number | null } | { refused: string } | { failed: string };

export interface ProbeLimits {
  allowPrivate: boolean;
  timeoutMs: number;
}

const mostRedirects = 5;

/**
 * Asks whether there is a file at an address: HEAD, and where that says nothing good GET, of which no more than the
 * beginning is read. Every redirect is checked like the first address. No cookies, no keys.
 */
export async function probe(address: string, limits: ProbeLimits): Promise<Probe> {
  const head = await follow(address, "HEAD", limits);
  return "status" in head && !isGood(head.status) ? follow(address, "GET", limits) : head;
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

async function follow(address: string, method: "HEAD" | "GET", limits: ProbeLimits): Promise<Probe> {
  let url = address;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const answer = await ask(url, method, limits);
    if (!("location" in answer)) return answer;
    if (!URL.canParse(answer.location, url))
      return { failed: `it redirects to ${answer.location}, which is no address` };
    url = new URL(answer.location, url).href;
  }
  return { failed: `it redirects more than ${mostRedirects} times` };
}

async function ask(
  address: string,
  method: "HEAD" | "GET",
  limits: ProbeLimits,
): Promise<Probe | { location: string }> {
  if (!URL.canParse(address)) return { failed: "it is no address" };
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { refused: `only http and https are asked, and not ${url.protocol}` };
  const host = await resolveHost(url.hostname, limits.allowPrivate);
  if (!("address" in host)) return host;
  return send(url, method, { ...host, timeoutMs: limits.timeoutMs });
}

function send(
  url: URL,
  method: "HEAD" | "GET",
  { address, family, timeoutMs }: { address: string; family: 4 | 6; timeoutMs: number },
): Promise<Probe | { location: string }> {
  return new Promise((resolve) => {
    const start = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = start(url, {
      method,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: method === "GET" ? { range: "bytes=0-1023", accept: "*/*" } : { accept: "*/*" },
      // The address that was checked, whatever the name says by now.
      lookup: (_host, options, give) => {
        if (options.all === true) give(null, [{ address, family }]);
        else give(null, address, family);
      },
    });
    request.on("error", (cause) => {
      resolve({
        failed:
          cause.name === "TimeoutError" || cause.name === "AbortError"
            ? `it did not answer within ${timeoutMs} ms`
            : cause.message,
      });
    });
    request.on("response", (response) => {
      resolve(read(response));
      // The body behind the headers is not wanted, however long it is.
      response.destroy();
    });
    request.end();
  });
}

function read({ statusCode = 0, headers }: IncomingMessage): Probe | { location: string } {
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) return { location: headers.location };
  const total = /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] ?? headers["content-length"];
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return { status: statusCode, type, length: total === undefined ? null : Number(total) };
}
