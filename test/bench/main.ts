import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { figureTable } from "./figure.ts";
import { measureSections, sections } from "./sections.ts";
import { simulation } from "./simulation/simulation.ts";

/**
 * `npm run bench`: prints the figures of docs/reference/performance.md, those of a section as soon as they are measured
 * and all of them at the end; with --write it writes them there.
 * --quick measures once and leaves the million rows out, --laps N measures N times, --only NAME (once for each) takes a
 * section of sections.ts alone; --jobs N are shared by --workers N; --promptfoo PATH measures beside that main.js. --simulate
 * measures the false alarms and the power of the gates instead, for docs/reference/statistics.md: --only with a part of
 * simulation/simulation.ts; with --quick a twentieth of the repetitions.
 */
const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    laps: { type: "string" },
    jobs: { type: "string", default: "10000" },
    workers: { type: "string", default: "3" },
    only: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
    promptfoo: { type: "string" },
    simulate: { type: "boolean", default: false },
  },
});

const page = join(import.meta.dirname, "../../docs/reference/performance.md");
const folder = mkdtempSync(join(tmpdir(), "tandem-bench-"));
const bench: Bench = {
  folder,
  laps: lapsFrom(values.laps ?? (values.quick ? "1" : "5")),
  jobs: jobsFrom(values.jobs),
  workers: workersFrom(values.workers),
  quick: values.quick,
  promptfoo: values.promptfoo ?? null,
  peakKb: null,
  note: (text) => void process.stderr.write(`${text}\n`),
};
try {
  if (values.simulate)
    await simulation({ only: values.only, write: values.write, quick: values.quick, note: bench.note });
  else await performance();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function performance(): Promise<void> {
  const figures = await measureSections(chosen(values.only), bench);
  const laps = bench.laps === 1 ? "1 lap" : `the median of ${bench.laps} laps`;
  const about = `${availableParallelism()} cores, Node ${process.versions.node}, ${laps}`;
  const table = figureTable(figures);
  process.stdout.write(`${about}\n\n${table}\n`);
  if (values.write) writeMeasured(`Measured on ${new Date().toISOString().slice(0, 10)}: ${about}.\n\n${table}`);
}

function lapsFrom(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Error(`--laps takes a number from 1 to 99; got ${text}`);
}

function jobsFrom(text: string): number {
  if (/^[1-9]\d{2,6}$/.test(text)) return Number(text);
  throw new Error(`--jobs takes a number from 100 to 9999999; got ${text}`);
}

function workersFrom(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Error(`--workers takes a number from 1 to 99; got ${text}`);
}

function chosen(only: readonly string[]): typeof sections {
  const unknown = only.find((name) => sections[name] === undefined);
  if (unknown !== undefined)
    throw new Error(`there is no section ${unknown}; there are ${Object.keys(sections).join(", ")}`);
  return only.length === 0
    ? sections
    : Object.fromEntries(Object.entries(sections).filter(([name]) => only.includes(name)));
}

/** Puts what was measured between the two marks of the page; what is written around them stays. */
function writeMeasured(text: string): void {
  const [begin, end] = ["<!-- measured -->", "<!-- end of measured -->"];
  const [before = "", after = ""] = readFileSync(page, "utf8").split(new RegExp(`${begin}[^]*${end}`));
  writeFileSync(page, `${before}${begin}\n${text}\n${end}${after}`);
}
