import { EnvHttpProxyAgent, Pool, ProxyAgent } from "undici";
import type { Proxy } from "./service-connection.ts";

/** The proxies that an environment names, as `EnvHttpProxyAgent` of undici reads them. */
export interface EnvironmentProxies {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

/**
 * A way through one proxy (`http:`, `https:` or `socks5:`), or through those of the environment. Https goes through a
 * tunnel, so the proxy sees no more than the host; each attempt still has a connection of its own.
 */
export function throughProxy(by: string | EnvironmentProxies): Proxy {
  return {
    open: (origin, options, onRoute) => {
      const { connect, ...pool } = options;
      const own = typeof connect === "object" ? connect : {};
      const given = {
        connectTimeout: own.timeout ?? 10_000,
        requestTls: own,
        factory: (to: string | URL, { connect: tunnel }: Pool.Options) => {
          const isProxied = typeof tunnel === "function";
          onRoute(isProxied ? addressOf(by, origin) : null);
          return new Pool(to, { ...pool, connect: isProxied ? tunnel : own });
        },
      };
      return typeof by === "string"
        ? new ProxyAgent({ ...given, uri: by })
        : new EnvHttpProxyAgent({ ...given, ...by });
    },
  };
}

/** The address of the proxy that is taken, without name and password. */
function addressOf(by: string | EnvironmentProxies, origin: string): string {
  const { protocol, host } = new URL(typeof by === "string" ? by : environmentProxy(by, origin));
  return `${protocol}//${host}`;
}

/** As `EnvHttpProxyAgent` chooses: without a proxy for https, that for http is taken. */
function environmentProxy({ httpProxy, httpsProxy }: EnvironmentProxies, origin: string): string {
  return origin.startsWith("https:") ? httpsProxy || httpProxy : httpProxy;
}
