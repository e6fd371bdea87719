import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { type ServiceEndpoint, serviceEndpoints } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { type HttpAnswer, jsonAnswer } from "../answers/http-answer.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import { deliver } from "../faults/answer-delivery.ts";
import { answerChat } from "./chat-call.ts";
import { answerEmbeddings } from "./embeddings-call.ts";
import { modelsAnswer } from "./openai-call.ts";
import { isOwnHost } from "../../lib/own-host.ts";
import { readText } from "../answers/incoming-body.ts";
import { methodNotAllowed, notFound, unhandled } from "../answers/refusal.ts";
import { balanceAnswer, exchangeRun, type ServedRequest, statusAnswer } from "./run-route.ts";
import type { Service } from "../service.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { RunView } from "../record/recent-runs.ts";
import { AppError } from "../../errors.ts";
import { readFaultRules } from "../faults/fault-rules.ts";
import type { Faults } from "../faults/faults.ts";
import type { RequestJournal } from "./request-journal.ts";

interface Env {
  Bindings: HttpBindings;
}
/** The places of OpenAI's API below the address of a deployment, each with who answers there. */
const openAiPaths = { "/v1/chat/completions": answerChat, "/v1/embeddings": answerEmbeddings };

type App = Hono<Env>;

/** The routes of a deployment. Every answer is written by `deliver`, so that a fault can spoil it on its way. */
export function deploymentApp(service: Service): App {
  const app: App = new Hono<Env>({ strict: false });
  app.use(async (context, next) => {
    const { allowed_hosts } = service.settings;
    if (isOwnHost(context.env.incoming.headers.host, service.host, allowed_hosts)) return next();
    return send(context, wrongHost());
  });
  for (const endpoint of serviceEndpoints) addEndpoint(app, service, endpoint);
  addOpenAi(app, service);
  addGet(app, "/status", () => jsonAnswer(200, "OK"));
  addGet(app, "/v1/balance", ({ env }) => balanceAnswer(service, env.incoming.headers.authorization));
  if (service.journal.enabled) addTestRoutes(app, service);
  app.notFound((context) => send(context, notFound()));
  app.onError((error, context) => {
    service.log.error("a request could not be answered", { error });
    return send(context, unhandled(error.message));
  });
  return app;
}

/** An endpoint with its asynchronous form, and the addresses of its runs. */
function addEndpoint(app: App, service: Service, endpoint: ServiceEndpoint): void {
  const { path } = endpointOf(endpoint).call;
  const { asyncSlugs, slug: page } = servedEndpoints[endpoint];
  addRuns(app, service, path, { endpoint, isAsync: false });
  addRuns(app, service, `${path}/form`, { endpoint, isAsync: false, isForm: true });
  for (const slug of asyncSlugs) {
    addRuns(app, service, `/v3/${slug}/async`, { endpoint, isAsync: true });
    addRuns(app, service, `/v3/${slug}/async/form`, { endpoint, isAsync: true, isForm: true });
    addGet(app, `/v3/${slug}/status`, ({ req, env }) => {
      const { authorization } = env.incoming.headers;
      return statusAnswer(service, { endpoint, runId: req.query("run_id") ?? "", authorization });
    });
  }
  addGet(app, `/${page}`, ({ req }) => {
    const view = service.runs.find(endpoint, req.query("run_id") ?? "", req.query("uid") ?? "");
    return view === null ? notFound() : jsonAnswer(200, shownRun(view));
  });
}

/** The bots as OpenAI's API has them, with the name of a bot for the model. */
function addOpenAi(app: App, service: Service): void {
  for (const [path, answer] of Object.entries(openAiPaths))
    addRuns(app, service, path, { endpoint: "video-bots", isAsync: false, answer });
  addGet(app, "/v1/models", ({ env }) => modelsAnswer(service, env.incoming.headers.authorization));
}

/** A path to which runs are posted. */
function addRuns(
  app: App,
  service: Service,
  path: string,
  called: Pick<ServedRequest, "endpoint" | "isAsync" | "isForm" | "answer">,
): void {
  app.post(path, async ({ req, env: { incoming, outgoing } }) => {
    const exampleId = req.query("example_id") ?? "";
    const origin = `http://${incoming.headers.host ?? ""}`;
    await exchangeRun(service, { ...called, exampleId, origin, incoming, outgoing });
    return RESPONSE_ALREADY_SENT;
  });
  app.all(path, (context) => send(context, methodNotAllowed("POST")));
}

/** Routes for tests; only there while the journal is on. */
function addTestRoutes(app: App, { journal, faults }: Service): void {
  addGet(app, "/journal", () => journalAnswer(journal));
  app.get("/faults", (context) => send(context, faultsAnswer(faults)));
  app.put("/faults", async (context) => send(context, putFaults(faults, await readText(context.env.incoming))));
  app.all("/faults", (context) => send(context, methodNotAllowed("GET, PUT")));
}

function addGet(app: App, path: string, answer: (context: Context<Env>) => HttpAnswer | Promise<HttpAnswer>): void {
  app.get(path, async (context) => send(context, await answer(context)));
  app.all(path, (context) => send(context, methodNotAllowed("GET")));
}

async function send(context: Context<Env>, answer: HttpAnswer): Promise<Response> {
  await deliver({ answer, fault: null }, context.env.outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** 421, which no client takes for a refused key. */
function wrongHost(): HttpAnswer {
  const reach = "It answers to loopback names, the host it listens on and allowed_hosts of deployment.yaml.";
  return jsonAnswer(421, { detail: `Misdirected Request: this deployment does not answer to that Host. ${reach}` });
}

/** The content of a run's address: what was asked and answered. */
function shownRun({ run, endpoint, exampleId, request, output, error, milliseconds }: RunView): JsonObject {
  const { id, createdAt } = run;
  return { id, endpoint, example_id: exampleId, created_at: createdAt, milliseconds, request, output, error };
}

/** The answer to `GET /journal`: the totals, the counts per body, and the entries that are kept. */
function journalAnswer(journal: RequestJournal): HttpAnswer {
  const { received, runs, inFlight, maxInFlight, uncounted } = journal;
  return jsonAnswer(200, {
    received,
    runs,
    inFlight,
    maxInFlight,
    uncounted,
    counts: journal.counts(),
    entries: journal.entries(),
  });
}

/** The answer to `GET /faults`: the rules in force. */
function faultsAnswer(faults: Faults): HttpAnswer {
  const rules: JsonValue = JSON.parse(JSON.stringify(faults.list()));
  return jsonAnswer(200, rules);
}

/** The work of `PUT /faults`: the list in the body replaces all rules. */
function putFaults(faults: Faults, text: string): HttpAnswer {
  try {
    faults.set(readFaultRules(JSON.parse(text)));
    return faultsAnswer(faults);
  } catch (error) {
    if (error instanceof AppError || error instanceof SyntaxError) return jsonAnswer(422, { detail: error.message });
    throw error;
  }
}
