import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, fromDatabase, prompts, type Run, runTandem } from "./bench.ts";
import { startDelayedServer } from "./delayed-server.ts";
import { withFastServer } from "./fast-server.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./measure.ts";

/** A service as people have it, and a run against it. */
interface Service {
  name: string;
  /** The rate that is possible, in words. */
  of: string;
  delayMs: number;
  /** The most requests that it takes in a second; left out: all. */
  perSecond?: number;
  concurrency: number;
  rows: number;
  /** Requests in a second that are possible. */
  possible: number;
  keys?: Run["keys"];
  /** Rows are turns of conversations of this length. */
  turns?: number;
  /** The requests whose rate counts; left out: those for the cases. */
  counted?: string;
  /** The column with the moment at which a request counts; left out: its answer. */
  by?: "sent_at";
}

const waits = ({
  delayMs,
  concurrency,
  seconds,
}: {
  delayMs: number;
  concurrency: number;
  seconds: number;
}): Service => {
  const possible = (concurrency * 1000) / delayMs;
  const time = delayMs < 1000 ? `${delayMs} ms` : `${delayMs / 1000} s`;
  return {
    name: `${time} server, c=${concurrency}`,
    of: "c/latency",
    delayMs,
    concurrency,
    rows: possible * seconds,
    possible,
  };
};

const slow: readonly Service[] = [
  waits({ delayMs: 50, concurrency: 64, seconds: 15 }),
  waits({ delayMs: 2_000, concurrency: 1_000, seconds: 30 }),
  waits({ delayMs: 20_000, concurrency: 1_000, seconds: 60 }),
];

const halfSecond = { of: "c/latency", delayMs: 500, concurrency: 64, possible: 128 };

const others: readonly Service[] = [
  {
    name: "429 with Retry-After beyond 100 requests a second, 200 ms, c=64",
    of: "100/s",
    delayMs: 200,
    perSecond: 100,
    concurrency: 64,
    rows: 3_000,
    possible: 100,
  },
  { ...halfSecond, name: "conversations of 20 turns, 500 ms server, c=64", rows: 2_560, turns: 20 },
  {
    ...halfSecond,
    name: "a judge of every answer, 500 ms server, c=64",
    rows: 2_560,
    keys: {
      suite: `judges: { j: { deployment: a, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: j, rubric: Does it help? }]`,
    },
    counted: "job.kind = 'judge'",
  },
  {
    name: "`mode: async`, runs of 10 s, `rate: 100/s`",
    of: "the rate",
    delayMs: 10_000,
    concurrency: 64,
    rows: 3_000,
    possible: 100,
    keys: { deployment: "rate: 100/s", target: "mode: async" },
    by: "sent_at",
  },
];

/** Services that take their time: the share of the possible requests that is made, and the CPU of a row. */
export const waiting = (bench: Bench): Promise<Figure[]> => against(bench, slow);

/** The same of services that refuse, of conversations, judges, and runs that are submitted and asked for. */
export const services = (bench: Bench): Promise<Figure[]> => against(bench, others);

async function against(bench: Bench, list: readonly Service[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  const startUs = await cpuAtOnce(bench, 1);
  for (const service of list) {
    const { name, of, rows, delayMs, perSecond, concurrency, keys } = service;
    const plainUs = ((await cpuAtOnce(bench, rows)) - startUs) / rows;
    const dataset = service.turns === undefined ? await prompts(bench, rows) : talks(bench, rows, service.turns);
    const server = await startDelayedServer(delayMs, { ...(perSecond !== undefined && { perSecond }) });
    try {
      const shares: number[] = [];
      const cpu: number[] = [];
      for (let lap = 1; lap <= bench.laps; lap++) {
        bench.note(`${name}, lap ${lap} of ${bench.laps}`);
        const { cpuUs } = await runTandem(bench, {
          dataset,
          url: server.url,
          concurrency,
          keys: { ...keys, ...(service.turns !== undefined && { suite: asTalks }) },
        });
        cpu.push((cpuUs - startUs) / rows);
        shares.push(rateOf(bench, service) / service.possible);
      }
      const perRow = median(cpu);
      figures.push(
        figure(
          { name: `${name}: share of ${of}`, reach: 0.9, aim: 0.97, unit: "", digits: 2, more: true },
          median(shares),
        ),
        figure(
          { name: `${name}: CPU of a row / of a row answered at once`, reach: 2, aim: 1.5, unit: "", digits: 2 },
          perRow / plainUs,
          `${perRow.toFixed(0)} / ${plainUs.toFixed(0)} us, ${rows} rows each`,
        ),
      );
    } finally {
      await server.stop();
    }
  }
  return figures;
}

/**
 * Requests in a second that were answered with a run, but for the first: a target is sent one case alone before the others,
 * which costs the time of one answer in any run, however long.
 */
function rateOf(bench: Bench, { counted = "job.kind = 'case'", by }: Service): number {
  const requests = `FROM attempt JOIN job ON job.id = attempt.job_id WHERE attempt.outcome = 'ok' AND ${counted}`;
  // A rate lets the requests of a first second go at once.
  const first = by === undefined ? "min(done_at)" : "min(sent_at) + 1000";
  const later = `${requests} AND sent_at >= (SELECT ${first} ${requests})`;
  return fromDatabase(bench, `SELECT count(*) * 1000.0 / (max(${by ?? "done_at"}) - min(sent_at)) ${later}`);
}

/** Microseconds of CPU of a run where every request is answered at once. */
function cpuAtOnce(bench: Bench, rows: number): Promise<number> {
  bench.note(`${rows} rows that are answered at once`);
  return withFastServer(async ({ url }) => {
    const dataset = await prompts(bench, rows);
    return (await runTandem(bench, { dataset, url, concurrency: 64 })).cpuUs;
  });
}

const asTalks = "case: { key: id, input: { input_prompt: question }, cluster: talk, turn: turn }";

/** Writes a dataset of conversations, and returns its path. */
function talks(bench: Bench, rows: number, turns: number): string {
  const path = join(bench.folder, `talks-${rows}.csv`);
  const lines = Array.from(
    { length: rows },
    (_none, row) => `t${row},talk ${Math.floor(row / turns)},${(row % turns) + 1},And what about number ${row}?`,
  );
  writeFileSync(path, `id,talk,turn,question\n${lines.join("\n")}\n`);
  return path;
}
