import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { chromium, type Locator, type Page } from "playwright-core";
import { concludeBatch, type Conclusion } from "../src/app/report/conclude.ts";
import type { Connection } from "../src/store/connection.ts";
import { databasePath, openDatabase } from "../src/store/database.ts";
import { listBatches } from "../src/store/batches.ts";
import { reportFormats } from "../src/report/formats/formats.ts";
import { githubAnnotations } from "../src/report/formats/github.ts";
import { terminalText } from "../src/report/terminal/terminal.ts";
import { makeBatches } from "./outputs/batches.ts";

/**
 * Keeps what every format says of stored batches as files, so that a change of the code that writes them can be held
 * against what they said before:
 *
 *     npm run outputs -- make BATCHES           # once: batches of every kind, to be written again and again
 *     npm run outputs -- write BATCHES FOLDER   # what this checkout says of them (after `npm run build`, for the page)
 *     npm run outputs -- compare BEFORE AFTER   # the files that differ, and their first lines that do; exit code 1
 *
 * `write --no-page` leaves the browser out.
 */
const [action = "", first = "", second = "", ...flags] = process.argv.slice(2);
if (action === "make" && first !== "") await makeBatches(resolve(first));
else if (action === "write" && second !== "") await writeOutputs(resolve(first), resolve(second));
else if (action === "compare" && second !== "") process.exitCode = compare(resolve(first), resolve(second));
else {
  console.error("npm run outputs -- make BATCHES | write BATCHES FOLDER [--no-page] | compare BEFORE AFTER");
  process.exitCode = 2;
}

/** Columns of the terminals, and pixels of the windows, that each batch is shown in. */
function widths(): { terminal: readonly number[]; page: readonly number[] } {
  return {
    terminal: [40, 50, 60, 70, 80, 100, 120, 140, 200],
    page: [320, 390, 480, 600, 768, 1024, 1280, 1600, 2200],
  };
}

async function writeOutputs(batches: string, folder: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  const browser = flags.includes("--no-page")
    ? null
    : await chromium.launch({
        executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell",
        args: ["--no-sandbox"],
      });
  const home = process.cwd();
  try {
    for (const name of readdirSync(batches).toSorted()) {
      const work = mkdtempSync(join(tmpdir(), "tandem-outputs-"));
      mkdirSync(join(work, "results"));
      const stored = join(batches, name, "results");
      for (const file of readdirSync(stored).filter((each) => each.startsWith("tandem.db")))
        cpSync(join(stored, file), join(work, "results", file));
      // Paths in reports do not depend on where they are made.
      process.chdir(work);
      const db = openDatabase(databasePath("results"));
      for (const batch of listBatches(db).toReversed()) {
        const out = join(folder, name, batch.name);
        mkdirSync(out, { recursive: true });
        await writeFiles(db, batch.name, out);
        if (browser !== null) await writePage(await browser.newPage(), out);
      }
      db.close();
      process.chdir(home);
      rmSync(work, { recursive: true, force: true });
      console.log(name);
    }
  } finally {
    await browser?.close();
  }
}

/** Every format that is a file, and all that the terminal says. */
async function writeFiles(db: Connection, batch: string, out: string): Promise<void> {
  const reports = reportFormats.map(({ name, file }) => ({ format: name, path: join("all", file) }));
  const conclusion = await concludeBatch(db, batch, {
    end: { stopped: [], stops: [] },
    out: "results",
    failOn: [],
    reports,
  });
  for (const { file } of reportFormats) cpSync(join("all", file), join(out, file));
  for (const [name, text] of texts(conclusion)) writeFileSync(join(out, name), text);
}

function texts(conclusion: Conclusion): [string, string][] {
  const { model, summary, exitCode } = conclusion;
  const screens = widths().terminal.flatMap((width) =>
    [false, true].flatMap((color) =>
      [false, true].map((details): [string, string] => [
        `terminal-${width}${color ? "-colour" : ""}${details ? "-details" : ""}.txt`,
        terminalText(conclusion, { width, lines: details ? 60 : 40, color, details }),
      ]),
    ),
  );
  const notice = { exitCode, verdict: model.verdict, alarms: model.alarms, news: conclusion.news };
  return [
    ...screens,
    ["github-annotations.txt", githubAnnotations(model).join("\n")],
    ["notice.json", JSON.stringify(notice, null, 2)],
    ["run.json", JSON.stringify({ version: 1, ...summary }, null, 2)],
  ];
}

/** The page as data and as a browser shows it: its text in windows of nine widths, and its elements, all unfolded. */
async function writePage(page: Page, out: string): Promise<void> {
  const file = join(out, "report.html");
  const packed = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => /^H4sI[\w+/=]+$/.test(line));
  const data: unknown = JSON.parse(gunzipSync(Buffer.from(packed.at(-1) ?? "", "base64")).toString());
  writeFileSync(join(out, "page.json"), JSON.stringify(data, null, 1));
  const shown = { result: "#view=rows", charts: "#view=charts", about: "#view=about" };
  for (const [name, address] of Object.entries(shown)) {
    // The rows below are drawn as far as they are in sight.
    const part = page.locator(name === "result" ? ".result" : "#panel");
    await page.setViewportSize({ width: 1280, height: 2000 });
    await page.goto("about:blank");
    await page.goto(`${pathToFileURL(file).href}${address}`);
    await settled(part);
    for (const width of name === "result" ? widths().page : [390, 1280]) {
      await page.setViewportSize({ width, height: 2000 });
      writeFileSync(join(out, `page-${name}-${width}.txt`), await settled(part));
    }
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    writeFileSync(join(out, `page-${name}-unfolded.txt`), await settled(part));
    const elements = await part.evaluate((element) => element.outerHTML);
    writeFileSync(join(out, `page-${name}-elements.html`), elements.replaceAll("><", ">\n<"));
  }
  await page.close();
  // Its code changes with every build; what it shows stands beside it.
  rmSync(file);
}

/** The text of a part of the page, once it does not change any more: the rows of a report are unpacked after its summary. */
async function settled(part: Locator): Promise<string> {
  await part.waitFor();
  let text = "";
  for (let same = 0; same < 4;) {
    const now = await part.innerText();
    same = now === text ? same + 1 : 0;
    text = now;
    await part.page().waitForTimeout(40);
  }
  return text;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
  );
}

/** Prints what differs. Returns the exit code. */
function compare(before: string, after: string): number {
  const all = [...new Set([...filesOf(before), ...filesOf(after)])].toSorted();
  const differing = all.filter((file) => {
    const [one, other] = [join(before, file), join(after, file)];
    if (!existsSync(one) || !existsSync(other)) console.log(`\n${file}: only in ${existsSync(one) ? before : after}`);
    else if (readFileSync(one).equals(readFileSync(other))) return false;
    else console.log(`\n${file}\n${firstDifference(readFileSync(one, "utf8"), readFileSync(other, "utf8"))}`);
    return true;
  });
  const folders = new Set(all.map((file) => dirname(file)));
  console.log(`\n${differing.length} of ${all.length} files of ${folders.size} batches differ`);
  return differing.length === 0 ? 0 : 1;
}

function firstDifference(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const at = old.findIndex((line, place) => line !== now[place]);
  const place = at === -1 ? old.length : at;
  const [one, other] = [old, now].map((lines) => (lines[place] ?? "(no more lines)").slice(0, 300));
  return `${place + 1} - ${one}\n${place + 1} + ${other}`;
}
