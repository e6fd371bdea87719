import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, prompts, runTandem, runTwoSides } from "./bench.ts";
import { withFastServer } from "./fast-server.ts";
import { type Figure, figure, notMeasured, type Target } from "./figure.ts";
import { measure, median, type Usage } from "./measure.ts";

const concurrency = 64;
const ratio = { unit: " x", digits: 0, more: true };
const few = { ...ratio, name: "requests per second of CPU / promptfoo's", reach: 50, aim: 150 };
const faster = {
  ...ratio,
  name: "5,000 x 2, verdict and every report / promptfoo, JSON alone: time",
  reach: 35,
  aim: 45,
};
const cheaper = { ...faster, name: "the same: CPU" };

/**
 * Beside promptfoo with its HTTP provider, no cache and one assertion: 2,000 rows of one bot without a report, and 5,000 of two
 * with every report and a verdict, where promptfoo writes its results as JSON.
 */
export async function besidePromptfoo(bench: Bench): Promise<Figure[]> {
  const { promptfoo } = bench;
  if (promptfoo === null) return [few, faster, cheaper].map((target) => left(target, "no --promptfoo PATH was given"));
  return withFastServer(async ({ url }) => {
    const one = await laps(bench, 2_000, {
      tandem: (dataset) => runTandem(bench, { dataset, url, concurrency }),
      promptfoo: (dataset) => runPromptfoo(bench, promptfoo, { dataset, urls: [botUrl(url, "x")] }),
    });
    const two = await laps(bench, 5_000, {
      tandem: (dataset) => runTwoSides(bench, { dataset, url, out: "beside", suite: judged }),
      promptfoo: (dataset) =>
        runPromptfoo(bench, promptfoo, {
          dataset,
          urls: [botUrl(url, "a"), botUrl(url, "b")],
          more: ["-o", join(bench.folder, "promptfoo.json")],
        }),
    });
    return [
      figure(few, one.cpu, "2,000 rows, start-up included"),
      figure(faster, two.wall, `${(two.tandemMs / 1000).toFixed(1)} s`),
      figure(cheaper, two.cpu),
    ];
  });
}

const left = ({ name, reach, aim, unit }: Target, why: string): Figure =>
  notMeasured(name, `${reach}${unit}`, `${aim}${unit}`, why);

/** The scorer and the gate of the comparison: the same look at each answer as promptfoo's assertion. */
const judged = `scorers: [{ name: says, type: contains, value: word }]
gates: [{ metric: says, margin: 0.05 }]
`;

/** Medians over the laps, each of one run of both: how often promptfoo's CPU and time hold tandem's. */
async function laps(
  bench: Bench,
  rows: number,
  runs: Record<"tandem" | "promptfoo", (dataset: string) => Promise<Usage>>,
): Promise<{ cpu: number; wall: number; tandemMs: number }> {
  const dataset = await prompts(bench, rows);
  const measured: { run: Usage; other: Usage }[] = [];
  for (let lap = 1; lap <= bench.laps; lap++) {
    bench.note(`promptfoo, ${rows.toLocaleString("en")} rows, lap ${lap} of ${bench.laps}`);
    measured.push({ run: await runs.tandem(dataset), other: await runs.promptfoo(dataset) });
  }
  return {
    cpu: median(measured.map(({ run, other }) => other.cpuUs / run.cpuUs)),
    wall: median(measured.map(({ run, other }) => other.wallMs / run.wallMs)),
    tandemMs: median(measured.map(({ run }) => run.wallMs)),
  };
}

const botUrl = (url: string, exampleId: string): string => `${url}/v2/video-bots?example_id=${exampleId}`;

/** `script`: its main.js. */
function runPromptfoo(
  bench: Bench,
  script: string,
  { dataset, urls, more = [] }: { dataset: string; urls: readonly string[]; more?: string[] },
): Promise<Usage> {
  const config = join(bench.folder, "promptfooconfig.json");
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: { input_prompt: "{{input_prompt}}", messages: [] },
    transformResponse: "json.output.output_text[0]",
  };
  writeFileSync(
    config,
    JSON.stringify({
      prompts: ["{{input_prompt}}"],
      providers: urls.map((url) => ({ id: "https", label: url, config: { url, ...request } })),
      tests: `file://${dataset}`,
      defaultTest: { assert: [{ type: "contains", value: "word" }] },
    }),
  );
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
  return measure([...args, ...more], { cwd: bench.folder, codes: [0, 100] });
}
