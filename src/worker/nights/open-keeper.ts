import { randomUUID, createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, dirname, relative } from "node:path";
import { parseEnv } from "node:util";
import { openPostgres } from "../postgres/connection.ts";
import type { TakenNight } from "../postgres/nights.ts";
import { checkMaySubmit } from "../postgres/roles.ts";
import { checkSchema } from "../postgres/schema.ts";
import { type Schedule, scheduleFiles, type ScheduleFile } from "../postgres/schedules.ts";
import { NightKeeper, type SpentNight } from "./night-keeper.ts";
import { workersServing } from "../postgres/watch.ts";
import { unreachedAddresses, unreachedWord } from "../submit/watch-queues.ts";
import { usedDeployments } from "../../suite/used.ts";
import type { Suite } from "../../suite/suite.ts";
import { environmentOfNight, NightProcess } from "./night-process.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { AppError } from "../../errors.ts";
import { placeInside } from "../../lib/paths/inside-folder.ts";
import { loadSuite, readWrittenSuite } from "../../suite/load.ts";
import type { Environment } from "../../suite/environment.ts";
import { showText } from "../../lib/show.ts";
import { isNameOfSchedule, nameFault } from "./name-fault.ts";
import { wordFault } from "./night-words.ts";
import { allowedVariables, scheduleFault } from "./schedulable.ts";

export interface KeeperOptions {
  /** The connection string: a secret. */
  url: string;
  /** Name of the worker. */
  name: string;
  /** Folder of results, with its `.env`. */
  folder: string;
  /** Variables of this machine, or of that `.env`, that schedules may use. */
  allowed: readonly string[];
  /** The file of the command tandem. */
  main: string;
  tell: (line: string) => void;
}

/** Gets ready to spend nights in a folder. */
export async function openKeeper(options: KeeperOptions): Promise<{ keeper: NightKeeper; close: () => Promise<void> }> {
  const { url, name, folder, allowed, tell } = options;
  mkdirSync(folder, { recursive: true });
  const home = homeIn(folder);
  const db = await openPostgres(url, { most: 2, applicationName: `tandem nights ${name}`, answersWithinMs: 20_000 });
  try {
    await checkSchema(db);
    await checkMaySubmit(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  const spend = async (schedule: Schedule, night: TakenNight): Promise<SpentNight> => {
    const files = await scheduleFiles(db, schedule.id);
    const env = environmentOfNight(process.env, { url, allowed });
    const { file, suite } = await placeFiles(folder, schedule, { files, allowed, env: { ...dotEnv(folder), ...env } });
    // A night that nobody sends waits without a place among those that are spent: others' go first.
    const unreached = unreachedAddresses(await workersServing(db), usedDeployments(suite));
    for (const address of unreached) tell(`schedule ${schedule.name}: ${unreachedWord(address)} Its night waits.`);
    if (unreached.length > 0) return { ended: Promise.resolve(null), stop: () => undefined };
    return new NightProcess({
      main: options.main,
      words: wordsOf(schedule, { file, night }),
      folder,
      env,
      night: { schedule: schedule.id, home },
      tell: (line) => tell(`schedule ${schedule.name}: ${line}`),
    });
  };
  return { keeper: new NightKeeper({ db, home, name, spend, tell }), close: () => db.close() };
}

/** The command line of a night behind `tandem night`. */
function wordsOf(
  { namespace, words, zone }: Schedule,
  { file, night: { missed, instead, stopped } }: { file: string; night: TakenNight },
): string[] {
  const results = namespace === "default" ? "results" : `results-${namespace}`;
  const times = missed.map((at) =>
    new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(at),
  );
  const remarks = [
    ...(times.length === 0
      ? []
      : [
          `Missed or cut off before: ${times.slice(-10).join(", ")} (${zone})${times.length > 10 ? ` and ${times.length - 10} more` : ""}.`,
        ]),
    ...(instead === null
      ? []
      : [`${instead} was away for long: this night is spent elsewhere, where its history begins anew.`]),
    ...stopped.map(
      (name) =>
        `${name} of ${instead} is stopped at the workers: there \`tandem resume ${name} --workers URL\` brings what it has.`,
    ),
  ];
  return [
    file,
    "--workers",
    "--namespace",
    namespace,
    "--results",
    results,
    "--json",
    "--quiet",
    // Who submits a schedule runs no program on this machine.
    "--no-code",
    ...remarks.map((remark) => `--remark=${remark}`),
    ...words,
  ];
}

/** The id of a folder of nights: its history is what makes it a home, whatever its worker is called. */
function homeIn(folder: string): string {
  const path = join(folder, ".tandem-nights");
  if (!existsSync(path)) writeFileSync(path, `${randomUUID()}\n`, { mode: 0o600, flag: "wx" });
  return readFileSync(path, "utf8").trim();
}

function dotEnv(folder: string): Record<string, string | undefined> {
  const path = join(folder, ".env");
  return existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
}

/**
 * Writes the files of a schedule below a folder and returns its suite with its path. Throws SUITE_INVALID where the suite would
 * read anything else of this machine but variables of `env` that are `allowed`: who submits it is not who runs this machine,
 * and may have written rows that no command of ours would.
 */
export async function placeFiles(
  folder: string,
  { namespace, name, suite, words }: Pick<Schedule, "namespace" | "name" | "suite" | "words">,
  { files, allowed, env }: { files: readonly ScheduleFile[]; allowed: readonly string[]; env: Environment },
): Promise<{ file: string; suite: Suite }> {
  for (const each of [namespace, name])
    if (!isNameOfSchedule(each)) throw refused(`${showText(each)} is no name of a schedule or of a namespace`);
  if (files.every(({ path }) => path !== suite)) throw refused(`its suite ${showText(suite)} is not among its files`);
  if (!/\.ya?ml$/i.test(suite)) throw refused(`its suite ${showText(suite)} is none (.yaml)`);
  for (const word of words) {
    const fault = wordFault(word, { place: `schedules/${namespace}/${name}`, allowed });
    if (fault !== null) throw refused(`${showText(word)} ${fault}`);
  }
  for (const { path } of files) {
    const fault = nameFault(path);
    if (fault !== null) throw refused(`its file ${showText(path)} ${fault}`);
  }
  const place = join(folder, "schedules", namespace, name);
  await rm(place, { recursive: true, force: true });
  for (const { path, sha256, bytes } of files) {
    if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw refused(`its file ${showText(path)} is not what was added`);
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), bytes);
  }
  const file = join(place, suite);
  const fault = scheduleFault(await readWrittenSuite(file));
  if (fault !== null) throw refused(`its suite ${fault}`);
  const { suite: loaded } = await loadSuite(file, allowedVariables(env, allowed));
  for (const dataset of loaded.datasets) {
    const found = placeInside(place, relative(place, dataset));
    if (!found.ok) throw refused(`the dataset ${relative(place, dataset)} ${found.fault}`);
  }
  return { file, suite: loaded };
}

const refused = (why: string): AppError =>
  new AppError("SUITE_INVALID", `The schedule cannot be run here: ${why}.`, {
    hint: "Add it again with `tandem schedule add`.",
  });
