import { AppError } from "../../../errors.ts";
import { openPostgres } from "../../../workers/postgres/connection.ts";
import { checkSchema, setUp } from "../../../workers/postgres/schema.ts";
import { askWorkers, workersOverview } from "../../../workers/watch.ts";
import type { CommandResult } from "../../command-result.ts";
import type { JsonData } from "../../json-outputs.ts";
import { workersAddress } from "../../workers-address.ts";
import { askedText, overviewText, setUpText } from "./workers.text.ts";

interface WorkersRequest {
  action: "list" | "pause" | "resume" | "drain" | "setup";
  names: readonly string[];
}

const states = { pause: "paused", resume: "on", drain: "draining" } as const;

/** Looks at workers, tells them what to do, or makes the tables that they share. */
export async function runWorkers({ action, names }: WorkersRequest): Promise<CommandResult> {
  if (names.length > 0 && (action === "list" || action === "setup"))
    throw new AppError("USAGE", `workers ${action} takes no names.`);
  await using db = await openPostgres(workersAddress(), { most: 3, applicationName: "tandem workers" });
  if (action === "setup") await setUp(db);
  else await checkSchema(db);
  const asked = action === "list" || action === "setup" ? null : await askWorkers(db, names, states[action]);
  const overview = await workersOverview(db);
  const data = overview satisfies JsonData["workers"];
  if (action === "setup") return { data, text: setUpText(db.shown) };
  return { data, text: asked === null || action === "list" ? overviewText(overview) : askedText(asked, action) };
}
