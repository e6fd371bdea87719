import { hostname } from "node:os";
import { isIP } from "node:net";

/** Names under which a machine reaches itself. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * True when a Host header names this deployment: loopback or the host it listens on. A page in a browser that lets
 * its own name point to this machine (DNS rebinding) is kept out. Where it listens beyond loopback, addresses, the
 * machine's name and the names of `allowed_hosts` count too: rebinding needs a name of the attacker's.
 */
export function isOwnHost(header: string | undefined, listening: string, allowed: readonly string[]): boolean {
  const host = hostOf(header ?? "");
  if (host === null) return false;
  if (isLoopback(host) || host === listening.toLowerCase()) return true;
  if (isLoopback(listening)) return false;
  return isIP(host) !== 0 || host === hostname().toLowerCase() || allowed.some((name) => name.toLowerCase() === host);
}

/** `name`, `1.2.3.4` or `::1` of `name:port` or `[::1]:port`, in lower case. */
function hostOf(header: string): string | null {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header.trim()) ?? [];
  return (bracketed ?? plain)?.toLowerCase() ?? null;
}
