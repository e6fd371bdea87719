import type { Worker } from "../../../worker/serve/worker.ts";
import { visible } from "../../../report/text/visible.ts";
import { shortDuration } from "../../progress/queue-line.ts";

/** A line for each deployment that is served now, and one on the worker itself. */
export function workerLines(worker: Worker): string[] {
  const { chunks, offers, tools, state } = worker;
  const lines = chunks.flatMap((chunk) => {
    const queue = chunk.snapshot();
    if (queue === null) return [];
    const { waiting } = chunk;
    const parts = [
      `${queue.done} of ${queue.total} done`,
      `${Math.max(0, queue.inFlight - waiting)} in flight`,
      ...(waiting > 0 ? [`${waiting} wait for a place`] : []),
      ...(queue.pausedMs > 1_000 ? [`paused for ${shortDuration(queue.pausedMs)}`] : []),
      ...(queue.failed > 0 ? [`${queue.failed} failed`] : []),
    ];
    return [`${visible(chunk.batch)}  ${visible(queue.lane)}  ${parts.join(", ")}`];
  });
  const doubts = inDoubt(worker);
  const about = [
    ...(state === "on" ? [] : [state]),
    ...(chunks.length === 0 ? ["waits for work"] : []),
    ...(doubts > 0 ? [`${doubts} in doubt`] : []),
    ...(tools.settles.waiting > 0 ? [`${tools.settles.waiting} results to enter`] : []),
    ...(tools.link.isAway ? ["the database is away"] : []),
    ...offers.told.lines.map((line) => visible(line)),
  ];
  return about.length === 0 ? lines : [...lines, about.join("; ")];
}

/** The sums of a worker in one line. */
export function workerSummary(worker: Worker): string {
  const { counters } = worker.tools;
  const parts = [...counters.deployments].map(([deployment, { finished, outcomes }]) => {
    const { ok = 0, ...others } = outcomes;
    const failed = Object.entries(others).map(([kind, count]) => `, ${count} ${kind}`);
    return `${visible(deployment)} ${finished} finished (${ok} answered${failed.join("")})`;
  });
  const doubts = inDoubt(worker);
  return `worker ${worker.name}: ${parts.length === 0 ? "nothing was sent" : parts.join("; ")}${doubts > 0 ? `; ${doubts} in doubt` : ""}`;
}

function inDoubt({ offers }: Worker): number {
  const services = new Map(offers.open.map(({ batch, service, inDoubt: count }) => [`${batch} ${service}`, count]));
  return [...services.values()].reduce((sum, count) => sum + count, 0);
}
