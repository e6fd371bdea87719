import { statSync } from "node:fs";
import { join } from "node:path";
import { type Bench, fromDatabase, prompts, runBareLoop, runTandem } from "./bench.ts";
import { type FastServer, withFastServer } from "./fast-server.ts";
import { type Figure, figure } from "./figure.ts";
import { median, type Usage } from "./measure.ts";

const rows = 100_000;
const concurrency = 64;

interface Lap {
  run: Usage;
  bare: Usage;
  /** Resources used with every report file. */
  all: Usage;
}

/**
 * 100,000 rows, from the CSV to the summary, against a server that answers at once, beside the bare loop in the same lap;
 * and the same with every report file.
 */
export async function throughput(bench: Bench): Promise<Figure[]> {
  return withFastServer((server) => against(bench, server));
}

async function against(bench: Bench, server: FastServer): Promise<Figure[]> {
  const dataset = await prompts(bench, rows);
  const laps: Lap[] = [];
  for (let lap = 1; lap <= bench.laps; lap++) {
    bench.note(`100,000 rows, lap ${lap} of ${bench.laps}`);
    const run = await runTandem(bench, { dataset, url: server.url, concurrency });
    const bare = await runBareLoop(server.url, rows, concurrency);
    const all = await runTandem(bench, { dataset, url: server.url, concurrency, reports: true });
    laps.push({ run, bare, all });
  }
  const over = (read: (lap: Lap) => number): number => median(laps.map(read));
  const perRow = (usage: Usage): string => (usage.cpuUs / rows).toFixed(0);
  const best = laps.toSorted((a, b) => a.run.cpuUs - b.run.cpuUs)[0];
  bench.peakKb = over(({ all }) => all.peakKb);
  return [
    figure(
      {
        name: "rows/s of `tandem run` / bare loop",
        reach: 0.35,
        aim: 0.5,
        unit: "",
        digits: 2,
        more: true,
        tolerance: 0.3,
      },
      over(({ run, bare }) => bare.wallMs / run.wallMs),
      `${over(({ run }) => (rows / run.wallMs) * 1000).toFixed(0)} / ${over(({ bare }) => (rows / bare.wallMs) * 1000).toFixed(0)}`,
    ),
    figure(
      {
        name: "CPU per row / CPU per request of the bare loop",
        reach: 3,
        aim: 1.8,
        unit: "",
        digits: 2,
        tolerance: 0.3,
      },
      over(({ run, bare }) => run.cpuUs / bare.cpuUs),
      best === undefined ? "" : `fastest lap: ${perRow(best.run)} / ${perRow(best.bare)} us`,
    ),
    figure(
      {
        name: "rows/s with every report file / bare loop",
        reach: 0.33,
        aim: 0.4,
        unit: "",
        digits: 2,
        more: true,
        tolerance: 0.3,
      },
      over(({ all, bare }) => bare.wallMs / all.wallMs),
    ),
    figure(
      {
        name: "CPU per row with every report file / CPU per request of the bare loop",
        reach: 3.4,
        aim: 3,
        unit: "",
        digits: 2,
        tolerance: 0.3,
      },
      over(({ all, bare }) => all.cpuUs / bare.cpuUs),
      best === undefined ? "" : `fastest lap: ${perRow(best.all)} us`,
    ),
    figure(
      { name: "event-loop delay, 99th percentile, c=64", reach: 25, aim: 10, unit: " ms", digits: 1 },
      over(({ run }) => run.delayMs),
    ),
    figure(
      { name: "database beyond the bodies, a record", reach: 1.5, aim: 0.7, unit: " KB", digits: 2 },
      beyondBodies(bench),
    ),
  ];
}

function beyondBodies(bench: Bench): number {
  const bytes = statSync(join(bench.folder, "results/tandem.db")).size;
  const bodies = fromDatabase(bench, "SELECT sum(length(CAST(body AS BLOB))) FROM run_record");
  return (bytes - bodies) / fromDatabase(bench, "SELECT count(*) FROM run_record") / 1000;
}
