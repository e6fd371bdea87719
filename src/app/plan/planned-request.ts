import { addressOf, type HttpRequest } from "../../api/endpoint-call.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { shownBody } from "../../api/files/case-file.ts";
import { AppError } from "../../errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { requestFor } from "../../runner/request.ts";
import type { RunTarget } from "../../runner/run-target.ts";
import type { BatchTarget } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { firstInput, firstKeys, inputOf, type StoredInput } from "../../store/plan/expectation.ts";
import { sentFiles } from "../../suite/sent-files.ts";
import { envValue } from "../../suite/environment.ts";
import type { Deployment, Suite } from "../../suite/suite.ts";

/** A request as it would be sent, with the name of the variable in place of the key. */
export interface PlannedRequest {
  target: string;
  case: string;
  /** Number of the turn; beyond 1 what was said before it is added to `messages`, unless the service keeps that. */
  turn: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  /** JSON as the value that it is, anything else as the text that is sent. */
  body: JsonValue;
}

/** The requests of one case, or of the first case of each target. Throws USAGE when there is no case of that key. */
export function plannedRequests(
  db: Connection,
  batchId: number,
  given: {
    suite: Suite;
    targets: BatchTarget[];
    show: string | null;
    env: Readonly<Record<string, string | undefined>>;
  },
): PlannedRequest[] {
  const { suite, targets, show, env } = given;
  const shown = show === null ? null : inputOf(db, batchId, show);
  if (show !== null && shown === null) throw noCase(show, "in what would be run", firstKeys(db, batchId, mostKeys));
  return targets.flatMap((target) => {
    const input = shown ?? firstInput(db, batchId, target.id);
    const deployment = suite.deployments.find(({ name }) => name === target.deployment);
    if (input === null || deployment === undefined) return [];
    const { mode } = suite.targets.find(({ name }) => name === target.name) ?? {};
    const files = sentFiles(suite);
    const asked = { ...target, ...(mode !== undefined && { mode }), ...(files !== undefined && { files }) };
    return [requestTo(asked, deployment, input, env)];
  });
}

/** Keys among which one is looked for that may have been meant. */
export const mostKeys = 5_000;

/** The error that there is no case of a key; `where` ends its sentence. */
export function noCase(key: string, where: string, known: readonly string[]): AppError {
  return new AppError("USAGE", `There is no case ${showText(key)} ${where}.`, {
    hint: didYouMean(key, known) ?? `The first are ${known.slice(0, 5).map(showText).join(", ")}.`,
  });
}

function requestTo(
  target: BatchTarget & Pick<RunTarget, "mode" | "files">,
  deployment: Deployment,
  { key, turn, input }: StoredInput,
  env: Readonly<Record<string, string | undefined>>,
): PlannedRequest {
  const { call } = endpointOf(target.endpoint);
  const { method, path, body, contentType = call.contentType } = requestFor(input, [], target);
  const own = plannedHeaders(target.endpoint, keyVariable(deployment, env));
  const typed = contentType === null ? {} : { "content-type": contentType };
  const headers = { ...own, ...typed, ...deployment.connection?.headers };
  const url = addressOf(call, deployment.baseUrl, path);
  return { target: target.name, case: key, turn, method, url, headers, body: bodyOf(body, contentType) };
}

/** The headers of a request, with names of variables in place of what is not stored. */
function plannedHeaders(endpoint: EndpointName, variable: string | null): Record<string, string> {
  const { contentType, keyWord, headers } = endpointOf(endpoint).call;
  return {
    ...(contentType !== null && { "content-type": contentType }),
    ...(variable !== null && { authorization: `${keyWord} $${variable}` }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

/** A body that we made ourselves is the JSON that its type says; in the place of files stand their names. */
function bodyOf(body: HttpRequest["body"], contentType: string | null): JsonValue {
  const isJson = contentType === "application/json";
  const inText = (name: string): string => (isJson ? JSON.stringify(name).slice(1, -1) : name);
  const text = body === null || typeof body === "string" ? body : shownBody(body, inText);
  return text === null || !isJson ? text : JSON.parse(text);
}

/** The variable that holds the key: the first that is set, or the first; null where none is needed. */
export function keyVariable(
  { keyNames, keyOptional = false }: Pick<Deployment, "keyNames" | "keyOptional">,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  return keyNames.find((name) => envValue(env, name) !== "") ?? (keyOptional ? null : (keyNames[0] ?? null));
}
