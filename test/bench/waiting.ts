import { type Bench, fromDatabase, prompts, runTandem } from "./bench.ts";
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
];

/**
 * Measures the share of the possible requests that is made while every one waits; from the first sent to the last
 * answer, ramp included.
 */
export async function waiting(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, delayMs, concurrency, seconds, reach, aim } of waits) {
    const possible = (concurrency * 1000) / delayMs;
    const rows = possible * seconds;
    const dataset = await prompts(bench, rows);
    const server = await startDelayedServer(delayMs);
    try {
      const shares: number[] = [];
      for (let lap = 1; lap <= bench.laps; lap++) {
        bench.note(`${name}, lap ${lap} of ${bench.laps}`);
        await runTandem(bench, { dataset, url: server.url, concurrency });
        const tookMs = fromDatabase(bench, "SELECT max(done_at) - min(sent_at) FROM attempt");
        shares.push(rows / (tookMs / 1000) / possible);
      }
      figures.push(figure({ name, reach, aim, unit: "", digits: 2, more: true }, median(shares)));
    } finally {
      await server.stop();
    }
  }
  return figures;
}
