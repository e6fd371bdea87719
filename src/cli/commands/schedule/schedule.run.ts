import type { FailOn } from "../../../errors.ts";
import { AppError } from "../../../errors.ts";
import { didYouMean } from "../../../lib/suggest.ts";
import { nextDue, checkTimetable } from "../../../worker/nights/due-times.ts";
import { openPostgres, type Postgres } from "../../../worker/postgres/connection.ts";
import { askForNight, homesSeen } from "../../../worker/postgres/nights.ts";
import {
  nightsOf,
  type RemovedSchedule,
  removeSchedule,
  schedulesOf,
  enterSchedule,
  type NewSchedule,
} from "../../../worker/postgres/schedules.ts";
import { checkSchema } from "../../../worker/postgres/schema.ts";
import { workersServing } from "../../../worker/postgres/watch.ts";
import { unreachedAddresses, unreachedWord } from "../../../worker/submit/watch-queues.ts";
import { usedDeployments } from "../../../suite/used.ts";
import { namespaceOf } from "../../flags/workers-flags.ts";
import type { JsonOutputs } from "../../json-outputs.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { workersAddress } from "../../workers-address.ts";
import { addedText, awayMs, goneText, runText, schedulesText, type ShownSchedule } from "./schedule.text.ts";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { checkSuite } from "../../../app/plan/check-suite.ts";
import { showText } from "../../../lib/show.ts";
import { runsCode } from "../../../score/make.ts";
import { readWrittenSuite } from "../../../suite/load.ts";
import type { Suite } from "../../../suite/suite.ts";
import { collectFiles } from "../../../worker/nights/collect-files.ts";
import { nightWords } from "../../../worker/nights/night-words.ts";
import { scheduleFault } from "../../../worker/nights/schedulable.ts";
import { loadDotEnv, namesInSuite } from "../../dot-env.ts";
import { ageMs, pruneRuleOf } from "../../flags/prune-flags.ts";

interface ScheduleRequest extends AddFlags {
  action: "list" | "add" | "remove" | "run";
  json: boolean;
}

/** Nights of a schedule that are shown. */
const mostNights = 30;

/** Shows the schedules of a namespace, or does something with one of them. */
export async function runSchedule(request: ScheduleRequest, terminal: Terminal): Promise<CommandResult> {
  const namespace = namespaceOf(request);
  const added = request.action === "add" ? await preparedSchedule(request, namespace, terminal) : null;
  await using db = await openPostgres(workersAddress(), { most: 2, applicationName: "tandem schedule" });
  await checkSchema(db);
  const { name, removed } =
    added === null
      ? await act(db, request, namespace)
      : { name: await addSchedule(db, added, request.replace), removed: null };
  const keepers = await homesSeen(db, awayMs);
  const shown = await shownSchedules(db, namespace);
  const data: JsonOutputs["schedule"] = {
    version: 1,
    keepers,
    schedules: shown,
    ...(removed !== null && { removed }),
  };
  const text = { add: addedText, remove: goneText, run: runText, list: null }[request.action];
  const said = { name: name ?? "", schedule: shown.find((each) => each.name === name) ?? null, removed, keepers };
  return { data, text: text?.(said) ?? schedulesText(shown, keepers) };
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

interface AddFlags {
  name: string | undefined;
  path: string | undefined;
  namespace: string;
  cron: string | undefined;
  tz: string | undefined;
  replace: boolean;
  "make-up": string;
  "take-over": string | undefined;
  against: string | undefined;
  "fail-on": FailOn | undefined;
  budget: number | undefined;
  "max-cost": number | undefined;
  "max-duration": string | undefined;
  "max-failures": number | undefined;
  keep: number | undefined;
  "older-than": string | undefined;
  notify: string | undefined;
  "notify-on": "always" | "problem" | "change";
  "notify-link": string | undefined;
}

/** Checks all that can be known of a schedule before anything is stored, and reads its files. */
async function preparedSchedule(
  flags: AddFlags,
  namespace: string,
  terminal: Terminal,
): Promise<{ schedule: NewSchedule; checked: Suite }> {
  const { name, path, cron } = flags;
  if (name === undefined || path === undefined || cron === undefined) {
    throw new AppError("USAGE", "A schedule needs a name, a suite and its times.", {
      hint: 'tandem schedule add nightly suite.yaml --cron "30 1 * * *" --tz Europe/Berlin',
    });
  }
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,62}$/u.test(name))
    throw new AppError("USAGE", "The name of a schedule has up to 63 letters, digits, dashes and underscores.");
  if (!/\.ya?ml$/i.test(path))
    throw new AppError("USAGE", `${showText(path)} is no suite (.yaml).`, { hint: "`tandem init SHEET` writes one." });
  const zone = flags.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  checkTimetable({ cron, zone });
  checkNightFlags(flags);
  const suite = await checkedSuite(path, terminal);
  const pinFile = flags.against !== undefined && existsSync(flags.against) ? flags.against : null;
  const { suite: file, files } = collectFiles(path, [...suite.datasets, ...(pinFile === null ? [] : [pinFile])]);
  const pin = pinFile === null ? undefined : files.at(-1)?.path;
  const schedule = {
    namespace,
    name,
    cron,
    zone,
    suite: file,
    words: nightWords({
      ...flags,
      against: pin === undefined ? flags.against : `schedules/${namespace}/${name}/${pin}`,
      "notify-on": flags["notify-on"] === "always" ? undefined : flags["notify-on"],
    }),
    madeUpMs: ageMs("--make-up", flags["make-up"]),
    takeOverMs: takeOverOf(flags, pinFile !== null),
    submitter: hostname(),
    files,
  };
  return { schedule, checked: suite };
}

/**
 * Stores a schedule and returns its name. Throws USAGE where there is one that is not to be replaced, and WORKERS_UNFIT where
 * workers are there, and none of them sends to an address of the suite.
 */
async function addSchedule(
  db: Postgres,
  { schedule, checked }: { schedule: NewSchedule; checked: Suite },
  replaces: boolean,
): Promise<string> {
  const unreached = unreachedAddresses(await workersServing(db), usedDeployments(checked));
  if (unreached.length > 0)
    throw new AppError("WORKERS_UNFIT", `${unreached.map(unreachedWord).join(" ")} Nothing was stored.`, {
      hint: "`tandem workers` shows where each of them sends.",
    });
  if (await enterSchedule(db, schedule, replaces)) return schedule.name;
  throw new AppError("USAGE", `There is a schedule ${schedule.name} in the namespace ${schedule.namespace} already.`, {
    hint: "--replace puts this one in its place; its nights stay.",
  });
}

/** Throws what `check` would list, and USAGE for what no worker would run. */
async function checkedSuite(path: string, terminal: Terminal): Promise<Suite> {
  loadDotEnv(namesInSuite(path));
  const refused = scheduleFault(await readWrittenSuite(path));
  if (refused !== null) {
    throw new AppError("SUITE_INVALID", `The suite ${showText(path)} ${refused}.`, {
      hint: "Who adds a schedule does not choose what is read of the machine that spends it. Or spend its nights with `tandem night` from cron, on a machine of yours.",
    });
  }
  const { suite, faults, messages } = await checkSuite(path, {
    env: process.env,
    folder: process.cwd(),
    standardInput: process.stdin,
    skipInvalid: false,
    onSkipped: (message) => terminal.note(`left out: ${message}`),
  });
  if (suite === null || faults.length > 0)
    throw new AppError("SUITE_INVALID", `${messages.join("\n")}\nNothing was stored.`);
  const code = suite.scorers.find(runsCode);
  if (code !== undefined) {
    throw new AppError("CODE_REFUSED", `The scorer ${showText(code.name)} (${code.type}) runs code.`, {
      hint: "Who adds a schedule runs no program on the machine of a worker: run this suite with `tandem night` from cron.",
    });
  }
  if (suite.interleave === "strict")
    throw new AppError(
      "WORKERS_UNFIT",
      "interleave: strict cannot be kept by workers: none knows how far the others are.",
    );
  if (suite.datasets.includes("-")) throw new AppError("USAGE", "A schedule has no standard input: name a file.");
  return suite;
}

function checkNightFlags(flags: AddFlags): void {
  pruneRuleOf(flags, 1);
  if (flags.notify !== undefined && !/^env:[A-Za-z_]\w*$/.test(flags.notify)) {
    throw new AppError(
      "USAGE",
      "--notify of a schedule takes env:NAME: a webhook is as good as a key, and is not stored.",
      {
        hint: "Put the address into .env in the worker's folder of nights.",
      },
    );
  }
}

/** Milliseconds after which another folder takes the place of the one with the history; null: never. */
function takeOverOf({ against, "take-over": time }: AddFlags, isFile: boolean): number | null {
  const needsHome = against !== undefined && !isFile;
  if (needsHome && time !== undefined && time !== "never") {
    throw new AppError("USAGE", `--against ${against} lies in one worker's folder: no other can take its place.`, {
      hint: "Leave out --take-over, or name an exported pin (`tandem pin NAME --export FILE`).",
    });
  }
  if (needsHome || time === "never") return null;
  return ageMs("--take-over", time ?? "1h");
}
