import type { Bench } from "./bench.ts";
import { compare } from "./compare.ts";
import { curve } from "./curve.ts";
import { conversations } from "./conversations.ts";
import { type Figure, figureLines } from "./figure.ts";
import { million } from "./million.ts";
import { besidePromptfoo } from "./promptfoo.ts";
import { reportPage } from "./report-page.ts";
import { finished } from "./finished.ts";
import { startUp } from "./start-up.ts";
import { throughput } from "./throughput.ts";
import { viewer } from "./viewer.ts";
import { services, waiting } from "./waiting.ts";
import { workers, workersAsInstalled } from "./workers.ts";

/** One file measures the figures of one section, and nothing else: what it cannot measure it says with the reason. */
type Section = (bench: Bench) => Figure[] | Promise<Figure[]>;

/** Name for `--only` to what measures it, in the order of the table. */
export const sections: Record<string, Section> = {
  throughput,
  promptfoo: besidePromptfoo,
  waiting,
  services,
  conversations,
  curve,
  million,
  finished,
  compare,
  "start-up": startUp,
  report: reportPage,
  viewer,
  workers,
  "workers-as-installed": workersAsInstalled,
};

/** The sections with ratios of one lap, which are the same on other machines and which `--check` holds to what they were. */
export const guarded = ["throughput", "conversations", "start-up"];

/** Measures sections one after the other, and notes what came out of each at once: a run of many minutes may be broken off. */
export async function measureSections(chosen: Record<string, Section>, bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, section] of Object.entries(chosen)) {
    const found = await section(bench);
    bench.note(`${name}:\n${figureLines(found)}`);
    figures.push(...found);
  }
  return figures;
}
