import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, prompts, runTandem, tandem } from "./bench.ts";
import { withFastServer } from "./fast-server.ts";
import { type Figure, figure, notMeasured } from "./figure.ts";
import { measure, median } from "./measure.ts";

const turns = 1_000;
const manyTurns = 16_000;
/** Turns of each conversation. */
const long = 10;
const concurrency = 64;

/** Rows of an earlier run in the same file. */
const oldRows = [60_000, 300_000];

const ratio = (name: string) => ({ name, reach: 1.5, aim: 1.1, unit: "", digits: 2, tolerance: 0.3 });
const ofMany = ratio(`conversations: CPU of a turn, ${manyTurns} of them in one file / ${turns}`);
const beside = (rows: number) => ratio(`conversations: CPU of a turn beside ${rows} old rows / alone`);

/**
 * Turns of conversations in an empty folder, beside the rows of an earlier run in the same file, and many of them. A turn's
 * CPU is that of the command beyond the one of a single conversation, which is mostly to start.
 */
export async function conversations(bench: Bench): Promise<Figure[]> {
  const sizes = bench.quick ? oldRows.slice(0, 1) : oldRows;
  return withFastServer(async ({ url }) => {
    const files = new Map<number, string>();
    for (const rows of sizes) files.set(rows, await oldFile(bench, rows, url));
    const laps: Record<string, number>[] = [];
    for (let lap = 1; lap <= bench.laps; lap++) {
      bench.note(`conversations, lap ${lap} of ${bench.laps}`);
      const start = await runTalks(bench, { count: long, url, old: null });
      const perTurn = async (count: number, old: string | null): Promise<number> =>
        ((await runTalks(bench, { count, url, old })) - start) / (count - long);
      const alone = await perTurn(turns, null);
      const made: Record<string, number> = { alone, many: (await perTurn(manyTurns, null)) / alone };
      for (const [rows, path] of files) made[rows] = (await perTurn(turns, path)) / alone;
      laps.push(made);
    }
    const over = (name: string | number): number => median(laps.map((lap) => lap[name] ?? Number.NaN));
    return [
      figure(ofMany, over("many"), `${over("alone").toFixed(0)} us with ${turns}`),
      ...oldRows.map((rows) =>
        files.has(rows) ? figure(beside(rows), over(rows)) : notMeasured(beside(rows).name, "1.50", "1.10", "--quick"),
      ),
    ];
  });
}

/** A database with the rows of an earlier run. */
async function oldFile(bench: Bench, rows: number, url: string): Promise<string> {
  bench.note(`conversations: ${rows} old rows`);
  await runTandem(bench, { dataset: await prompts(bench, rows), url, concurrency });
  const path = join(bench.folder, `old-${rows}.db`);
  copyFileSync(join(bench.folder, "results/tandem.db"), path);
  return path;
}

/** Microseconds of CPU that a run of so many turns takes, in a folder of its own or in a copy of an old one. */
async function runTalks(
  bench: Bench,
  { count, url, old }: { count: number; url: string; old: string | null },
): Promise<number> {
  const results = join(bench.folder, "results");
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { mode: 0o700 });
  if (old !== null) copyFileSync(old, join(results, "tandem.db"));
  const rows = Array.from(
    { length: count },
    (_none, row) => `t${row},talk ${Math.floor(row / long)},${(row % long) + 1},And what about number ${row}?`,
  );
  writeFileSync(join(bench.folder, "talks.csv"), `id,talk,turn,question\n${rows.join("\n")}\n`);
  writeFileSync(
    join(bench.folder, "talks.yaml"),
    `dataset: talks.csv
case: { key: id, input: { input_prompt: question }, cluster: talk, turn: turn }
deployments: { a: { base_url: "${url}", api_key_env: TANDEM_API_KEY, concurrency: ${concurrency} } }
targets: { a: { deployment: a, endpoint: video-bots, example_id: x } }
reports: [terminal]
`,
  );
  const { cpuUs } = await measure([tandem, "run", "talks.yaml", "--quiet"], { cwd: bench.folder });
  return cpuUs;
}
