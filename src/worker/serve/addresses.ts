import { AppError } from "../../errors.ts";
import { envValue } from "../../suite/environment.ts";
import { isLoopbackAddress } from "../../suite/key.ts";

/** An address that the operator of a worker has named: nothing of its machine goes anywhere else. */
export interface OwnAddress {
  /** `https://host` with an optional path, for those who submit. */
  address: string;
  /** Variables of the environment that suites may send there; null: those that are made for keys of tandem. */
  variables: readonly string[] | null;
}

const example = "--address https://api.example.com=TANDEM_API_KEY";

/** Reads `URL` and `URL=VARIABLE,VARIABLE`. Throws USAGE for a text that is neither, and where there is none. */
export function ownAddresses(texts: readonly string[]): OwnAddress[] {
  if (texts.length === 0) {
    throw new AppError("USAGE", "It is not said where this worker may send requests, and keys with them.", {
      hint: `Name each address that suites may use: ${example} (or TANDEM_ADDRESSES, with spaces between them).`,
    });
  }
  const all = texts.map(ownAddress);
  // A key that is for one service is not for another that the operator trusts as well.
  return all.length === 1 ? all : all.map((each) => ({ ...each, variables: each.variables ?? [] }));
}

/** A sentence for each variable that was named for an address and that the environment does not have. */
export function unsetVariables(own: readonly OwnAddress[], env: NodeJS.ProcessEnv): string[] {
  return own.flatMap(({ address, variables }) =>
    (variables ?? [])
      .filter((name) => envValue(env, name) === "")
      .map((name) => `${name} is not set here: what needs it at ${address} is left to other workers`),
  );
}

function ownAddress(text: string): OwnAddress {
  const [, address = "", names] = /^(.+?)(?:=([A-Za-z_]\w*(?:,[A-Za-z_]\w*)*))?$/.exec(text.trim()) ?? [];
  const place = placeOf(address);
  if (place === null) {
    throw new AppError("USAGE", `--address ${text} is not an address that a worker can send to.`, {
      hint: `For example ${example}; \`:*\` is every port of this machine: --address http://127.0.0.1:*`,
    });
  }
  return { address: `${place.origin}${place.path}`, variables: names?.split(",") ?? null };
}

/** True when an address is one of these, or lies below one. */
export function isBelow(addresses: readonly string[], address: string): boolean {
  return addresses.some((each) => lies(address, each));
}

/** The closest of the addresses that a base URL lies below; null: there is none. */
export function closestAddress(own: readonly OwnAddress[], baseUrl: string): OwnAddress | null {
  const around = own.filter(({ address }) => lies(baseUrl, address));
  return around.toSorted((one, other) => other.address.length - one.address.length)[0] ?? null;
}

/** The path of an address, empty for a whole service. */
export const pathOf = (address: string): string => placeOf(address)?.path ?? "";

function lies(address: string, own: string): boolean {
  const [inner, outer] = [placeOf(address), placeOf(own)];
  if (inner === null || outer === null) return false;
  const isOrigin = outer.anyPort ? inner.host === outer.host : inner.origin === outer.origin;
  return isOrigin && (inner.path === outer.path || inner.path.startsWith(`${outer.path}/`));
}

interface Place {
  origin: string;
  /** Scheme and host, without the port. */
  host: string;
  /** Without a slash at its end. */
  path: string;
  anyPort: boolean;
}

/** The parts of an address by which requests are sent; null: it is none. */
function placeOf(address: string): Place | null {
  const plain = address.replace(/^(https?:\/\/[^/:]+):\*/, "$1");
  const anyPort = plain !== address;
  if (!/^https?:\/\//i.test(plain) || !URL.canParse(plain)) return null;
  const { protocol, hostname, origin, pathname, username, password, search, hash } = new URL(plain);
  if ([username, password, search, hash].some((part) => part !== "")) return null;
  if (anyPort && !isLoopbackAddress(hostname)) return null;
  const host = `${protocol}//${hostname}`;
  return { origin: anyPort ? `${host}:*` : origin, host, path: pathname.replace(/\/+$/, ""), anyPort };
}
