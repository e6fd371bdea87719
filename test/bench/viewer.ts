import { createWriteStream, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import type { Opened, RowPage } from "../../src/viewer/api.ts";
import { startViewer } from "../../src/viewer/server/server.ts";
import { tandem, type Bench } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";
import { measure, median } from "./measure.ts";
import { wordyText } from "./wordy-text.ts";

const rows = 200_000;

/** Lists and searches of the viewer over 200,000 rows of two targets, as a browser waits for them. */
export async function viewer(bench: Bench): Promise<Figure[]> {
  bench.note("the viewer");
  const folder = join(bench.folder, "viewer");
  await storedAnswers(bench);
  await measure([tandem, "run", "stored.yaml", "--out", folder, "--quiet"], { cwd: bench.folder, codes: [0, 1, 4] });
  const running = await startViewer({ database: join(folder, "tandem.db"), port: 0 });
  try {
    const ask = await enter(running.url);
    const start = performance.now();
    const id = await ready(ask);
    const opening = (performance.now() - start) / 1000;
    const times: Record<"lists" | "searches", number[]> = { lists: [], searches: [] };
    const queries = {
      lists: [
        "sort=rank",
        "sort=place&offset=150000",
        "show=worse&sort=distance",
        "tag=topic&tag=t7",
        "sort=slow&offset=90000",
      ],
      searches: ["q=zzz-nowhere", "q=row%201777", "q=%E0%A4%AC%E0%A4%B8", "q=ka&show=different", "q=%D9%83%D8%AA%20so"],
    };
    for (const kind of ["lists", "searches"] as const) {
      for (const query of queries[kind]) {
        const before = performance.now();
        await ask<RowPage>(`/api/rows?id=${id}&limit=100&${query}`);
        times[kind].push(performance.now() - before);
      }
    }
    const worst = (kind: "lists" | "searches"): number => Math.max(...times[kind]);
    const note = (kind: "lists" | "searches"): string => `median ${median(times[kind]).toFixed(0)} ms`;
    const reach = { reach: 300, aim: 100, unit: " ms", digits: 0 };
    return [
      figure({ name: "viewer: the slowest list of 200,000 rows x 2", ...reach }, worst("lists"), note("lists")),
      figure({ name: "viewer: the slowest search in them", ...reach }, worst("searches"), note("searches")),
      figure({ name: "viewer: opening them for the first time", reach: 60, aim: 20, unit: " s", digits: 1 }, opening),
    ];
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Ask = <Answer>(path: string) => Promise<Answer>;

async function enter(url: string): Promise<Ask> {
  const first = await fetch(url, { redirect: "manual" });
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async <Answer>(path: string) =>
    (await (await fetch(`${new URL(url).origin}${path}`, { headers: { cookie } })).json()) as Answer;
}

async function ready(ask: Ask): Promise<string> {
  for (;;) {
    const opened = await ask<Opened>("/api/open?batch=latest");
    if (opened.ready) return opened.id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A dataset that brings both answers, so that nothing has to be sent. */
async function storedAnswers(bench: Bench): Promise<void> {
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
`,
  );
  const text = wordyText("viewer");
  const file = createWriteStream(join(bench.folder, "stored.csv"));
  file.write("id,question,golden,topic,before,after\n");
  for (let row = 0; row < rows; row++) {
    const said = text(70);
    const other = row % 3 === 0 ? said : `${said.slice(0, 200)} ${text(40)}`;
    if (!file.write(`row ${row},${text(8)},${said.slice(150, 190)},t${row % 40},${said},${other}\n`))
      await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}
