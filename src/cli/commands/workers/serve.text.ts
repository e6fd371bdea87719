import { visible } from "../../../report/text/visible.ts";
import type { Worker } from "../../../workers/serve/worker.ts";
import { shortDuration } from "../../progress/queue-line.ts";

/** A line for each chunk that a worker drives, and one on the worker itself. */
export function workerLines(worker: Worker): string[] {
  const lines = worker.runs.flatMap((run) => {
    const queue = run.snapshot();
    if (queue === null) return [];
    const parts = [
      `${queue.done} of ${queue.total} done`,
      `${queue.inFlight} in flight`,
      ...(queue.pausedMs > 1_000 ? [`paused for ${shortDuration(queue.pausedMs)}`] : []),
      ...(queue.failed > 0 ? [`${queue.failed} failed`] : []),
    ];
    return [`${visible(run.name)}  ${visible(queue.name)}  ${parts.join(", ")}`];
  });
  const about = [
    ...(worker.state === "on" ? [] : [worker.state]),
    ...(lines.length === 0 ? ["waits for work"] : []),
    ...(worker.isAway ? ["the database is away"] : []),
    ...worker.left.map((line) => visible(line)),
  ];
  return about.length === 0 ? lines : [...lines, about.join("; ")];
}

/** The sums of a worker in one line. */
export function workerSummary({ name, finished }: Worker): string {
  const parts = [...finished].map(
    ([deployment, { ok, failed }]) =>
      `${visible(deployment)} ${ok + failed} finished (${ok} answered${failed > 0 ? `, ${failed} failed` : ""})`,
  );
  return `worker ${name}: ${parts.length === 0 ? "nothing was sent" : parts.join("; ")}`;
}
