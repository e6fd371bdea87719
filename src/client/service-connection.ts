import type { Dispatcher, Pool } from "undici";

/** The way to a deployment, and what goes with every request beside its key. */
export interface ServiceConnection {
  /** Name and value. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Values of endpoints' headers that name variables, as they are written, to the values that are sent. */
  filled: ReadonlyMap<string, string>;
  /** Values that are replaced wherever a service or a proxy repeats them, as the key is. */
  secrets: readonly string[];
  /** PEM texts; null: what Node trusts, and no certificate of our own. */
  tls: { ca?: string[]; cert?: string; key?: string } | null;
  /** null: straight to the service. */
  proxy: Proxy | null;
}

/** A way to the service through another machine, where one applies. */
export interface Proxy {
  /** Opens connections to an origin. `onRoute` is told, once it is known, which way they take: the address of a proxy, or null. */
  open: (origin: string, pool: Pool.Options, onRoute: (proxy: string | null) => void) => Dispatcher;
}

/** Straight to the service, with nothing but the key. */
export const direct: ServiceConnection = { headers: [], filled: new Map(), secrets: [], tls: null, proxy: null };
