import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { openPostgres } from "../postgres/connection.ts";
import type { TakenNight } from "../postgres/nights.ts";
import { checkMaySubmit } from "../postgres/roles.ts";
import { checkSchema } from "../postgres/schema.ts";
import { type Schedule, scheduleFiles } from "../postgres/schedules.ts";
import { NightKeeper } from "./night-keeper.ts";
import { environmentOfNight, NightProcess } from "./night-process.ts";
import { placeFiles } from "./place-files.ts";

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
  const spend = async (schedule: Schedule, night: TakenNight): Promise<NightProcess> => {
    const files = await scheduleFiles(db, schedule.id);
    const env = environmentOfNight(process.env, { url, allowed });
    const file = await placeFiles(folder, schedule, { files, allowed, env: { ...dotEnv(folder), ...env } });
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
