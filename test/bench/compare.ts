import { createWriteStream, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { tandem, type Bench } from "./bench.ts";
import { type Figure, figure, notMeasured } from "./figure.ts";
import { measure } from "./measure.ts";

const pairs = 1_000_000;

const time = { name: "compare 1,000,000 pairs: one score, statistics, CSV", reach: 20, aim: 10, unit: " s", digits: 1 };
const memory = { name: "its peak memory", reach: 300, aim: 200, unit: " MB", digits: 0 };
const grading = {
  name: "tandem score: 1,000,000 answers, three plain scorers",
  reach: 60,
  aim: 30,
  unit: " s",
  digits: 1,
};

/** A million stored pairs, graded with three scorers, and compared with one. Once, because it takes minutes. */
export async function compare(bench: Bench): Promise<Figure[]> {
  const all = [time, memory, grading];
  if (bench.quick)
    return all.map(({ name, reach, aim, unit }) => notMeasured(name, `${reach}${unit}`, `${aim}${unit}`, "--quick"));
  bench.note("1,000,000 pairs");
  const out = join(bench.folder, "pairs");
  await storedPairs(bench);
  try {
    const run = async (...args: string[]) =>
      measure([tandem, ...args, "--results", out], { cwd: bench.folder, codes: [0, 1, 4] });
    await run("run", "pairs.yaml", "--quiet");
    const graded = await run("score", "--suite", "graded.yaml", "--json");
    await run("score", "--suite", "pairs.yaml", "--json");
    const compared = await run("compare", "--json", "-o", "comparison.csv");
    // The grading is of both sides, two million answers.
    return [
      figure(time, compared.wallMs / 1000, `${(compared.cpuUs / 1e6).toFixed(1)} s of CPU`),
      figure(memory, compared.peakKb / 1024),
      figure(grading, graded.wallMs / 2000, `${(graded.peakKb / 1024).toFixed(0)} MB at the peak`),
    ];
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** A dataset that brings both answers, so that nothing has to be sent. */
async function storedPairs(bench: Bench): Promise<void> {
  const suite = (scorers: string): string => `name: pairs
dataset: pairs.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets:
  before: { answers: before, endpoint: video-bots }
  after: { answers: after, endpoint: video-bots }
scorers: [${scorers}]
compare: { baseline: before, candidates: [after] }
reports: [terminal]
`;
  const correct = "{ name: correct, type: contains, primary: true }";
  writeFileSync(join(bench.folder, "pairs.yaml"), suite(correct));
  writeFileSync(
    join(bench.folder, "graded.yaml"),
    suite(`${correct}, { name: same, type: equals }, { name: long, type: length, max: 400 }`),
  );
  const file = createWriteStream(join(bench.folder, "pairs.csv"));
  file.write("id,question,golden,before,after\n");
  for (let row = 0; row < pairs; row++) {
    const before = `The ticket with number ${row} costs ${row % 90} crowns on a Sunday, and half of it for children.`;
    const after = row % 10 === 0 ? `I cannot say what number ${row} costs.` : before;
    const line = `k${row},What is the price of ticket number ${row}?,${row % 90} crowns,"${before}","${after}"\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}
