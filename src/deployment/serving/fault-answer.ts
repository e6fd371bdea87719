import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { type HttpAnswer, htmlAnswer } from "../answers/http-answer.ts";
import type { LimitSettings } from "../configuration/deployment-settings.ts";
import type { FaultKind, FaultRule } from "../faults/fault-rules.ts";
import { concurrencyReached, requestsReached } from "../access/limits.ts";
import type { RunIdentity } from "../record/record.ts";
import {
  forbidden,
  notFound,
  paymentRequired,
  runError,
  unauthorized,
  unhandled,
  unprocessable,
} from "../answers/refusal.ts";

const loginPage =
  '<!doctype html><html lang="en"><head><title>Sign in</title></head><body><form action="/login"><input name="user"></form></body></html>\n';

const privateResource =
  "This resource is private. Connect the account to continue: https://auth.example.test/connect/abc";

/** Facts that an answer in place of another one depends on. */
export interface FaultContext {
  rule: FaultRule;
  endpoint: ServiceEndpoint;
  limits: LimitSettings;
  run: RunIdentity;
}

/** The answers of the faults that replace one; null for those that leave it as it is, and do something to its delivery or its record. */
const answers: Readonly<Record<FaultKind, ((context: FaultContext) => HttpAnswer) | null>> = {
  delay: null,
  hang: null,
  "401": () => unauthorized("Invalid Authorization header. No credentials provided."),
  "401-run": ({ run }) => runError(401, run, privateResource),
  "402": () => paymentRequired(),
  "402-run": ({ run }) => runError(402, run, "Insufficient credits"),
  "403": () => forbidden(),
  "404": () => notFound(),
  "422": () => unprocessable([{ type: "value_error", loc: ["body"], msg: "Value error, a fault rule", input: null }]),
  "429-requests": ({ rule, endpoint, limits }) => {
    const count = limits.requests ?? 10;
    return requestsReached(endpoint, count, limits.window_ms, count, rule.retry_after_ms);
  },
  "429-concurrency": ({ rule, endpoint, limits }) => {
    const count = limits.concurrent ?? 4;
    return concurrencyReached(endpoint, count, count, { ...limits, concurrent_retry_ms: rule.retry_after_ms });
  },
  "500-run": ({ rule, run }) => runError(500, run, rule.text),
  "500": () => unhandled("KeyError: 'workflow'"),
  "502": () => proxyPage(502, "Bad Gateway"),
  "503": ({ rule }) =>
    proxyPage(503, "Service Temporarily Unavailable", { "retry-after": String(rule.retry_after_ms / 1000) }),
  "504": () => proxyPage(504, "Gateway Time-out"),
  "login-page": () => htmlAnswer(200, loginPage),
  "truncated-json": null,
  "reset-before-headers": null,
  "reset-after-headers": null,
  "slow-drip": null,
  "huge-body": null,
  standby: null,
  forgotten: null,
  "13-members": null,
  "no-id": null,
  "wide-output": null,
};

/** The answer that a rule gives instead of a run's; null when it leaves the answer as it is. */
export function faultAnswer(context: FaultContext): HttpAnswer | null {
  return answers[context.rule.kind]?.(context) ?? null;
}

/** True for the faults that are a failed run: it has an id and a page, and is not paid. */
export function isFailedRun(rule: FaultRule): boolean {
  return rule.kind === "401-run" || rule.kind === "402-run" || rule.kind === "500-run";
}

function proxyPage(status: number, reason: string, headers: Record<string, string> = {}): HttpAnswer {
  const title = `${status} ${reason}`;
  const lines = ["<html>", `<head><title>${title}</title></head>`, "<body>", `<center><h1>${title}</h1></center>`];
  const page = [...lines, "<hr><center>nginx</center>", "</body>", "</html>", ""].join("\r\n");
  return htmlAnswer(status, page, { ...headers, "content-type": "text/html" });
}
