import { expect, test } from "vitest";
import { answerCause, connectCause, isRefusedBefore, isLocalLimit } from "../../src/client/network-cause.ts";

function coded(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

test.each(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS"])("%s is a limit of this machine", (code) => {
  expect(isLocalLimit(coded(code))).toBe(true);
  expect(isLocalLimit(new AggregateError([coded("ECONNREFUSED"), coded(code)]))).toBe(true);
  expect(isLocalLimit(new Error("wrapped", { cause: coded(code) }))).toBe(true);
  expect(connectCause(coded(code))).toMatch(new RegExp(`^${code}: this (machine|process) has `));
});

test("what the other side does is no limit of this machine", () => {
  for (const code of ["ECONNREFUSED", "ENOTFOUND", "ECONNRESET", "CERT_HAS_EXPIRED"]) {
    expect(isLocalLimit(coded(code))).toBe(false);
  }
  expect(isLocalLimit(null)).toBe(false);
});

test("a cause is told in plain words, with its code and what the system said", () => {
  expect(connectCause(coded("ENOTFOUND", "getaddrinfo ENOTFOUND bots.example.test"))).toBe(
    "ENOTFOUND: the host name is not known (getaddrinfo ENOTFOUND bots.example.test)",
  );
  expect(connectCause(coded("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"))).toContain(
    "`ca` of the deployment can name it",
  );
  expect(connectCause(coded("ERR_SOMETHING_NEW", "it broke"))).toBe("ERR_SOMETHING_NEW: it broke");
  expect(connectCause(new Error("no code"))).toBe("no code");
  expect(answerCause(coded("ECONNRESET", "read ECONNRESET"))).toBe(
    "ECONNRESET: the connection was reset (read ECONNRESET)",
  );
});

test("an error that is its own cause ends", () => {
  const error: Error & { cause?: unknown } = new Error("round");
  error.cause = error;
  expect(connectCause(error)).toBe("round");
});

test("a handshake that the other side refuses after our first bytes has let no request through", () => {
  for (const code of [
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA",
    "ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE",
  ])
    expect(isRefusedBefore(coded(code, "alert")), code).toBe(true);
  expect(isRefusedBefore(coded("ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR", "alert"))).toBe(false);
  expect(isRefusedBefore(coded("ECONNRESET", "read ECONNRESET"))).toBe(false);
});
