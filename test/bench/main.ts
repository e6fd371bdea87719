import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { figureTable, keepMeasured, measuredFigures, withMeasured, worseThanBefore } from "./measured.ts";
import { guarded, measureSections, sections } from "./sections.ts";
import type { Figure } from "./figure.ts";
import { parts as simulations, simulation } from "./simulation/simulation.ts";

/**
 * `npm run bench`: prints the figures of docs/reference/performance.md, those of a section as soon as they are measured
 * and all of them at the end; with --write it writes them there, and into measured.json beside this. With --check it measures the
 * sections that have a ratio of one lap, and ends with 1 where one is worse than it was by more than its tolerance.
 * --quick measures once and leaves the million rows out, --laps N measures N times, --only NAME (once for each) takes a
 * section of sections.ts alone; --jobs N are shared by --workers N; --promptfoo PATH measures beside that main.js. --simulate
 * measures the false alarms and the power of the gates instead, for docs/reference/simulations.md: --only with a part of
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
    check: { type: "boolean", default: false },
    promptfoo: { type: "string" },
    simulate: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  const names = (of: Record<string, unknown>): string => Object.keys(of).join(", ");
  process.stdout
    .write(`npm run bench -- [--quick] [--laps N] [--only SECTION ...] [--write | --check] [--jobs N --workers N] [--promptfoo PATH]
npm run bench -- --simulate [--quick] [--only PART ...]

Sections: ${names(sections)}
Parts of --simulate: ${names(simulations)}
`);
  process.exit(0);
}

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
  if (values.simulate) await simulation({ only: values.only, quick: values.quick, note: bench.note });
  else await performance();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function performance(): Promise<void> {
  const figures = await measureSections(
    chosen(values.only.length === 0 && values.check ? guarded : values.only),
    bench,
  );
  const laps = bench.laps === 1 ? "1 lap" : `the median of ${bench.laps} laps`;
  const about = `${availableParallelism()} cores, Node ${process.versions.node}, ${laps}`;
  const table = figureTable(figures);
  process.stdout.write(`${about}\n\n${table}\n`);
  if (values.check) check(figures);
  const today = new Date().toISOString().slice(0, 10);
  if (values.write) keepMeasured(withMeasured(measuredFigures(), figures, today));
}

/** Tells which ratios are worse than they were, and lets the command end with 1. */
function check(figures: readonly Figure[]): void {
  const compared = figures.filter(({ guard }) => guard !== undefined);
  const worse = worseThanBefore(measuredFigures(), figures);
  if (worse.length > 0) process.exitCode = 1;
  const told =
    worse.length === 0 ? [`${compared.length} ratios are as good as before`] : ["Worse than before:", ...worse];
  process.stdout.write(`\n${told.join("\n  ")}\n`);
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
