import { parseAddress } from "../../lib/address.ts";
import { showText } from "../../lib/show.ts";
import { variablesIn } from "../environment.ts";
import { type Fault, type FaultPath, fault, keyFault } from "../../lib/fault.ts";
import type { Sections } from "../schema/sections.ts";

/** Characters of a header's name (RFC 9110, token). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;

/** Headers that the connection and the body decide. */
const ours = new Set([
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** True for a header that the connection and the body decide. */
export const isConnectionHeader = (name: string): boolean => ours.has(name.toLowerCase());

/** True for the header that holds the key. */
export const isAuthorization = (name: string): boolean => name.toLowerCase() === "authorization";

/** Checks how the deployments of a suite are reached. */
export function checkConnections(deployments: NonNullable<Sections["deployments"]>): Fault[] {
  return Object.entries(deployments).flatMap(([name, written]) => {
    const path = ["deployments", name];
    const { headers = {}, proxy = "env", cert, cert_key: certKey, api_key_env: key } = written;
    const faults = [...checkHeaders(headers, [...path, "headers"]), ...checkProxy(proxy, [...path, "proxy"])];
    if (key !== undefined && Object.keys(headers).some(isAuthorization)) {
      const message = "cannot be used together with a header authorization, which is where the key goes";
      faults.push(fault([...path, "api_key_env"], message, "Keep one of them."));
    }
    if (cert !== undefined && certKey === undefined)
      faults.push(fault([...path, "cert"], "needs cert_key, its private key"));
    if (certKey !== undefined && cert === undefined)
      faults.push(fault([...path, "cert_key"], "needs cert, the certificate"));
    return faults;
  });
}

/** Checks headers that a user writes. */
function checkHeaders(headers: Readonly<Record<string, string>>, path: FaultPath): Fault[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const at = [...path, name];
    const lower = name.toLowerCase();
    if (!headerName.test(name)) return [keyFault(at, `${showText(name)} is not the name of a header`)];
    if (isConnectionHeader(name)) return [keyFault(at, `${showText(name)} cannot be set: it follows from the request`)];
    if (seen.has(lower)) return [keyFault(at, `${showText(name)} is there twice; upper and lower case are the same`)];
    seen.add(lower);
    const wrong = headerValueFault(value);
    return wrong === null ? [] : [fault(at, wrong)];
  });
}

/** The reason why a text cannot be the value of a header; null when it can. It never shows the text. */
export function headerValueFault(value: string): string | null {
  if (/[\r\n]/.test(value)) return "must not hold a line break: it would begin another header";
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) return "holds a character that a header cannot carry";
  return null;
}

function checkProxy(proxy: string, path: FaultPath): Fault[] {
  if (proxy === "env" || proxy === "none") return [];
  // A name without a password may be a token.
  if (/^\w+:\/\/(?:[^/@]*:)?(?!\$\{)[^/@:]*@/.test(proxy)) {
    return [fault(path, "holds a login", "Put its password into the environment, and write ${NAME} in its place.")];
  }
  const wrong = variablesIn(proxy).length > 0 ? null : proxyFault(proxy);
  return wrong === null ? [] : [fault(path, wrong, "Or write env or none.")];
}

/** The reason why a text is not the address of a proxy; null when it is. It never shows the text. */
export function proxyFault(address: string): string | null {
  const { url, fault: wrong } = parseAddress(address, ["http", "https", "socks5"]);
  return url === null ? wrong : null;
}
