import { spawnSync } from "node:child_process";
import { tandem } from "./bench.ts";
import type { Bench } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./measure.ts";

/** Measures the time that help takes beyond Node alone. Many laps: each takes a fraction of a second. */
export function startUp(bench: Bench): Figure[] {
  bench.note("start-up");
  const laps = Array.from({ length: bench.laps * 5 }, () => ({
    bare: timed(["-e", "0"]),
    help: timed([tandem, "--help"]),
  }));
  const ratio = median(laps.map(({ bare, help }) => help / bare));
  const [help, bare] = [median(laps.map((lap) => lap.help)), median(laps.map((lap) => lap.bare))];
  const note = `${help.toFixed(0)} / ${bare.toFixed(0)} ms`;
  return [figure({ name: "`tandem --help` / bare Node", reach: 2.2, aim: 1.5, unit: "", digits: 2 }, ratio, note)];
}

function timed(args: string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { stdio: "ignore" });
  return performance.now() - start;
}
