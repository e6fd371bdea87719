import { shellWord } from "../../../lib/shell-word.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { keptVerdict } from "../../../report/words/night-words.ts";
import { duration } from "../../../report/words/quantity.ts";
import { visible } from "../../../report/text/visible.ts";
import type { RemovedSchedule, Schedule, ScheduledNight } from "../../../worker/postgres/schedules.ts";

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
  /** With remove: what was going on for it. */
  removed: RemovedSchedule | null;
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

/** Whoever spends nights gives a sign every few seconds. */
export const awayMs = 60_000;
const mostTimes = 5;

function nightText({ state, exitCode, verdict, word, batch }: ScheduledNight): string {
  if (state !== "done")
    return { due: "waits", running: "is being spent", missed: "missed", "cut off": "cut off" }[state];
  const what = keptVerdict({ verdict, word }) ?? (exitCode === 0 ? "ok" : "no verdict");
  return `${what}, exit code ${exitCode}${batch === null ? "" : `, ${visible(batch)}`}`;
}

/** Says what was added, and when it is run first. */
export function addedText({ name, schedule, keepers }: Said): string {
  const next = schedule === null ? "" : ` Next: ${timeText(schedule.zone, schedule.nextAt)}, ${schedule.zone}.`;
  return [`${visible(name)} is scheduled.${next}`, ...hint(keepers)].join("\n");
}

/** Says that a schedule is removed, and what becomes of a night that is being spent or waits. */
export function goneText({ name, removed }: Said): string {
  const { spent = null, waited = false, batches = [] } = removed ?? {};
  const stopped = batches.filter((batch) => batch.stopped);
  const left = batches.map((batch) => `\`tandem resume ${shellWord(batch.name)} --workers URL\``).join(" and ");
  const where = [...new Set(batches.map(({ worker }) => visible(worker)))].join(" and ");
  return [
    `${visible(name)} is removed. Its results stay in the folder of the worker that had them.`,
    ...(spent === null || spent.silentMs > awayMs
      ? []
      : [
          `${visible(spent.worker)} stops the night that it spends within seconds: what is in flight is finished, nothing more is sent.`,
        ]),
    ...(spent !== null && spent.silentMs > awayMs && stopped.length === 0
      ? [`${visible(spent.worker)}, which had begun a night, is away: nothing more of it is sent.`]
      : []),
    ...stopped.map(
      (batch) =>
        `${visible(batch.worker)} is away; ${visible(batch.name)}, which it has at the workers, is stopped: what is in flight is finished, nothing more is sent.`,
    ),
    ...(left === "" ? [] : [`The rest can still be sent, in the folder of ${where}: ${left}.`]),
    ...(waited ? ["The night that waited is not spent."] : []),
  ].join("\n");
}

/** Says who spends the night that was asked for, and when: also where the one with the history is away. */
export function runText({ name, schedule, keepers }: Said): string {
  const home = schedule?.home ?? null;
  const isAwayNow = home !== null && home.silentMs > awayMs;
  const lines = isAwayNow && schedule !== null ? awayLines(schedule, home, keepers) : [beginsText(home, schedule)];
  return [`${visible(name)}: ${lines[0]}`, ...lines.slice(1), ...hint(keepers)].join("\n");
}

type Home = NonNullable<ShownSchedule["home"]>;

function beginsText(home: Home | null, schedule: ShownSchedule | null): string {
  const who = home === null ? "the first worker that looks" : `${visible(home.name)} (it has the history)`;
  const isBusy = schedule?.nights.some(({ state }) => state === "running") ?? false;
  const when = isBusy ? "begins when the night that is being spent has ended" : "begins within seconds";
  return `${who} ${when}; \`tandem schedule\` shows it.`;
}

/** The night of a home that is away: who takes it, and when. */
function awayLines(
  { takeOverMs, madeUpMs, zone }: ShownSchedule,
  { name, silentMs }: Home,
  keepers: readonly string[],
): [string, ...string[]] {
  const home = visible(name);
  const away = `${home} (it has the history) is away, without a sign for ${duration(silentMs)}.`;
  const missed = `If nobody has begun within ${duration(madeUpMs)}, the night is missed.`;
  if (takeOverMs === null)
    return [away, `No other worker may take its place: the night begins when ${home} is back. ${missed}`];
  const others =
    keepers.length === 0 ? "the first worker that looks" : keepers.map((each) => visible(each)).join(" or ");
  const leftMs = takeOverMs - silentMs;
  const anew = "its history begins anew there";
  if (leftMs <= 0)
    return [away, `Its time is over (${duration(takeOverMs)}): ${others} takes its place within seconds, and ${anew}.`];
  const at = timeText(zone, Date.now() + leftMs);
  return [
    away,
    `The night begins when ${home} is back; from ${at} on ${others} takes its place, and ${anew}. ${missed}`,
  ];
}
