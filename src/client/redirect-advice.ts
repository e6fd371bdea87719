import { isDescribed } from "../api/endpoint-name.ts";
import { isTemplate } from "../lib/liquid-name.ts";
import type { SentRequest } from "./verdict.ts";

const longestAddress = 500;

/** The words that say what to write so that a request goes where a redirect leads; null: it leads to something else. */
export function redirectAdvice(location: string, { where, proxy, endpoint, call }: SentRequest): string | null {
  const through = proxy === null ? "" : ` through the proxy ${proxy}`;
  const address = where.slice(call.method.length + 1, where.length - through.length);
  const base = address.slice(0, address.length - call.path.length);
  const [from, to] = [urlOf(base), urlOf(location, address)];
  if (from === null || to === null || to.href.length > longestAddress) return null;
  if (isTemplate(call.path)) return sameButSlash(call.path, { from, to });
  return written({ from, to, path: call.path }, isDescribed(endpoint));
}

function urlOf(text: string, base?: string): URL | null {
  const url = URL.canParse(text, base) ? new URL(text, base) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, "");

/** Paths that differ in slashes and in the case of letters are alike. */
const like = (path: string): string => path.toLowerCase().replaceAll(/\/+/g, "/").replace(/\/$/, "");

function sameButSlash(path: string, { from, to }: { from: URL; to: URL }): string | null {
  if (from.origin !== to.origin || to.pathname.endsWith("/") === path.endsWith("/")) return null;
  return `write \`path: "${path.endsWith("/") ? path.slice(0, -1) : `${path}/`}"\` in its endpoint`;
}

/** `hasPath`: the endpoint is described in the suite, with its path. */
function written({ from, to, path }: { from: URL; to: URL; path: string }, hasPath: boolean): string | null {
  const prefix = pathOf(from);
  const after = to.pathname;
  if (path !== "" && after.endsWith(path)) {
    const base = `${to.origin}${after.slice(0, after.length - path.length)}`;
    return base === from.origin + prefix ? null : `write \`base_url: "${base}"\``;
  }
  if (like(after) !== like(prefix + path)) return null;
  const isBelow = after.startsWith(prefix);
  const [base, rest] = isBelow ? [to.origin + prefix, after.slice(prefix.length)] : [to.origin, after];
  if (!hasPath)
    return `it asks for ${to.origin}${after}: describe it as an endpoint of your own, with \`path: "${rest}"\``;
  const moved = base === from.origin + prefix ? "" : `\`base_url: "${base}"\` and `;
  return `write ${moved}\`path: "${rest}"\` in its endpoint`;
}
