import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import type { Users } from "../../../worker/postgres/roles.ts";
import type { RemoteBatch, WorkerNow } from "../../../worker/postgres/watch.ts";
import type { ServiceNow } from "../../../worker/postgres/services.ts";
import type { WorkersOverview } from "../../../worker/watch/overview.ts";

/** Says who is there and what they do. */
export function overviewText({ database, workers, batches, services }: WorkersOverview): string {
  const reported = workers.flatMap((worker) =>
    worker.state === "gone" ? [] : worker.told.map((line) => `  ${visible(worker.name)}: ${visible(line)}`),
  );
  const parts = [
    [`Workers at ${visible(database)}`, ...workersLines(workers), ...reported],
    batches.length === 0 ? ["No batch is there."] : ["Batches", ...batchesLines(batches)],
    services.length === 0 ? [] : ["Services", ...services.map(serviceLine)],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function workersLines(workers: readonly WorkerNow[]): string[] {
  if (workers.length === 0) return ["  None is there: start one with `tandem worker URL`."];
  const rows = workers.map((worker) => [
    visible(worker.name),
    visible(worker.host),
    visible(worker.version),
    worker.state,
    number(worker.inFlight),
    number(worker.inDoubt),
    secondsText(worker.silentMs),
    worker.deployments.length === 0 ? "-" : visible(worker.deployments.join(", ")),
  ]);
  const columns = ["name", "host", "tandem", "state", "in flight", "in doubt", "last sign", "serves"].map(
    (title, place) => ({
      title,
      align: place === 4 || place === 5 || place === 6 ? ("right" as const) : ("left" as const),
      most: 40,
    }),
  );
  return tableLines(columns, rows).map((line) => `  ${line}`);
}

function batchesLines(batches: readonly RemoteBatch[]): string[] {
  const rows = batches.map((batch) => [
    visible(batch.name),
    visible(batch.state),
    `${number(batch.done)}/${number(batch.jobs)}`,
    number(batch.inDoubt),
    visible(batch.submitter),
    batch.submitterSilentMs === null ? "-" : secondsText(batch.submitterSilentMs),
    visible(batch.reason ?? ""),
  ]);
  const columns = ["batch", "state", "done", "in doubt", "submitter", "last sign", ""].map((title, place) => ({
    title,
    align: place === 2 || place === 3 || place === 5 ? ("right" as const) : ("left" as const),
    most: 60,
  }));
  return tableLines(columns, rows).map((line) => `  ${line}`.trimEnd());
}

function serviceLine({ name, inFlight, pausedMs, learnedConcurrency, reason }: ServiceNow): string {
  const limit = learnedConcurrency === null ? "" : `  at most ${number(learnedConcurrency)} at once`;
  const paused = pausedMs > 0 ? `  paused for ${secondsText(pausedMs)}` : "";
  const why = reason === null ? "" : `  (${visible(reason)})`;
  return `  ${visible(name)}  ${number(inFlight)} in flight${limit}${paused}${why}`;
}

function secondsText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${number(seconds)} s`;
  return seconds < 7_200 ? `${number(Math.round(seconds / 60))} min` : `${number(Math.round(seconds / 3_600))} h`;
}

/** Says what workers were asked to do. */
export function askedText(names: readonly string[], action: "pause" | "resume" | "drain"): string {
  if (names.length === 0) return "No worker is there.";
  const what = {
    pause: "finish what is in flight, and take nothing more until they are resumed",
    resume: "take work again",
    drain: "finish what is in flight, and end",
  };
  return `${visible(names.join(", "))}: asked to ${what[action]}; a worker heeds it with its next sign of life.`;
}

/** Says what was done with a batch; `policy` is null where it was removed. */
export function decidedText({ name, inDoubt }: RemoteBatch, policy: "resend" | "fail" | null): string {
  if (policy === null) return `${visible(name)}: removed from the workers' database.`;
  if (inDoubt === 0) return `${visible(name)}: nothing is in doubt.`;
  const what = policy === "resend" ? "sent again" : "ended as failed";
  return `${visible(name)}: ${counted(inDoubt, "request")} in doubt ${inDoubt === 1 ? "is" : "are"} ${what}. \`tandem resume ${visible(name)} --workers URL\` brings what comes of it.`;
}

/** Says what was made, and what is left to an administrator of the server. */
export function setUpText(
  database: string,
  { workers, submitters, isSuperuser, statements }: Users & { statements: readonly string[] },
): string {
  const isReady = workers.length > 0 && submitters.length > 0;
  return [
    `${visible(database)} is ready.`,
    ...(isReady
      ? [`Workers connect as ${visible(workers.join(", "))}, submitters as ${visible(submitters.join(", "))}.`]
      : ["Give each machine no more rights than it needs:", ...statements.map((statement) => `  ${statement}`)]),
    ...(isSuperuser
      ? [
          "This user is a superuser, so that the functions which workers call have a superuser's rights.",
          "Better take an owner that is none: CREATE USER ada; CREATE DATABASE tandem OWNER ada; and set that up as ada.",
        ]
      : []),
  ].join("\n");
}
