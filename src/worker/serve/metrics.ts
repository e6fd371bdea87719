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

/** Tells a scraper of the work of a worker, now and since it began. No name of a case, and no address, is in it. */
export function metricsOf(worker: Worker): string {
  return [...work(worker), ...health(worker)].map(textOf).join("");
}

function work({ tools, slices, offers }: Worker): Metric[] {
  const { counters } = tools;
  const lanes = slices.flatMap((slice) => {
    const lane = slice.snapshot();
    return lane === null ? [] : [{ deployment: slice.deployment, lane, waiting: slice.waiting }];
  });
  const deployments = [...counters.deployments];
  const per = (valueOf: (each: (typeof lanes)[number]) => number): Sample[] => {
    const sums = new Map<string, number>();
    for (const each of lanes) sums.set(each.deployment, (sums.get(each.deployment) ?? 0) + valueOf(each));
    return [...sums].map(([deployment, value]) => ({ labels: { deployment }, value }));
  };
  const doubts = new Map<string, number>();
  for (const { serviceName, deployment, inDoubt } of offers.open) doubts.set(`${deployment}\n${serviceName}`, inDoubt);
  return [
    {
      name: "tandem_jobs_finished_total",
      type: "counter",
      help: "Jobs that ended on this worker.",
      samples: deployments.map(([deployment, { finished }]) => ({ labels: { deployment }, value: finished })),
    },
    {
      name: "tandem_attempts_total",
      type: "counter",
      help: "Requests by their outcome.",
      samples: deployments.flatMap(([deployment, { outcomes }]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { deployment, outcome }, value })),
      ),
    },
    {
      name: "tandem_waits_total",
      type: "counter",
      help: "Requests that were granted a place within the limits.",
      samples: one(counters.granted),
    },
    {
      name: "tandem_wait_seconds_total",
      type: "counter",
      help: "Seconds that requests have waited for it.",
      samples: one(counters.waitedMs / 1_000),
    },
    {
      name: "tandem_in_flight",
      type: "gauge",
      help: "Requests on their way.",
      samples: per((each) => Math.max(0, each.lane.inFlight - each.waiting)),
    },
    {
      name: "tandem_waiting",
      type: "gauge",
      help: "Requests that wait for a place within the limits.",
      samples: per((each) => each.waiting),
    },
    {
      name: "tandem_paused_seconds",
      type: "gauge",
      help: "Seconds until the service lets the next one through.",
      samples: per((each) => each.lane.pausedMs / 1_000),
    },
    {
      name: "tandem_in_doubt",
      type: "gauge",
      help: "Requests of running batches, over all workers, of which nobody knows what became of them.",
      samples: [...doubts].map(([key, value]) => ({ labels: { deployment: key.split("\n")[0] ?? "" }, value })),
    },
    {
      name: "tandem_slices",
      type: "gauge",
      help: "Parts of batches that this worker has now.",
      samples: one(slices.length),
    },
    {
      name: "tandem_strays_total",
      type: "counter",
      help: "Results that came too late to decide anything.",
      samples: one(counters.strays),
    },
  ];
}

function health({ tools, state }: Worker): Metric[] {
  const { link, settles, lease } = tools;
  const age = lease.ageMs / 1_000;
  return [
    {
      name: "tandem_database_up",
      type: "gauge",
      help: "1 while the database answers.",
      samples: one(link.isAway ? 0 : 1),
    },
    {
      name: "tandem_heartbeat_age_seconds",
      type: "gauge",
      help: "Seconds since the database took the last sign of life.",
      samples: one(Number.isFinite(age) ? age : -1),
    },
    {
      name: "tandem_results_waiting",
      type: "gauge",
      help: "Results that are not in the database yet.",
      samples: one(settles.waiting),
    },
    {
      name: "tandem_spool_files",
      type: "gauge",
      help: "Files of such results on the disk.",
      samples: one(settles.files),
    },
    {
      name: "tandem_taking",
      type: "gauge",
      help: "1 while this worker takes work; 0 while it is paused or drained.",
      samples: one(state === "on" ? 1 : 0),
    },
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
