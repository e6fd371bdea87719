import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, prompts, runTandem } from "./bench.ts";
import type { FastServer } from "./fast-server.ts";
import { type Figure, figure } from "./figure.ts";
import { measure, median } from "./measure.ts";

const rows = 2_000;
const concurrency = 64;

/** Requests per second of CPU, beside promptfoo's with its HTTP provider, no cache and one assertion. `script`: its main.js. */
export async function besidePromptfoo(bench: Bench, server: FastServer, script: string): Promise<Figure> {
  const dataset = await prompts(bench, rows);
  const config = join(bench.folder, "promptfooconfig.json");
  const body = { input_prompt: "{{input_prompt}}", messages: [] };
  const headers = { "Content-Type": "application/json" };
  const request = { url: `${server.url}/v2/video-bots?example_id=x`, method: "POST", headers, body };
  const provider = { id: "https", config: { ...request, transformResponse: "json.output.output_text[0]" } };
  const assertion = { assert: [{ type: "contains", value: "word" }] };
  writeFileSync(
    config,
    JSON.stringify({
      prompts: ["{{input_prompt}}"],
      providers: [provider],
      tests: `file://${dataset}`,
      defaultTest: assertion,
    }),
  );
  const ratios: number[] = [];
  for (let lap = 1; lap <= bench.laps; lap++) {
    bench.note(`promptfoo, lap ${lap} of ${bench.laps}`);
    const run = await runTandem(bench, { dataset, url: server.url, concurrency });
    const args = [
      script,
      "eval",
      "-c",
      config,
      "--no-cache",
      "-j",
      String(concurrency),
      "--no-progress-bar",
      "--no-table",
    ];
    const other = await measure(args, { cwd: bench.folder, codes: [0, 100] });
    ratios.push(other.cpuUs / run.cpuUs);
  }
  return figure(
    { name: "requests per second of CPU / promptfoo's", reach: 50, aim: 150, unit: " x", digits: 0, more: true },
    median(ratios),
    "2,000 rows, start-up included",
  );
}
