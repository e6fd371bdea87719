import { AppError, type ErrorCode } from "../../errors.ts";
import { installAdvice } from "../../lib/peer-package.ts";

/** The refusal of a machine that lacks the packages by which workers are reached. */
export function missingPackages(cause: unknown): AppError {
  return new AppError("WORKERS_PACKAGE", "Workers need the packages pg and pg-boss, which are not installed.", {
    hint: installAdvice("pg", "pg-boss"),
    cause,
  });
}

/** The code of PostgreSQL or of the network in an error; null: it has none. */
export function postgresCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses of one name were tried.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first === undefined ? null : postgresCode(first);
}

/** Faults of another transaction or user: it was undone as a whole, and the same statement may pass now. */
export const isCollision = (error: unknown): boolean =>
  ["40P01", "40001", "55P03", "57014"].includes(postgresCode(error) ?? "");

interface Words {
  code: ErrorCode;
  message: (shown: string) => string;
  hint: string;
}

const words: readonly (Words & { codes: RegExp; text?: RegExp })[] = [
  {
    codes: /^28000$/,
    code: "WORKERS_REFUSED",
    message: (shown) => `PostgreSQL at ${shown} does not let this user in.`,
    hint: "Look at the user's name, and at pg_hba.conf of the server: who may come from where to which database, and whether without TLS.",
  },
  {
    codes: /^(28P01|SASL)$/,
    code: "WORKERS_REFUSED",
    message: (shown) => `PostgreSQL at ${shown} refuses the user or the password.`,
    hint: "Look at the connection string (TANDEM_WORKERS), and at pg_hba.conf of the server.",
  },
  {
    codes: /^3D000$/,
    code: "WORKERS_REFUSED",
    message: (shown) => `PostgreSQL has no database ${shown}.`,
    hint: "Create it (`createdb`), or name another in the connection string.",
  },
  {
    codes: /^42501$/,
    code: "WORKERS_REFUSED",
    message: (shown) => `The user has no right to do this in ${shown}.`,
    hint: "Workers and submitters connect as the role that ran `tandem workers setup`, which owns its tables.",
  },
  {
    codes: /^(53300|53400|57P03|57P01|57P02|25006)$/,
    code: "WORKERS_UNREACHABLE",
    message: (shown) => `PostgreSQL at ${shown} takes no connection now (it starts, stops, only reads, or is full).`,
    hint: "Try again in a while; look at max_connections and at the server's log.",
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    code: "WORKERS_TLS",
    message: (shown) => `The certificate of PostgreSQL at ${shown} is made out to another host.`,
    hint: "Connect by a name that stands in it. Where only its signature is to be checked, say sslmode=verify-ca.",
  },
  {
    codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    code: "WORKERS_TLS",
    message: (shown) => `The certificate of PostgreSQL at ${shown} is not valid at this time.`,
    hint: "Renew it on the server, or set the clock of this machine.",
  },
  {
    codes: /^(CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO)$/,
    code: "WORKERS_TLS",
    message: (shown) => `The certificate of PostgreSQL at ${shown} is not trusted.`,
    hint: "Give its root with sslrootcert=/path/root.pem in the connection string.",
  },
  {
    codes: /^SILENT$/,
    code: "WORKERS_UNREACHABLE",
    message: (shown) => `PostgreSQL at ${shown} gave no answer in time.`,
    hint: "Look at host and port, whether the server runs, and at what may drop packets between (a firewall, a cable).",
  },
  {
    codes: /^(ENDED|ECONNRESET|EPIPE)$/,
    code: "WORKERS_UNREACHABLE",
    message: (shown) => `PostgreSQL at ${shown} ended the connection, or something else answers there.`,
    hint: "Look whether that is the port of PostgreSQL, and at the server's log.",
  },
  {
    codes: /^NO_POSTGRES$/,
    code: "WORKERS_UNREACHABLE",
    message: (shown) => `Something that is no PostgreSQL answers at ${shown}.`,
    hint: "Look at host and port of the connection string.",
  },
  {
    codes: /^(E[A-Z_]+|08\w{3})$/,
    code: "WORKERS_UNREACHABLE",
    message: (shown) => `PostgreSQL at ${shown} cannot be reached.`,
    hint: "Look at host and port, at the network between, and whether the server runs.",
  },
];

/** Errors of the driver that have no code. */
const uncoded: readonly [RegExp, code: string][] = [
  [/does not support SSL/i, "NO_TLS"],
  [/SASL|password must be a string/i, "SASL"],
  [/establishing an SSL connection/i, "NO_POSTGRES"],
  [/timeout/i, "SILENT"],
  [/terminated|Connection ended|not queryable/i, "ENDED"],
];

/** True when the server is away, and may be back: nothing is wrong with the statement. */
export function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === "WORKERS_UNREACHABLE";
}

/** The AppError for an obstacle that the server or the network is; every other error comes back as it is, without its parameters. */
export function postgresFailure(shown: string, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const text = error.message;
  const reported = postgresCode(error);
  const code = reported ?? uncoded.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  if (code === "NO_TLS")
    return new AppError("WORKERS_TLS", `PostgreSQL at ${shown} does not speak TLS.`, {
      hint: "Switch it on there (ssl = on), or write sslmode=disable into the connection string where the network is your own.",
    });
  const found = code === null ? undefined : words.find(({ codes }) => codes.test(code));
  if (found === undefined) return error;
  // The cause is left out: the driver's errors name the user, and may hold what was sent.
  return new AppError(found.code, `${found.message(shown)}${reported === null ? "" : ` (${reported})`}`, {
    hint: found.hint,
  });
}
