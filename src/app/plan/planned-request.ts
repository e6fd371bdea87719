import { endpoints } from "../../api/endpoints.ts";
import { AppError } from "../../errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { requestBody } from "../../plan/body.ts";
import { bodyOf } from "../../runner/request.ts";
import type { BatchTarget } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { turnsBefore } from "../../store/journal/journal.ts";
import { firstInput, firstKeys, inputOf, type StoredInput } from "../../store/plan/expectation.ts";
import type { Deployment, Suite } from "../../suite/suite.ts";

/** A request as it would be sent, with the name of the variable in place of the key. */
export interface PlannedRequest {
  target: string;
  case: string;
  /** Number of the turn; beyond 1 the replies of the turns before it are added to `messages`. */
  turn: number;
  method: "POST";
  url: string;
  headers: Record<string, string>;
  body: JsonObject;
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
  if (show !== null && shown === null) throw noCase(show, firstKeys(db, batchId, 1_000));
  return targets.flatMap((target) => {
    const input = shown ?? firstInput(db, batchId, target.id);
    const deployment = suite.deployments.find(({ name }) => name === target.deployment);
    return input === null || deployment === undefined ? [] : [requestTo(target, deployment, input, env)];
  });
}

function noCase(key: string, known: string[]): AppError {
  const meant = didYouMean(key, known);
  return new AppError("USAGE", `There is no case ${showText(key)} in what would be run.`, {
    hint: meant ?? `The first are ${known.slice(0, 5).map(showText).join(", ")}.`,
  });
}

function requestTo(
  target: BatchTarget,
  deployment: Deployment,
  { key, turn, input }: StoredInput,
  env: Readonly<Record<string, string | undefined>>,
): PlannedRequest {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const variable = keyVariable(deployment, env);
  if (variable !== null) headers["authorization"] = `bearer $${variable}`;
  Object.assign(headers, deployment.connection?.headers);
  // Texts that we stored ourselves were checked before.
  const [own, over]: JsonObject[] = [JSON.parse(input), JSON.parse(target.body)];
  const body = requestBody(target.endpoint, own ?? {}, over ?? {});
  const { path, query } = endpoints[target.endpoint];
  const url = `${deployment.baseUrl}${path}${query(target.exampleId)}`;
  return { target: target.name, case: key, turn, method: "POST", url, headers, body };
}

/** The variable that holds the key: the first that is set, or the first; null for an embedded deployment. */
export function keyVariable(
  { keyNames }: Pick<Deployment, "keyNames">,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  return keyNames.find((name) => (env[name] ?? "").trim() !== "") ?? keyNames[0] ?? null;
}

/** The body that was, or would be, sent for a job, with what was said before it in its conversation. */
export function bodyOfJob(
  db: Connection,
  given: {
    jobId: number;
    input: string;
    target: Pick<BatchTarget, "endpoint" | "body">;
    suite: Pick<Suite, "mapping">;
  },
): JsonObject {
  const { history } = given.suite.mapping;
  return bodyOf(given.input, turnsBefore(db)(given.jobId), {
    ...given.target,
    ...(history === undefined ? {} : { history }),
  });
}
