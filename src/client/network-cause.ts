/** Meanings of the codes of errors in making a connection, in plain words. */
const meanings: Record<string, string> = {
  ECONNREFUSED: "nothing listens at this address",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the name server did not answer",
  ETIMEDOUT: "the host did not answer in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection was made in time",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "the network cannot be reached",
  EACCES: "the system does not allow this connection",
  EPERM: "the system does not allow this connection",
  ECONNRESET: "the other side closed the connection while it was being made",
  EPIPE: "the other side closed the connection",
  UND_ERR_SOCKET: "the other side closed the connection",
  EPROTO: "the other side does not speak TLS as expected (is it an http:// address?)",
  ERR_SSL_WRONG_VERSION_NUMBER: "the other side does not speak TLS (is it an http:// address?)",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the other side does not speak TLS (is it an http:// address?)",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed (`ca` of the deployment can name it)",
  SELF_SIGNED_CERT_IN_CHAIN: "a certificate in the chain is self-signed (`ca` of the deployment can name it)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate's issuer is not known (`ca` of the deployment can name it)",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's issuer is not known (`ca` of the deployment can name it)",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    "the other side asks for a certificate of ours (`cert` and `cert_key` of the deployment)",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host",
  EMFILE: "this process has too many open files; fewer connections or a higher `ulimit -n` would help",
  ENFILE: "this machine has too many open files",
  EADDRNOTAVAIL: "this machine has no free local port left for the address",
  ENOBUFS: "this machine has no memory left for sockets",
  UND_ERR_INVALID_ARG: "the request cannot be written as HTTP",
  UND_ERR_PRX_TLS: "no safe connection to the proxy could be made",
  UND_ERR_CLOSED: "the client was closed",
  UND_ERR_DESTROYED: "the client was closed",
};

/** Meanings of the statuses with which a proxy refuses to connect. */
const proxyMeanings: Record<string, string> = {
  401: ": it asks for a user name and password (http://NAME:PASSWORD@HOST in the variable that `proxy` names)",
  403: ": it does not allow this host or port",
  407: ": it asks for a user name and password (http://NAME:PASSWORD@HOST in the variable that `proxy` names)",
  500: ": it cannot reach the service",
  502: ": it cannot reach the service",
  503: ": it cannot reach the service",
  504: ": the service did not answer it in time",
};

/** Meanings of the codes of errors in reading an answer, if they differ. */
const answerMeanings: Record<string, string> = {
  ECONNRESET: "the connection was reset",
  ETIMEDOUT: "the connection died",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the body has not the length that was announced",
  UND_ERR_HEADERS_OVERFLOW: "the headers are too large",
};

const localLimits = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS"]);

/** True when an error comes from a limit of this machine or process, not from the other side. */
export function isLocalLimit(error: unknown): boolean {
  return codesOf(error).some((code) => localLimits.has(code));
}

/** True when a request cannot be written as HTTP, now or later. undici has the same code for a proxy that wants a password. */
export function isUnwritable(error: unknown): boolean {
  return codesOf(error).includes("UND_ERR_INVALID_ARG") && proxyStatus(error) === null;
}

/** Handshakes that the other side has refused: with TLS 1.3 it says so when the first bytes are on their way, and reads none of them. */
const refusedHandshake =
  /^ERR_SSL_[A-Z0-9/_]*ALERT_(?:(?:BAD|NO|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REQUIRED|REVOKED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/;

/** True when the way to the service was closed before it read a request: by its handshake, or by a proxy that wants a password. */
export function isRefusedBefore(error: unknown): boolean {
  return codesOf(error).some((code) => refusedHandshake.test(code)) || proxyStatus(error) === "407";
}

/** The status with which a proxy refused, as undici words it; null: no proxy did. */
function proxyStatus(error: unknown): string | null {
  const said = error instanceof Error ? error.message : "";
  return (
    /^Proxy response \((\d{3})\)/.exec(said)?.[1] ??
    /^Proxy Authentication Required \((\d{3})\)/.exec(said)?.[1] ??
    null
  );
}

/** The reason why a request was not sent: the code and its meaning. */
export function connectCause(error: unknown): string {
  return cause(error, meanings);
}

/** The reason why an answer did not come whole: the code and its meaning. */
export function answerCause(error: unknown): string {
  return cause(error, { ...meanings, ...answerMeanings });
}

function cause(error: unknown, words: Record<string, string>): string {
  const said = error instanceof Error ? error.message : String(error);
  const status = proxyStatus(error);
  if (status !== null) return `the proxy answered ${status}${proxyMeanings[status] ?? ""}`;
  const codes = codesOf(error);
  const code = codes.find((one) => words[one] !== undefined) ?? codes[0];
  if (code === undefined) return said;
  const meaning = words[code];
  if (meaning === undefined) return said.includes(code) ? said : `${code}: ${said}`;
  return said === "" || said.includes(meaning) ? `${code}: ${meaning}` : `${code}: ${meaning} (${said})`;
}

/** The codes of an error, of the errors it gathers (one per address tried) and of its causes. */
function codesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const gathered: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [...own, ...[...gathered, error.cause].flatMap((inner) => codesOf(inner, depth + 1))];
}
