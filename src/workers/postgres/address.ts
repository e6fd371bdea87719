import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { AppError } from "../../errors.ts";
import { isEncoded, parseAddress } from "../../lib/address.ts";

/** A server to connect to. It holds a password: none of it but `shown` may be printed. */
export interface PostgresAddress {
  /** The URL without the parameters of TLS, which the driver would read in its own way. */
  url: string;
  /** Settings of TLS; false: none. */
  ssl: false | ConnectionOptions;
  /** Host, port and database, for messages. */
  shown: string;
}

const modes = ["disable", "require", "verify-ca", "verify-full"];

/**
 * Reads a connection string. Beyond this machine TLS with the server's name checked is the default, as nobody should have
 * to ask for it; the words of `sslmode` mean the same as to psql, and those that leave the choice to the network are refused.
 */
export function postgresAddress(text: string): PostgresAddress {
  const url = parsed(text);
  // The driver takes the parameters before what stands in the URL.
  const host = url.searchParams.get("host") || decodeURIComponent(url.hostname);
  const port = url.searchParams.get("port") || url.port || "5432";
  const isHere = host === "" || host.startsWith("/") || ["localhost", "127.0.0.1", "[::1]"].includes(host);
  const mode = url.searchParams.get("sslmode") ?? (isHere ? "disable" : "verify-full");
  if (!modes.includes(mode))
    throw invalid(`it says sslmode=${mode}, which may go without TLS`, `Take one of ${modes.join(", ")}.`);
  const ssl = mode === "disable" ? false : tlsOf(mode, url.searchParams);
  for (const name of ["sslmode", "sslrootcert", "sslcert", "sslkey", "ssl"]) url.searchParams.delete(name);
  const place = host.startsWith("/") ? `${host}:` : `${host || "localhost"}:${port}/`;
  return { url: url.href, ssl, shown: `${place}${decodeURIComponent(url.pathname.slice(1))}` };
}

function parsed(text: string): URL {
  // A path of a socket has no host, which a URL must have to keep its user.
  const withHost = text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)\//, "$1localhost/");
  const { url, fault } = parseAddress(withHost, ["postgres", "postgresql"]);
  if (url === null) throw invalid(`it ${fault}`, "It looks like postgres://user:password@host:5432/database.");
  if (!isEncoded(url.hostname + url.pathname))
    throw invalid("its host or its database holds a % that encodes nothing", "Write it as %25.");
  if (url.pathname.length < 2)
    throw invalid("it names no database", "The database stands behind the host: postgres://host/database.");
  // The driver takes the last of them, and nobody else does.
  const names = [...url.searchParams.keys()];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalid(`it says ${twice}= more than once`, "Leave one of them.");
  if (url.searchParams.has("host")) url.hostname = "localhost";
  return url;
}

const invalid = (reason: string, hint: string): AppError =>
  new AppError("WORKERS_URL", `The connection string cannot be used: ${reason}.`, { hint });

function tlsOf(mode: string, parameters: URLSearchParams): ConnectionOptions {
  const file = (name: string): string | undefined => {
    const path = parameters.get(name);
    if (path === null) return undefined;
    try {
      return readFileSync(path, "utf8");
    } catch {
      throw invalid(`its ${name} cannot be read: ${path}`, "Give the path of a PEM file that this user may read.");
    }
  };
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    // As to psql: `require` checks the chain only when its root is given, and the name is checked by `verify-full` alone.
    ...(mode === "require" && ca === undefined && { rejectUnauthorized: false }),
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
}
