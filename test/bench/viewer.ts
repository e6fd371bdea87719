import { spawn } from "node:child_process";
import { createWriteStream, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import type { Opened, RowPage } from "../../src/viewer/api.ts";
import { tandem, type Bench } from "./bench.ts";
import { type Figure, figure, notMeasured } from "./figure.ts";
import { measure, median } from "./measure.ts";
import { wordyText } from "./wordy-text.ts";

/** A batch that is looked at: so many rows of two targets, with answers of so many words. */
interface Size {
  rows: number;
  words: number;
  /** Its name in the table. */
  about: string;
}

const usual: Size = { rows: 200_000, words: 70, about: "200,000 rows x 2" };
/** Once, because it takes minutes; with short answers. */
const large: Size = { rows: 1_000_000, words: 12, about: "1,000,000 rows x 2" };

/** Measures the times that a person waits in the viewer, in a browser, and the memory of its process. */
export async function viewer(bench: Bench): Promise<Figure[]> {
  const figures = await looked(bench, usual);
  if (!bench.quick) return [...figures, ...(await looked(bench, large))];
  return [...figures, ...[peakOf(large), listsOf(large)].map(({ name }) => notMeasured(name, "–", "–", "--quick"))];
}

const peakOf = ({ about }: Size) => ({ name: `viewer: peak memory at ${about}`, unit: " MB", digits: 0 });
const listsOf = ({ about }: Size) => ({ name: `viewer: the slowest list of ${about}`, unit: " ms", digits: 0 });

const queries = {
  lists: (rows: number) => [
    "sort=rank",
    `sort=place&offset=${Math.floor(rows * 0.75)}`,
    "show=worse&sort=distance",
    "tag=topic&tag=t7",
    `sort=slow&offset=${Math.floor(rows * 0.45)}`,
  ],
  searches: () => [
    "q=zzz-nowhere",
    "q=row%201777",
    "q=%E0%A4%AC%E0%A4%B8",
    "q=ka&show=different",
    "q=%D9%83%D8%AA%20so",
  ],
};

async function looked(bench: Bench, size: Size): Promise<Figure[]> {
  bench.note(`the viewer: ${size.about}`);
  const folder = join(bench.folder, "viewer");
  await storedAnswers(bench, size);
  await measure([tandem, "run", "stored.yaml", "--results", folder, "--quiet"], {
    cwd: bench.folder,
    codes: [0, 1, 4],
  });
  try {
    const first = await startView(bench, folder);
    const { id, seconds: opening } = await ready(first.ask);
    const opened = performance.now();
    const lists = await timesOf(first.ask, id, queries.lists(size.rows));
    // The first search waits for the words, which are written after the page has opened.
    await timesOf(first.ask, id, ["q=zzz-first"]);
    const searchable = opening + (performance.now() - opened) / 1000;
    const searches = await timesOf(first.ask, id, queries.searches());
    const peakMb = await first.stop();
    const second = await startView(bench, folder);
    const { seconds: again } = await ready(second.ask);
    await second.stop();
    return figuresOf(size, { opening, searchable, again, peakMb, lists, searches });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds until each list was answered. */
async function timesOf(ask: Ask, id: string, wanted: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const query of wanted) {
    const before = performance.now();
    await ask<RowPage>(`/api/rows?id=${id}&limit=100&${query}`);
    times.push(performance.now() - before);
  }
  return times;
}

interface Measured {
  opening: number;
  /** Seconds until a first search was answered. */
  searchable: number;
  again: number;
  peakMb: number;
  lists: number[];
  searches: number[];
}

function figuresOf(size: Size, { opening, searchable, again, peakMb, lists, searches }: Measured): Figure[] {
  const { about } = size;
  const note = (times: number[]): string => `median ${median(times).toFixed(0)} ms`;
  // Limits of lists and searches are promised at 200,000 rows.
  const [list, search] = size === usual ? [300, 300] : [600, 1500];
  const scale = size.rows / usual.rows;
  const quick = { reach: 2, aim: 1, unit: " s", digits: 1 };
  return [
    figure({ ...listsOf(size), reach: list, aim: list / 3 }, Math.max(...lists), note(lists)),
    figure(
      { name: `viewer: the slowest search in ${about}`, reach: search, aim: search / 3, unit: " ms", digits: 0 },
      Math.max(...searches),
      note(searches),
    ),
    figure(
      {
        name: `viewer: opening ${about} for the first time`,
        reach: 12 * scale,
        aim: 6 * scale,
        unit: " s",
        digits: 1,
      },
      opening,
    ),
    figure(
      {
        name: `viewer: the first search of ${about} is answered`,
        reach: 24 * scale,
        aim: 12 * scale,
        unit: " s",
        digits: 1,
      },
      searchable,
      "after the first opening began",
    ),
    figure({ name: `viewer: opening ${about} again, after a restart`, ...quick }, again),
    figure({ ...peakOf(size), reach: 400, aim: 250 }, peakMb, "comparing, lists and searches"),
  ];
}

type Ask = <Answer>(path: string) => Promise<Answer>;

/** The command itself in a process of its own; `stop` tells its peak memory in MB. */
async function startView(bench: Bench, folder: string): Promise<{ ask: Ask; stop: () => Promise<number> }> {
  const usage = join(bench.folder, "viewer-usage.json");
  const args = ["--import", new URL("usage.mjs", import.meta.url).href, tandem, "view", "--results", folder];
  const child = spawn(process.execPath, [...args, "--port", "0", "--json"], {
    env: { ...process.env, BENCH_USAGE: usage },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString()));
    child.once("exit", (code) => reject(new Error(`tandem view ended with ${code}`)));
  });
  const { url } = JSON.parse(said) as { url: string };
  const first = await fetch(url, { redirect: "manual" });
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    ask: async <Answer>(path: string) =>
      (await (await fetch(`${new URL(url).origin}${path}`, { headers: { cookie } })).json()) as Answer,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      const { peakKb } = JSON.parse(readFileSync(usage, "utf8")) as { peakKb: number };
      return peakKb / 1024;
    },
  };
}

async function ready(ask: Ask): Promise<{ id: string; seconds: number }> {
  const start = performance.now();
  for (;;) {
    const opened = await ask<Opened>("/api/open?batch=latest");
    if (opened.ready) return { id: opened.id, seconds: (performance.now() - start) / 1000 };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A dataset that brings both answers, so that nothing has to be sent. */
async function storedAnswers(bench: Bench, { rows, words }: Size): Promise<void> {
  writeFileSync(
    join(bench.folder, "stored.yaml"),
    `name: stored
dataset: stored.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [topic] }
targets:
  before: { answers: before, endpoint: video-bots }
  after: { answers: after, endpoint: video-bots }
scorers: [{ name: correct, type: contains, primary: true }]
compare: { baseline: before, candidates: [after] }
reports: [terminal]
`,
  );
  const text = wordyText("viewer");
  const file = createWriteStream(join(bench.folder, "stored.csv"));
  file.write("id,question,golden,topic,before,after\n");
  for (let row = 0; row < rows; row++) {
    const said = text(words);
    const golden = said.slice(Math.floor(said.length * 0.3)).slice(0, 40);
    const other = row % 3 === 0 ? said : `${said.slice(0, said.length / 2)} ${text(Math.ceil(words / 2))}`;
    const line = `row ${row},${text(8)},${golden},t${row % 40},${said},${other}\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}
