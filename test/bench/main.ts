import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { startFastServer } from "./fast-server.ts";
import { type Figure, figureTable, notMeasured } from "./figure.ts";
import { million } from "./million.ts";
import { besidePromptfoo } from "./promptfoo.ts";
import { reportPage } from "./report-page.ts";
import { startUp } from "./start-up.ts";
import { throughput } from "./throughput.ts";
import { waiting } from "./waiting.ts";

/**
 * `npm run bench`: prints the figures of docs/reference/performance.md; with --write it writes them there.
 * --quick measures once and leaves the million rows out; --promptfoo PATH measures beside that main.js.
 */
const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    promptfoo: { type: "string" },
  },
});

const page = join(import.meta.dirname, "../../docs/reference/performance.md");
const folder = mkdtempSync(join(tmpdir(), "tandem-bench-"));
const bench: Bench = {
  folder,
  laps: values.quick ? 1 : 5,
  note: (text) => void process.stderr.write(`${text}\n`),
};
try {
  const figures = await measureAll(bench);
  const about = `${availableParallelism()} cores, Node ${process.versions.node}, ${bench.laps === 1 ? "1 lap" : `the median of ${bench.laps} laps`}`;
  const table = figureTable(figures);
  process.stdout.write(`${about}\n\n${table}\n`);
  if (values.write) writeFileSync(page, pageText(about, table));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(given: Bench): Promise<Figure[]> {
  const server = await startFastServer();
  try {
    const { figures, peakKb } = await throughput(given, server);
    figures.push(
      values.promptfoo === undefined
        ? notMeasured("requests per second of CPU / promptfoo's", "50 x", "150 x", "no --promptfoo PATH was given")
        : await besidePromptfoo(given, server, values.promptfoo),
    );
    figures.push(...(await waiting(given)));
    figures.push(...(values.quick ? withoutMillion(peakKb) : await million(given, server, peakKb)));
    const later = "it comes with the statistics";
    figures.push(notMeasured("compare 1,000,000 pairs: one score, statistics, CSV", "20 s, 300 MB", "10 s", later));
    figures.push(notMeasured("interval of 10,000 resamples at 1,000,000 pairs", "2 s", "0.5 s", later));
    figures.push(startUp(given));
    figures.push(...(await reportPage(given)));
    return figures;
  } finally {
    await server.stop();
  }
}

function withoutMillion(peakKb: number): Figure[] {
  const why = `--quick; ${(peakKb / 1024).toFixed(0)} MB at 100,000 rows`;
  return [
    notMeasured("peak memory at 1,000,000 rows", "220 MB", "160 MB", why),
    notMeasured("its growth from 100,000 rows", "15 %", "5 %", "--quick"),
    notMeasured("resume of 1,000,000 jobs, half done: until the first request", "5 s", "1 s", "--quick"),
  ];
}

function pageText(about: string, table: string): string {
  return `# Speed and size

What \`npm run bench -- --write\` measured on ${new Date().toISOString().slice(0, 10)}: ${about}.
Absolute times depend on the machine and on what else it does. The ratios are taken between two processes that ran one after
the other: \`tandem run\`, and a bare loop of undici's \`Pool.request\` that keeps the same number of requests in flight and stores nothing.

${table}

- \`tandem run\` is the whole of it: the CSV is read and checked, the plan stored, every attempt entered in the journal before it is
  sent and every answer committed to disk (\`synchronous=FULL\`) before it counts, and the reports are written.
- The server of the first figures is nginx, which answers at once with a record of about 1 KB. Those of 50 ms and 2 s are a Node
  process; their share is counted from the first request to the last answer, with the second in which connections are opened.
- The figures at 1,000,000 rows are measured once. That batch is stopped half-way, killed at the first request after a resume, and
  resumed to its end; the memory is the highest of its parts, the writing of the reports included.
- The delay of the event loop is measured over the whole process.
`;
}
