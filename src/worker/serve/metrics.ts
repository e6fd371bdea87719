import type { Worker } from "./worker.ts";

/** A number with the labels that tell it from others of its name. */
interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** One measure, in the text format of Prometheus. */
interface Metric {
  name: string;
  type: "counter" | "gauge";
  help: string;
  samples: Sample[];
}

const one = (value: number): Sample[] => [{ labels: {}, value }];

const counter = (name: string, help: string, samples: Sample[]): Metric => ({ name, type: "counter", help, samples });
const gauge = (name: string, help: string, samples: Sample[]): Metric => ({ name, type: "gauge", help, samples });

/** Tells a scraper of the work of a worker, now and since it began. No name of a case, and no address, is in it. */
export function metricsOf(worker: Worker): string {
  return [...work(worker), ...health(worker)].map(textOf).join("");
}

function work({ tools, chunks, offers }: Worker): Metric[] {
  const { counters } = tools;
  const queues = chunks.flatMap((chunk) => {
    const queue = chunk.snapshot();
    return queue === null ? [] : [{ deployment: chunk.deployment, lane: queue, waiting: chunk.waiting }];
  });
  const deployments = [...counters.deployments];
  const per = (valueOf: (each: (typeof queues)[number]) => number): Sample[] => {
    const sums = new Map<string, number>();
    for (const each of queues) sums.set(each.deployment, (sums.get(each.deployment) ?? 0) + valueOf(each));
    return [...sums].map(([deployment, value]) => ({ labels: { deployment }, value }));
  };
  const doubts = new Map<string, number>();
  for (const { serviceName, deployment, inDoubt } of offers.open) doubts.set(`${deployment}\n${serviceName}`, inDoubt);
  return [
    counter(
      "tandem_jobs_finished_total",
      "Jobs that ended on this worker.",
      deployments.map(([deployment, { finished }]) => ({ labels: { deployment }, value: finished })),
    ),
    counter(
      "tandem_attempts_total",
      "Requests by their outcome.",
      deployments.flatMap(([deployment, { outcomes }]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { deployment, outcome }, value })),
      ),
    ),
    counter("tandem_waits_total", "Requests that were granted a place within the limits.", one(counters.granted)),
    counter("tandem_wait_seconds_total", "Seconds that requests have waited for it.", one(counters.waitedMs / 1_000)),
    gauge(
      "tandem_in_flight",
      "Requests on their way.",
      per((each) => Math.max(0, each.lane.inFlight - each.waiting)),
    ),
    gauge(
      "tandem_waiting",
      "Requests that wait for a place within the limits.",
      per((each) => each.waiting),
    ),
    gauge(
      "tandem_paused_seconds",
      "Seconds until the service lets the next one through.",
      per((each) => each.lane.pausedMs / 1_000),
    ),
    gauge(
      "tandem_in_doubt",
      "Requests of running batches, over all workers, of which nobody knows what became of them.",
      [...doubts].map(([key, value]) => ({ labels: { deployment: key.split("\n")[0] ?? "" }, value })),
    ),
    gauge("tandem_slices", "Parts of batches that this worker has now.", one(chunks.length)),
    counter("tandem_strays_total", "Results that came too late to decide anything.", one(counters.strays)),
  ];
}

function health({ tools, state }: Worker): Metric[] {
  const { link, settles, lease } = tools;
  const age = lease.ageMs / 1_000;
  return [
    gauge("tandem_database_up", "1 while the database answers.", one(link.isAway ? 0 : 1)),
    gauge(
      "tandem_heartbeat_age_seconds",
      "Seconds since the database took the last sign of life.",
      one(Number.isFinite(age) ? age : -1),
    ),
    gauge("tandem_results_waiting", "Results that are not in the database yet.", one(settles.waiting)),
    gauge("tandem_spool_files", "Files of such results on the disk.", one(settles.files)),
    gauge(
      "tandem_taking",
      "1 while this worker takes work; 0 while it is paused or drained.",
      one(state === "on" ? 1 : 0),
    ),
  ];
}

function textOf({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => `${name}${labelsOf(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsOf(labels: Record<string, string>): string {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return written.length === 0 ? "" : `{${written.join(",")}}`;
}

const escaped = (value: string): string =>
  value
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
