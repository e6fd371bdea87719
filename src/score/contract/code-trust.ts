import { isDeepStrictEqual } from "node:util";
import type { ScorerSpec } from "./spec.ts";

const granted: unique symbol = Symbol("a suite file that the user named");

/**
 * Leave to run the modules and commands of one suite file that the user named in this command. Only the loading of such
 * a file makes one (a test holds that): a suite from a database or from flags has none.
 */
export interface CodeTrust {
  readonly [granted]: true;
  /** Absolute folder of the suite file, where its modules and commands are. */
  readonly folder: string;
  /** The scorers of the file: no others may run code. */
  readonly scorers: readonly ScorerSpec[];
  /** Names of the variables that hold API keys: no code gets to see them. */
  readonly keyNames: readonly string[];
}

const given = new WeakSet<CodeTrust>();

/** Trusts the code that a suite file names. */
export function trustCode(file: Pick<CodeTrust, "folder" | "scorers" | "keyNames">): CodeTrust {
  const trust: CodeTrust = Object.freeze({ [granted]: true as const, ...file });
  given.add(trust);
  return trust;
}

/** True for a scorer that the trusted file itself has. */
export function isTrusted({ type, options }: ScorerSpec, trust: CodeTrust | null): trust is CodeTrust {
  // A copy of a trust with other scorers in it is none.
  if (trust === null || !given.has(trust)) return false;
  return trust.scorers.some((own) => own.type === type && isDeepStrictEqual(own.options, options));
}
