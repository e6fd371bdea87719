import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import { number } from "../../../report/say/quantity.ts";
import type { BatchThere, WorkerNow, WorkersOverview } from "../../../workers/watch.ts";

/** Says who is there and what they do. */
export function overviewText({ database, workers, batches, accounts }: WorkersOverview): string {
  const told = workers.flatMap(({ name, state, leaves }) =>
    state === "gone" ? [] : leaves.map((line) => `  ${visible(name)} leaves to others: ${visible(line)}`),
  );
  const parts = [
    [`Workers at ${visible(database)}`, ...workersLines(workers), ...told],
    batches.length === 0 ? ["No batch is there."] : ["Batches", ...batchesLines(batches)],
    accounts.length === 0
      ? []
      : [
          "Accounts",
          ...accounts.map(
            ({ name, granted, concurrency }) =>
              `  ${visible(name)}  ${number(granted)} of ${number(concurrency)} at once are given out`,
          ),
        ],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function workersLines(workers: readonly WorkerNow[]): string[] {
  if (workers.length === 0) return ["  None is there: start one with `tandem workers serve URL`."];
  const rows = workers.map((worker) => [
    visible(worker.name),
    visible(worker.host),
    visible(worker.version),
    worker.state,
    number(worker.inFlight),
    number(worker.inDoubt),
    secondsText(worker.silentMs),
  ]);
  const columns = ["name", "host", "tandem", "state", "in flight", "in doubt", "last sign"].map((title, place) => ({
    title,
    align: place === 4 || place === 5 || place === 6 ? ("right" as const) : ("left" as const),
    most: 40,
  }));
  return tableLines(columns, rows).map((line) => `  ${line}`);
}

function batchesLines(batches: readonly BatchThere[]): string[] {
  const rows = batches.map((batch) => [
    visible(batch.name),
    visible(batch.state),
    `${number(batch.done)}/${number(batch.jobs)}`,
    number(batch.inDoubt),
    visible(batch.submitter),
    secondsText(batch.submitterSilentMs),
    visible(batch.reason ?? ""),
  ]);
  const columns = ["batch", "state", "done", "in doubt", "submitter", "last sign", ""].map((title, place) => ({
    title,
    align: place === 2 || place === 3 || place === 5 ? ("right" as const) : ("left" as const),
    most: 60,
  }));
  return tableLines(columns, rows).map((line) => `  ${line}`.trimEnd());
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

/** Says what was made. */
export const setUpText = (database: string): string =>
  `${visible(database)} is ready. Workers and submitters connect as the role that made its tables. On each machine: tandem workers serve URL`;
