import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, prompts, runTwoSides, tandem } from "./bench.ts";
import { withFastServer } from "./fast-server.ts";
import { type Figure, figure } from "./figure.ts";
import { measure } from "./measure.ts";

const rows = 100_000;

/** A resume of what is finished: nothing is sent, and nothing is compared again. */
export async function finished(bench: Bench): Promise<Figure[]> {
  bench.note(`resume of a finished batch of ${rows} rows`);
  const dataset = await prompts(bench, rows);
  const out = "finished";
  await withFastServer(({ url }) => runTwoSides(bench, { dataset, url, out }));
  const folder = join(bench.folder, out);
  const [batch = ""] = readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [each.name] : [],
  );
  const { cpuUs, peakKb } = await measure([tandem, "resume", batch, "--quiet", "--results", out], {
    cwd: bench.folder,
  });
  rmSync(folder, { recursive: true, force: true });
  const target = { name: "resume of a finished batch of 100,000 x 2: CPU", reach: 1, aim: 0.3, unit: " s", digits: 2 };
  return [figure(target, cpuUs / 1e6, `${(peakKb / 1024).toFixed(0)} MB`)];
}
