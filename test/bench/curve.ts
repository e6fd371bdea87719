import { type Bench, prompts, runBareLoop, runTandem } from "./bench.ts";
import { withFastServer } from "./fast-server.ts";
import { beside, type Figure, notMeasured } from "./figure.ts";

const sizes = [10_000, 100_000, 1_000_000];
const concurrency = 64;

/** A run with every report file at three sizes, beside the bare loop of as many requests; each once. */
export function curve(bench: Bench): Promise<Figure[]> {
  return withFastServer(async ({ url }) => {
    const figures: Figure[] = [];
    for (const rows of sizes) {
      const name = `${rows.toLocaleString("en")} rows with every report file`;
      if (bench.quick && rows > 100_000) {
        figures.push(notMeasured(name, "", "", "--quick"));
        continue;
      }
      bench.note(name);
      const dataset = await prompts(bench, rows);
      const run = await runTandem(bench, { dataset, url, concurrency, reports: true });
      const bare = await runBareLoop(url, rows, concurrency);
      const share = (bare.wallMs / run.wallMs).toFixed(2);
      const perRow = (run.cpuUs / rows).toFixed(0);
      figures.push(
        beside(
          name,
          `${share} of the bare loop's rows/s; ${perRow} us of CPU a row; ${(run.peakKb / 1024).toFixed(0)} MB`,
        ),
      );
    }
    return figures;
  });
}
