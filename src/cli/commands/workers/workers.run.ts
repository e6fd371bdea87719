import { AppError } from "../../../errors.ts";
import { type Postgres, openPostgres } from "../../../worker/postgres/connection.ts";
import { exampleUsers } from "../../../worker/postgres/roles.ts";
import { checkSchema } from "../../../worker/postgres/schema.ts";
import { decideDoubts, removeFromWorkers } from "../../../worker/watch/decide.ts";
import { askWorkers, remoteBatchOf, workersOverview } from "../../../worker/watch/overview.ts";
import { setUp } from "../../../worker/watch/setup.ts";
import { ageMs as prunedAfter } from "../../flags/prune-flags.ts";
import { namespaceOf } from "../../flags/workers-flags.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { workersAddress } from "../../workers-address.ts";
import { askedText, decidedText, overviewText, setUpText } from "./workers.text.ts";
import { lookForOld, type RemotePrune, removeOld } from "../../../worker/watch/prune.ts";
import { isAllowed } from "../../ask.ts";
import { oldAtWorkersText, removedAtWorkersText } from "./prune.text.ts";

interface WorkersRequest {
  action: "list" | "pause" | "resume" | "drain" | "resolve" | "remove" | "prune" | "setup";
  name: readonly string[];
  namespace: string;
  json: boolean;
  resend: boolean;
  fail: boolean;
  "lose-results": boolean;
  "older-than": string | undefined;
  yes: boolean;
}

/** Looks at workers, or tells them what to do. */
export async function runWorkers(request: WorkersRequest, terminal: Terminal): Promise<CommandResult> {
  const policy = policyOf(request);
  const old = ageOf(request);
  const url = workersAddress();
  await using db = await openPostgres(url, { most: 3, applicationName: "tandem workers" });
  if (request.action !== "setup") await checkSchema(db);
  if (old !== null) return await pruneWorkers(db, { ...request, ageMs: old }, terminal);
  const reported = await act(db, { ...request, policy });
  const overview = await workersOverview(db, namespaceOf(request));
  const data = overview satisfies JsonData["workers"];
  return { data, text: reported ?? overviewText(overview) };
}

type Options = WorkersRequest & { policy: "resend" | "fail" | null };

/** Does what was asked; returns what to say of it, or null where the overview says it. */
async function act(db: Postgres, { action, name: names, policy, ...request }: Options): Promise<string | null> {
  if (action === "list") return null;
  if (action === "setup") {
    return setUpText(db.shown, { ...(await setUp(db)), statements: exampleUsers });
  }
  if (action === "pause" || action === "resume" || action === "drain") {
    const state = { pause: "paused", resume: "on", drain: "draining" } as const;
    return askedText(await askWorkers(db, names, state[action]), action);
  }
  if (names.length === 0) throw new AppError("USAGE", `tandem workers ${action} needs the name of a batch.`);
  const lines: string[] = [];
  for (const name of names) {
    const batch = await remoteBatchOf(db, namespaceOf(request), name);
    if (action === "remove") await removeFromWorkers(db, batch, { loses: request["lose-results"] });
    else if (policy !== null) await decideDoubts(db, batch, policy);
    lines.push(decidedText(batch, action === "remove" ? null : policy));
  }
  return lines.join("\n");
}

/** The age of what is pruned; null: nothing is. Throws USAGE where it is missing, or said in vain. */
function ageOf({ action, name, "older-than": age, yes }: WorkersRequest): number | null {
  if (action !== "prune") {
    if (age === undefined && !yes) return null;
    throw new AppError("USAGE", `${age === undefined ? "--yes" : "--older-than"} is for \`tandem workers prune\`.`);
  }
  if (name.length > 0)
    throw new AppError("USAGE", "workers prune takes no names.", { hint: "`tandem workers remove NAME` removes one." });
  if (age === undefined) {
    throw new AppError("USAGE", "workers prune needs to know what is old.", { hint: "For example: --older-than 30d." });
  }
  return prunedAfter("--older-than", age);
}

/** The decision on what is in doubt. Throws USAGE where it is missing, or said twice. */
function policyOf({ action, resend, fail }: WorkersRequest): "resend" | "fail" | null {
  if (action !== "resolve") {
    if (!resend && !fail) return null;
    throw new AppError("USAGE", "--resend and --fail are for `tandem workers resolve BATCH`.");
  }
  if (resend === fail) {
    throw new AppError("USAGE", "tandem workers resolve needs either --resend or --fail.", {
      hint: "What is in doubt may have been run by the service: --resend sends it again, --fail ends it.",
    });
  }
  return resend ? "resend" : "fail";
}

interface PruneRequest {
  namespace: string;
  ageMs: number;
  json: boolean;
  yes: boolean;
}

/** Shows what is old at the workers, asks, and removes it. */
async function pruneWorkers(db: Postgres, request: PruneRequest, terminal: Terminal): Promise<CommandResult> {
  const { ageMs, json, yes } = request;
  const scope = { namespace: namespaceOf(request), ageMs };
  const found = await lookForOld(db, scope);
  if (!json) terminal.print(oldAtWorkersText(found));
  const isNothing = found.going.length + found.workers === 0;
  if (!isNothing && !yes && !(await isAllowed("Remove this for good"))) return {};
  const removed = isNothing ? found : await removeOld(db, found, scope);
  const data = await outputOf(db, scope.namespace, removed);
  return { data, ...(!isNothing && { text: removedAtWorkersText(removed, db.shown) }) };
}

async function outputOf(
  db: Postgres,
  namespace: string,
  { going, staying, workers }: RemotePrune,
): Promise<JsonData["workers"]> {
  const removed = going.map(({ name, jobs }) => ({ name, jobs }));
  return { ...(await workersOverview(db, namespace)), pruned: { removed, staying, workers } };
}
