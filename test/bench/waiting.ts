import { type Bench, fromDatabase, prompts, runTandem } from "./bench.ts";
import { withFastServer } from "./fast-server.ts";
import { startDelayedServer } from "./delayed-server.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./measure.ts";

const waits = [
  { name: "50 ms server, c=64: share of c/latency", delayMs: 50, concurrency: 64, seconds: 15, reach: 0.85, aim: 0.95 },
  {
    name: "2 s server, c=1000: share of c/latency",
    delayMs: 2_000,
    concurrency: 1_000,
    seconds: 30,
    reach: 0.9,
    aim: 0.97,
  },
  {
    name: "20 s server, c=1000: share of c/latency",
    delayMs: 20_000,
    concurrency: 1_000,
    seconds: 60,
    reach: 0.9,
    aim: 0.97,
  },
];

/**
 * Measures the share of the possible requests that is made while every one waits; from the first sent to the last
 * answer, ramp included.
 */
export async function waiting(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  const atOnce = await cpuAtOnce(bench);
  for (const { name, delayMs, concurrency, seconds, reach, aim } of waits) {
    const possible = (concurrency * 1000) / delayMs;
    const rows = possible * seconds;
    const dataset = await prompts(bench, rows);
    const server = await startDelayedServer(delayMs);
    try {
      const shares: number[] = [];
      const cpu: number[] = [];
      for (let lap = 1; lap <= bench.laps; lap++) {
        bench.note(`${name}, lap ${lap} of ${bench.laps}`);
        const { cpuUs } = await runTandem(bench, { dataset, url: server.url, concurrency });
        cpu.push((cpuUs - atOnce.startUs) / rows);
        const tookMs = fromDatabase(bench, "SELECT max(done_at) - min(sent_at) FROM attempt");
        shares.push(rows / (tookMs / 1000) / possible);
      }
      const perRow = median(cpu);
      figures.push(
        figure({ name, reach, aim, unit: "", digits: 2, more: true }, median(shares)),
        figure(
          {
            name: `its CPU of a row / of a row that is answered at once (${delayMs / 1000} s)`,
            reach: 2,
            aim: 1.5,
            unit: "",
            digits: 2,
          },
          perRow / atOnce.rowUs,
          `${perRow.toFixed(0)} / ${atOnce.rowUs.toFixed(0)} us`,
        ),
      );
    } finally {
      await server.stop();
    }
  }
  return figures;
}

const plainRows = 20_000;

/** Microseconds of CPU that a run takes to start, and those of a row beyond that, where every request is answered at once. */
async function cpuAtOnce(bench: Bench): Promise<{ startUs: number; rowUs: number }> {
  bench.note("rows that are answered at once");
  const cpuOf = (rows: number): Promise<number> =>
    withFastServer(async ({ url }) => {
      const dataset = await prompts(bench, rows);
      return (await runTandem(bench, { dataset, url, concurrency: 64 })).cpuUs;
    });
  const startUs = await cpuOf(1);
  return { startUs, rowUs: ((await cpuOf(plainRows)) - startUs) / plainRows };
}
