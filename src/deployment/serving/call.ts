import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { hashText } from "../../lib/hash.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { now } from "../../lib/clock.ts";
import { type HttpAnswer, jsonAnswer, htmlAnswer } from "../answers/http-answer.ts";
import type { Configuration, ServedRun } from "../configuration/configuration.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import type { AnswerDelivery } from "../faults/answer-delivery.ts";
import type { LimitSettings } from "../configuration/deployment-settings.ts";
import { type FaultPlan, isBeforeRun } from "../faults/faults.ts";
import type { JournalEntry } from "./request-journal.ts";
import type { Caller } from "../access/keys.ts";
import { usualStyle } from "../record/record-style.ts";
import { type AsyncEnd, takenAnswer } from "./async-runs.ts";
import { isDeleted, newRun, styledRecord, type RunIdentity } from "../record/record.ts";
import {
  Refusal,
  notFound,
  paymentRequired,
  runError,
  unhandled,
  forbidden,
  unauthorized,
  unprocessable,
} from "../answers/refusal.ts";
import { checkBody, readBody } from "../answers/request-body.ts";
import type { Service } from "../service.ts";
import type { FaultKind, FaultRule } from "../faults/fault-rules.ts";
import { concurrencyReached, requestsReached } from "../access/limits.ts";

/** One POST to an endpoint, complete. */
export interface Call {
  endpoint: ServiceEndpoint;
  exampleId: string;
  authorization: string | undefined;
  contentType: string | undefined;
  /** True for the asynchronous form. */
  isAsync: boolean;
  text: string;
  /** `http://host:port` under which the run's page is found. */
  origin: string;
  entry: JournalEntry | null;
}

/** A call that passed every check, about to run. */
interface Job {
  call: Call;
  caller: Caller;
  configuration: Configuration;
  /** The sent request, merged over the saved one. */
  request: JsonObject;
  /** The fields that were really in the body. */
  body: JsonObject;
  plan: FaultPlan;
  run: RunIdentity;
  uid: string;
  limits: LimitSettings;
}

/** Answers a call, in the order of checks of the service: syntax, key, schema, example_id, limits, run. */
export async function answerCall(service: Service, call: Call): Promise<AnswerDelivery> {
  try {
    const job = checkCall(service, call);
    const { fault } = job.plan;
    if (call.entry !== null) call.entry.fault = fault?.kind ?? null;
    if (fault !== null && isBeforeRun(fault)) return { answer: replaced(job, jsonAnswer(200, {})), fault };
    return { answer: call.isAsync ? takeRun(service, job) : await runWithinLimits(service, job), fault };
  } catch (error) {
    if (error instanceof Refusal) return { answer: error.answer, fault: null };
    service.log.error("a request could not be answered", { error });
    return { answer: unhandled(errorText(error)), fault: null };
  }
}

function checkCall(service: Service, call: Call): Job {
  const { endpoint } = call;
  const sent = readBody(call.text, call.contentType);
  const { settings } = service;
  const caller = service.keys.caller(call.authorization);
  const body = checkBody(endpoint, sent);
  const configuration = service.configurations.find(endpoint, call.exampleId);
  if (configuration === null) throw new Refusal(notFound());
  const uid = uidOf(caller);
  return {
    call,
    caller,
    configuration,
    body,
    request: mergeRequest(endpoint, configuration.saved, body),
    plan: service.faults.plan({ endpoint, exampleId: configuration.id, body, text: call.text }),
    run: newRun(call.origin, endpoint, uid),
    uid,
    limits: caller.settings?.limits ?? settings.limits,
  };
}

/** The name under which the runs of a caller are found. */
export const uidOf = ({ name }: Caller): string => hashText(`uid ${name}`, 28);

async function runWithinLimits(service: Service, job: Job): Promise<HttpAnswer> {
  return runUntil(service, job, service.limits.begin(job.caller, job.call.endpoint, job.limits));
}

/** Takes a run and lets it go on by itself; the answer says where to ask for it. A fault may spoil that answer. */
function takeRun(service: Service, job: Job): HttpAnswer {
  const { call, run, uid, request, plan } = job;
  const end = service.limits.begin(job.caller, call.endpoint, job.limits);
  const { standby_ms: standby, starting_ms: startingMs } = service.settings.async;
  const standbyMs = plan.fault?.kind === "standby" ? Infinity : standby;
  const { asyncRuns, journal } = service;
  asyncRuns.add({ run, uid, endpoint: call.endpoint, standbyMs, startingMs, deletes: isDeleted(request) });
  journal.ran(call.entry, run.id);
  void endLater(service, job, { waitMs: standbyMs + startingMs, end });
  if (plan.fault?.kind === "forgotten") asyncRuns.forget(run.id);
  const [slug] = servedEndpoints[call.endpoint].asyncSlugs;
  const taken = takenAnswer(run, `${call.origin}/v3/${slug}/status/?run_id=${run.id}`);
  return plan.fault !== null && isFailedRun(plan.fault) ? taken : replaced(job, taken);
}

/** Makes a run once it has waited; one that waits for ever is never made. */
async function endLater(service: Service, job: Job, given: { waitMs: number; end: () => void }): Promise<void> {
  const { waitMs, end } = given;
  if (waitMs === Infinity) return end();
  if (waitMs > 0) await sleep(waitMs);
  service.asyncRuns.end(job.run.id, endOf(job, await runUntil(service, job, end)));
}

/** The end that is told to whoever asks, from the answer to one who waits. */
function endOf({ call }: Job, { status, body }: HttpAnswer): AsyncEnd {
  const said: unknown = JSON.parse(body.toString());
  const { output, detail } = isJsonObject(said) ? said : {};
  if (isJsonObject(output)) {
    return { output: Object.fromEntries(servedEndpoints[call.endpoint].members(output, 14)) };
  }
  const error = isJsonObject(detail) ? detail.error : detail;
  return { error: typeof error === "string" ? error : `HTTP ${status}`, status: status === 500 ? null : status };
}

/** Makes the run; `end` gives its place in the limits back. */
async function runUntil(service: Service, job: Job, end: () => void): Promise<HttpAnswer> {
  try {
    if (job.plan.delayMs > 0) await sleep(job.plan.delayMs);
    const crash = servedEndpoints[job.call.endpoint].crashOn(job.body);
    if (crash !== null) return unhandled(crash);
    return await paidRun(service, job);
  } finally {
    end();
  }
}

/** Takes the price first, so that runs at once cannot overdraw; a failed run gives it back. */
async function paidRun(service: Service, job: Job): Promise<HttpAnswer> {
  const { price } = job.configuration;
  const { fault } = job.plan;
  if (!service.credits.take(job.caller, price)) return paymentRequired();
  if (fault !== null && isFailedRun(fault)) {
    service.credits.giveBack(job.caller, price);
    return failedRun(service, job, replaced(job, jsonAnswer(500, {})), fault.kind);
  }
  const began = now();
  const result = await runOnce(job);
  const left = result.latencyMs - (now() - began);
  if (left > 0) await sleep(left);
  if (result.error === null) {
    const answer = completedRun(service, job, result.output, now() - began);
    return job.call.isAsync ? answer : replaced(job, answer);
  }
  service.credits.giveBack(job.caller, price);
  return failedRun(service, job, runError(500, job.run, result.error), result.error);
}

/** A run that throws is a failed run. */
async function runOnce(job: Job): Promise<ServedRun> {
  try {
    return await job.configuration.run(job.request);
  } catch (error) {
    return { output: {}, latencyMs: 0, error: errorText(error) };
  }
}

function completedRun(service: Service, job: Job, output: JsonObject, milliseconds: number): HttpAnswer {
  const { call, request, run } = job;
  const style = { ...usualStyle, ...job.plan.style };
  // Whoever asks for a run gets its output, once, also when nothing of it is kept.
  const reported = call.isAsync ? { ...request, settings: null } : request;
  const answer = jsonAnswer(200, styledRecord(run, call.endpoint, reported, output, style));
  if (!call.isAsync) service.journal.ran(call.entry, run.id);
  if (!isDeleted(request)) remember(service, job, output, null, answer, milliseconds);
  return answer;
}

/** A failed run exists: it has an address, and the journal knows it. */
function failedRun(service: Service, job: Job, answer: HttpAnswer, error: string): HttpAnswer {
  if (!job.call.isAsync) service.journal.ran(job.call.entry, job.run.id);
  remember(service, job, null, error, answer, 0);
  return answer;
}

function remember(
  service: Service,
  job: Job,
  output: JsonObject | null,
  error: string | null,
  answer: HttpAnswer,
  milliseconds: number,
): void {
  const { run, uid, request, call, configuration } = job;
  const view = { run, uid, endpoint: call.endpoint, exampleId: configuration.id, request, output, error, milliseconds };
  service.runs.add(view, call.text.length + answer.body.length);
}

/** The answer of a fault rule in its place, or the answer as it is. */
function replaced(job: Job, answer: HttpAnswer): HttpAnswer {
  const { fault } = job.plan;
  return fault === null ? answer : (faultAnswer({ ...job, rule: fault, endpoint: job.call.endpoint }) ?? answer);
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The request that really runs: every field present in the body replaces the saved one, `variables` merge key by
 * key. A bot's request keeps only fields the service knows; a function reads any field of its body by name.
 */
function mergeRequest(endpoint: ServiceEndpoint, saved: JsonObject, body: JsonObject): JsonObject {
  const fields = Object.entries(body).filter(([name]) => servedEndpoints[endpoint].keepsField(name));
  const merged: JsonObject = { ...saved, ...Object.fromEntries(fields) };
  const variables = { ...membersOf(saved.variables), ...membersOf(body.variables) };
  return { ...merged, variables };
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

const loginPage =
  '<!doctype html><html lang="en"><head><title>Sign in</title></head><body><form action="/login"><input name="user"></form></body></html>\n';

const privateResource =
  "This resource is private. Connect the account to continue: https://auth.example.test/connect/abc";

/** Facts that an answer in place of another one depends on. */
interface FaultContext {
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
    return concurrencyReached(endpoint, count, count, rule.retry_after_ms);
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
function faultAnswer(context: FaultContext): HttpAnswer | null {
  return answers[context.rule.kind]?.(context) ?? null;
}

/** True for the faults that are a failed run: it has an id and a page, and is not paid. */
function isFailedRun(rule: FaultRule): boolean {
  return rule.kind === "401-run" || rule.kind === "402-run" || rule.kind === "500-run";
}

function proxyPage(status: number, reason: string, headers: Record<string, string> = {}): HttpAnswer {
  const title = `${status} ${reason}`;
  const lines = ["<html>", `<head><title>${title}</title></head>`, "<body>", `<center><h1>${title}</h1></center>`];
  const page = [...lines, "<hr><center>nginx</center>", "</body>", "</html>", ""].join("\r\n");
  return htmlAnswer(status, page, { ...headers, "content-type": "text/html" });
}
