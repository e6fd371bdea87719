import { hashText } from "../../lib/hash.ts";
import type { DeploymentSettings, KeySettings } from "../configuration/deployment-settings.ts";
import { Refusal, forbidden, unauthorized } from "../answers/refusal.ts";

/** The sender of a request: runs are counted and paid per caller. */
export interface Caller {
  /** Fit for a log or a journal: never holds the key. */
  name: string;
  /** The key itself, so that it can be redacted from what is kept; null without one. */
  key: string | null;
  settings: KeySettings | null;
}

const anonymous: Caller = { name: "(no key)", key: null, settings: null };

/** Finds out who calls. Refuses with 401 (three texts) and 403. */
export class Keys {
  private readonly settings: DeploymentSettings;
  private readonly embedded: boolean;

  constructor(settings: DeploymentSettings, embedded: boolean) {
    this.settings = settings;
    this.embedded = embedded;
  }

  caller(authorization: string | undefined): Caller {
    const { keys, require_key } = this.settings;
    if (this.embedded) return this.known(keyFrom(authorization)) ?? anonymous;
    if (authorization === undefined && keys.length === 0 && !require_key) return anonymous;
    const key = keyOf(authorization ?? "");
    const caller = this.known(key);
    if (keys.length > 0 && caller?.settings === null) throw new Refusal(forbidden());
    return caller ?? anonymous;
  }

  private known(key: string | null): Caller | null {
    if (key === null) return null;
    const settings = this.settings.keys.find((entry) => entry.key === key) ?? null;
    return { name: settings?.name ?? maskKey(key), key, settings };
  }
}

/** A key as it may be shown: its first characters when it has the usual prefix, and a hash that tells two apart. */
export function maskKey(key: string): string {
  return `${key.startsWith("sk-") ? "sk-" : ""}...(${hashText(key, 8)})`;
}

/** The key of a well-formed header; the word `bearer` in any case. */
function keyOf(authorization: string): string {
  const [scheme, key, ...more] = authorization.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== "bearer") throw new Refusal(unauthorized("Invalid Authorization header."));
  if (key === undefined) {
    throw new Refusal(unauthorized("Invalid Authorization header. No credentials provided."));
  }
  if (more.length > 0) {
    throw new Refusal(unauthorized("Invalid Authorization header. Token string should not contain spaces."));
  }
  return key;
}

/** Reads the key from a header that is well-formed; null otherwise. */
export function keyFrom(authorization: string | undefined): string | null {
  return /^\s*bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? null;
}
