import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import type { Schedule, ScheduledNight } from "../../../worker/postgres/schedules.ts";

/** A schedule with its times and nights, as it is shown. */
export interface ShownSchedule extends Pick<
  Schedule,
  "namespace" | "name" | "cron" | "zone" | "suite" | "words" | "madeUpMs" | "takeOverMs" | "submitter" | "home"
> {
  /** Milliseconds since 1970. */
  nextAt: number;
  /** The latest nights, the last one first; those that were missed among them. */
  nights: ScheduledNight[];
}

interface Said {
  name: string;
  /** Null: it is there no more. */
  schedule: ShownSchedule | null;
  /** Names of the workers that spend nights. */
  keepers: readonly string[];
}

const timeIn = (zone: string | undefined, at: number): string =>
  new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(at);

/** A time in the zone of a schedule, and by the clock of whoever reads it where that is another. */
function timeText(zone: string, at: number): string {
  const there = timeIn(zone, at);
  const here = timeIn(undefined, at);
  return here === there ? there : `${there} (here ${here})`;
}

const nobody = "No worker spends nights: start one with `tandem worker URL --nights FOLDER`.";
const hint = (keepers: readonly string[]): string[] => (keepers.length === 0 ? [nobody] : []);

/** Shows schedules, when they are next, how the last night was, and what was missed. */
export function schedulesText(schedules: readonly ShownSchedule[], keepers: readonly string[]): string {
  if (schedules.length === 0) return ["Nothing is scheduled.", ...hint(keepers)].join("\n");
  const rows = schedules.map((schedule) => {
    const { name, cron, zone, home, nextAt, nights } = schedule;
    const last = nights.find(({ state }) => state !== "missed");
    return [
      visible(name),
      cron,
      zone,
      timeText(zone, nextAt),
      last === undefined ? "-" : `${timeIn(zone, last.dueAt)}: ${nightText(last)}`,
      home === null ? "-" : `${visible(home.name)}${home.silentMs > awayMs ? " (away)" : ""}`,
    ];
  });
  const columns = ["schedule", "cron", "zone", "next", "last night", "home"].map((title) => ({
    title,
    align: "left" as const,
    most: 70,
  }));
  const missed = schedules.flatMap(({ name, zone, nights }) => {
    const times = nights.filter(({ state }) => state === "missed" || state === "cut off");
    if (times.length === 0) return [];
    const list = times.map(({ dueAt, state }) => `${timeIn(zone, dueAt)}${state === "missed" ? "" : " (cut off)"}`);
    return [`${visible(name)}: missed ${list.slice(0, mostTimes).join(", ")}${list.length > mostTimes ? ", ..." : ""}`];
  });
  return [...tableLines(columns, rows).map((line) => line.trimEnd()), ...missed, ...hint(keepers)].join("\n");
}

const awayMs = 60_000;
const mostTimes = 5;

function nightText({ state, exitCode, verdict, batch }: ScheduledNight): string {
  if (state !== "done")
    return { due: "waits", running: "is being spent", missed: "missed", "cut off": "cut off" }[state];
  const what = verdict ?? (exitCode === 0 ? "ok" : "no verdict");
  return `${what}, exit code ${exitCode}${batch === null ? "" : `, ${visible(batch)}`}`;
}

/** Says what was added, and when it is run first. */
export function addedText({ name, schedule, keepers }: Said): string {
  const next = schedule === null ? "" : ` Next: ${timeText(schedule.zone, schedule.nextAt)}, ${schedule.zone}.`;
  return [`${visible(name)} is scheduled.${next}`, ...hint(keepers)].join("\n");
}

export function goneText({ name }: Said): string {
  return `${visible(name)} is removed. Its results stay in the folder of the worker that had them.`;
}

/** Says who spends the night that was asked for. */
export function runText({ name, schedule, keepers }: Said): string {
  const home = schedule?.home ?? null;
  const who = home === null ? "the first worker that looks" : `${visible(home.name)} (it has the history)`;
  return [`${visible(name)}: ${who} begins within seconds; \`tandem schedule\` shows it.`, ...hint(keepers)].join("\n");
}
