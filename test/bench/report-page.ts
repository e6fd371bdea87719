import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { builtHtmlReport } from "../../src/report/formats/html.ts";
import type { ReportRow } from "../../src/report/shape/model.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { chromiumPath, openBrowser } from "../viewer/browser.ts";
import type { Bench } from "./bench.ts";
import { type Figure, figure, notMeasured } from "./figure.ts";
import { median } from "./measure.ts";
import { wordyText } from "./wordy-text.ts";

const rows = 10_000;

/** The report of 10,000 rows of two targets, each answer about 1,100 characters long, in a browser. */
export async function reportPage(bench: Bench): Promise<Figure[]> {
  bench.note("the page of a report");
  const path = join(bench.folder, "report.html");
  const report = builtHtmlReport();
  const pieces = [report.start];
  for (const row of wordyRows(rows)) pieces.push(await report.add(row));
  pieces.push(report.end(syntheticSummary(rows)));
  writeFileSync(path, pieces.join(""));
  const size = figure(
    { name: "`report.html` of 10,000 rows x 2", reach: 15, aim: 10, unit: " MB", digits: 1 },
    statSync(path).size / 1e6,
  );
  const times = {
    paint: { name: "its first paint", reach: 1000, aim: 500, unit: " ms", digits: 0 },
    search: { name: "a search over all its rows, from key to list", reach: 100, aim: 50, unit: " ms", digits: 0 },
    frame: {
      name: "95 % of the frames while scrolling 100,000 pixels are shorter than",
      reach: 50,
      aim: 34,
      unit: " ms",
      digits: 0,
    },
  };
  if (chromiumPath === undefined) {
    const missing = Object.values(times).map(({ name, reach, aim, unit }) =>
      notMeasured(name, `${reach}${unit}`, `${aim}${unit}`, "there is no Chromium here"),
    );
    return [size, ...missing];
  }
  const laps = [];
  for (let lap = 0; lap < bench.laps; lap++) laps.push(await inBrowser(pathToFileURL(path).href));
  return [
    size,
    figure(times.paint, median(laps.map(({ paint }) => paint))),
    figure(times.search, median(laps.map(({ search }) => search))),
    figure(times.frame, median(laps.map(({ frame }) => frame))),
  ];
}

async function inBrowser(url: string): Promise<{ paint: number; search: number; frame: number }> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(url);
    await page.getByText(`${rows.toLocaleString("en")} rows`, { exact: true }).waitFor();
    const paint: number = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    const searches: number[] = [];
    for (const text of ["बस", "كتاب", "zq", "renew the", "👍🏽"]) searches.push(await searchTime(page, text));
    await page.getByRole("combobox", { name: "Search in" }).fill("");
    await page.waitForTimeout(500);
    return { paint, search: median(searches), frame: await longFrames(page) };
  } finally {
    await browser.close();
  }
}

/** Time from the input to the frame in which the list has changed. */
function searchTime(page: Page, text: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const box = document.getElementById("search");
    const status = document.querySelector("[role=status]");
    const before = performance.now();
    new MutationObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - before)));
    }).observe(status, { childList: true, characterData: true, subtree: true });
    box.value = ${JSON.stringify(text)};
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  })`);
}

/** The 95th percentile of the time between two frames. */
function longFrames(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const frames = [];
    let [last, at] = [performance.now(), 0];
    const step = (now) => {
      frames.push(now - last);
      last = now;
      scrollTo(0, 800 + (at += 1) * 500);
      if (at < 200) requestAnimationFrame(step);
      else resolve(frames.sort((a, b) => a - b)[190]);
    };
    requestAnimationFrame(step);
  })`);
}

/** Rows whose answers are long and compress like texts do. */
function* wordyRows(count: number): Generator<ReportRow> {
  const text = wordyText("words");
  for (const row of syntheticRows(count)) {
    const sides = row.sides.map((side) => ({
      ...side,
      runs: side.runs.map((run) =>
        run.answer === null ? run : { ...run, answer: `${text(190)} ${run.answer.slice(0, 80)}` },
      ),
    }));
    yield { ...row, sides };
  }
}
