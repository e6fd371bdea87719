import { spawnSync } from "node:child_process";
import { type Bench, prompts, runTwoSides, tandem } from "./bench.ts";
import { withFastServer } from "./fast-server.ts";
import { type Figure, figure } from "./figure.ts";
import { measure, median } from "./measure.ts";

const rows = 20;

/** Measures the time that help takes beyond Node alone, and the CPU of a short run. Many laps: each takes a fraction of a second. */
export async function startUp(bench: Bench): Promise<Figure[]> {
  bench.note("start-up");
  const laps = Array.from({ length: bench.laps * 5 }, () => ({
    bare: timed(["-e", "0"]),
    help: timed([tandem, "--help"]),
  }));
  const ratio = median(laps.map(({ bare, help }) => help / bare));
  const [help, bare] = [median(laps.map((lap) => lap.help)), median(laps.map((lap) => lap.bare))];
  const note = `${help.toFixed(0)} / ${bare.toFixed(0)} ms`;
  return [
    figure(
      { name: "`tandem --help` / bare Node", reach: 2.2, aim: 1.5, unit: "", digits: 2, tolerance: 0.3 },
      ratio,
      note,
    ),
    await withFastServer(({ url }) => shortRun(bench, url)),
  ];
}

/** A run of few rows against two bots, with every report: nearly all of it is to load and to compile. */
async function shortRun(bench: Bench, url: string): Promise<Figure> {
  const dataset = await prompts(bench, rows);
  const laps: { run: number; bare: number }[] = [];
  for (let lap = 1; lap <= bench.laps * 3; lap++) {
    const run = await runTwoSides(bench, { dataset, url, out: "short" });
    laps.push({ run: run.cpuUs, bare: (await measure(["-e", "0"])).cpuUs });
  }
  const bareNodes = median(laps.map(({ run, bare }) => run / bare));
  const target = {
    name: `\`tandem run\` of ${rows} rows x 2, every report: CPU`,
    reach: 0.45,
    aim: 0.3,
    unit: " s",
    digits: 2,
  };
  const measured = figure(target, median(laps.map(({ run }) => run)) / 1e6, `${bareNodes.toFixed(0)} bare Nodes`);
  return { ...measured, guard: { value: Number(bareNodes.toFixed(1)), more: false, tolerance: 0.3 } };
}

function timed(args: string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { stdio: "ignore" });
  return performance.now() - start;
}
