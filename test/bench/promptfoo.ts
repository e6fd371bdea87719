import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, prompts, runTandem } from "./bench.ts";
import { type FastServer, withFastServer } from "./fast-server.ts";
import { type Figure, figure, notMeasured } from "./figure.ts";
import { measure, median } from "./measure.ts";

const rows = 2_000;
const concurrency = 64;

const name = "requests per second of CPU / promptfoo's";

/** Requests per second of CPU, beside promptfoo's with its HTTP provider, no cache and one assertion. */
export async function besidePromptfoo(bench: Bench): Promise<Figure[]> {
  const { promptfoo } = bench;
  if (promptfoo === null) return [notMeasured(name, "50 x", "150 x", "no --promptfoo PATH was given")];
  return [await withFastServer((server) => against(bench, server, promptfoo))];
}

/** `script`: its main.js. */
async function against(bench: Bench, server: FastServer, script: string): Promise<Figure> {
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
    { name, reach: 50, aim: 150, unit: " x", digits: 0, more: true },
    median(ratios),
    "2,000 rows, start-up included",
  );
}
