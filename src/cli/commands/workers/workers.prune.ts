import { exitCodes } from "../../../errors.ts";
import type { Postgres } from "../../../worker/postgres/connection.ts";
import { workersOverview } from "../../../worker/watch/overview.ts";
import { lookForOld, type RemotePrune, removeOld } from "../../../worker/watch/prune.ts";
import { isAllowed } from "../../ask.ts";
import { namespaceOf } from "../../flags/workers-flags.ts";
import type { JsonOutputs } from "../../json-outputs.ts";
import type { Terminal } from "../../terminal.ts";
import { oldAtWorkersText, removedAtWorkersText } from "./prune.text.ts";

interface PruneRequest {
  namespace: string;
  ageMs: number;
  json: boolean;
  yes: boolean;
}

/** Shows what is old at the workers, asks, and removes it. */
export async function pruneWorkers(db: Postgres, request: PruneRequest, terminal: Terminal): Promise<number> {
  const { ageMs, json, yes } = request;
  const scope = { namespace: namespaceOf(request), ageMs };
  const found = await lookForOld(db, scope);
  if (!json) terminal.print(oldAtWorkersText(found));
  const isNothing = found.going.length + found.nights + found.workers === 0;
  if (!isNothing && !yes && !(await isAllowed("Remove this for good"))) return exitCodes.ok.code;
  const removed = isNothing ? found : await removeOld(db, found, scope);
  if (json) terminal.print(JSON.stringify(await outputOf(db, scope.namespace, removed)));
  else if (!isNothing) terminal.print(removedAtWorkersText(removed, db.shown));
  return exitCodes.ok.code;
}

async function outputOf(
  db: Postgres,
  namespace: string,
  { going, staying, nights, workers }: RemotePrune,
): Promise<JsonOutputs["workers"]> {
  const removed = going.map(({ name, jobs, unpulled }) => ({ name, jobs, unbrought: unpulled }));
  return { version: 1, ...(await workersOverview(db, namespace)), pruned: { removed, staying, nights, workers } };
}
