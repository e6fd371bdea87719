import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Networks that no one on the internet can be reached in, or that lead back into this machine or its neighbourhood. */
const closed = new BlockList();
const ipv4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
for (const [network, bits] of ipv4) closed.addSubnet(network, bits, "ipv4");
// Only 2000::/3 of IPv6 is given out; in it the tunnels, which lead to IPv4 addresses, and the documentation.
for (const network of ["2001::", "2001:db8::"]) closed.addSubnet(network, 32, "ipv6");
closed.addSubnet("2002::", 16, "ipv6");
const given = new BlockList();
given.addSubnet("2000::", 3, "ipv6");

/** True for an address on the internet; false for one of this machine or a private network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, "ipv4");
  return given.check(address, "ipv6") && !closed.check(address, "ipv6");
}

/** An address of a host, or why there is none that may be asked. */
export type ResolvedHost = { address: string; family: 4 | 6 } | { refused: string } | { failed: string };

/**
 * Resolves a host once, to connect to that address and no other: a name that is private the second time would get
 * around the check. Every address of a name has to be public, unless private ones are allowed.
 */
export async function resolveHost(host: string, allowPrivate: boolean): Promise<ResolvedHost> {
  const bare = host.replace(/^\[|\]$/g, "");
  const found = isIP(bare) === 0 ? await addressesOf(bare) : [bare];
  if (typeof found === "string") return { failed: found };
  const hidden = allowPrivate ? undefined : found.find((address) => !isPublicAddress(address));
  if (hidden !== undefined)
    return { refused: `${host} is a private address (${hidden}), which is not asked unless allow_private is true` };
  const [address] = found;
  return address === undefined
    ? { failed: `${host} has no address` }
    : { address, family: isIP(address) === 6 ? 6 : 4 };
}

async function addressesOf(host: string): Promise<string[] | string> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    return `${host} cannot be resolved: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
