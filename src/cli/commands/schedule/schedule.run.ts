import { AppError, exitCodes } from "../../../errors.ts";
import { didYouMean } from "../../../lib/suggest.ts";
import { nextDue } from "../../../worker/nights/due-times.ts";
import { openPostgres, type Postgres } from "../../../worker/postgres/connection.ts";
import { askForNight, homesSeen } from "../../../worker/postgres/nights.ts";
import { nightsOf, type RemovedSchedule, removeSchedule, schedulesOf } from "../../../worker/postgres/schedules.ts";
import { checkSchema } from "../../../worker/postgres/schema.ts";
import { namespaceOf } from "../../flags/workers-flags.ts";
import type { JsonOutputs } from "../../json-outputs.ts";
import type { Terminal } from "../../terminal.ts";
import { workersAddress } from "../../workers-address.ts";
import { addSchedule, type AddFlags, preparedSchedule } from "./schedule.add.ts";
import { addedText, awayMs, goneText, runText, schedulesText, type ShownSchedule } from "./schedule.text.ts";

interface ScheduleRequest extends AddFlags {
  action: "list" | "add" | "remove" | "run";
  json: boolean;
}

/** Nights of a schedule that are shown. */
const mostNights = 30;

/** Shows the schedules of a namespace, or does something with one of them. */
export async function runSchedule(request: ScheduleRequest, terminal: Terminal): Promise<number> {
  const namespace = namespaceOf(request);
  const prepared = request.action === "add" ? await preparedSchedule(request, namespace, terminal) : null;
  const db = await openPostgres(workersAddress(), { most: 2, applicationName: "tandem schedule" });
  try {
    await checkSchema(db);
    const { name, removed } =
      prepared === null
        ? await act(db, request, namespace)
        : { name: await addSchedule(db, prepared, request.replace), removed: null };
    const keepers = await homesSeen(db, awayMs);
    const shown = await shownSchedules(db, namespace);
    const output: JsonOutputs["schedule"] = {
      version: 1,
      keepers,
      schedules: shown,
      ...(removed !== null && { removed }),
    };
    const text = { add: addedText, remove: goneText, run: runText, list: null }[request.action];
    const said = { name: name ?? "", schedule: shown.find((each) => each.name === name) ?? null, removed, keepers };
    terminal.print(request.json ? JSON.stringify(output) : (text?.(said) ?? schedulesText(shown, keepers)));
    return exitCodes.ok.code;
  } finally {
    await db.close();
  }
}

/** Does what was asked of a schedule; returns its name, and what was going on for one that was removed. Throws USAGE for one that is not there. */
async function act(
  db: Postgres,
  { action, name }: ScheduleRequest,
  namespace: string,
): Promise<{ name: string | null; removed: RemovedSchedule | null }> {
  if (action === "list") return { name: null, removed: null };
  if (name === undefined) throw new AppError("USAGE", `tandem schedule ${action} needs the name of a schedule.`);
  const removed = action === "remove" ? await removeSchedule(db, { namespace, name, awayMs }) : null;
  if (removed !== null || (action === "run" && (await askForNight(db, namespace, name)))) return { name, removed };
  const names = (await schedulesOf(db, namespace)).map((schedule) => schedule.name);
  const list = names.length === 0 ? "There is none." : `There are: ${names.join(", ")}.`;
  throw new AppError("USAGE", `There is no schedule ${name} in the namespace ${namespace}.`, {
    hint: didYouMean(name, names) ?? list,
  });
}

async function shownSchedules(db: Postgres, namespace: string): Promise<ShownSchedule[]> {
  const shown: ShownSchedule[] = [];
  for (const schedule of await schedulesOf(db, namespace)) {
    const { id, createdAt: _created, lastDueAt: _last, dbNow, ...rest } = schedule;
    shown.push({ ...rest, nextAt: nextDue(schedule, dbNow), nights: await nightsOf(db, id, mostNights) });
  }
  return shown;
}
