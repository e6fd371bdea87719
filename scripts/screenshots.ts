import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { runMonth } from "../test/datasets/month.ts";

/**
 * Makes the pictures of the guides from the demo and a month of its nights, as they really look: docs/pictures/*.png.
 * Needs a Chromium (CHROMIUM, or Debian's) and fonts for the scripts of the demo.
 */
const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const command = path("dist/main.js");
const pictures = path("docs/pictures");

const wide = { width: 1280, height: 860 };
const short = { width: 1280, height: 480 };

const folder = mkdtempSync(join(tmpdir(), "tandem-pictures-"));
try {
  mkdirSync(pictures, { recursive: true });
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const demo = await ran(["demo"]);
    await ofReport(browser, reportOf(demo));
    await ofJudging(browser, demo);
    await ofTurn(browser, reportOf(await ran(["run", "conversations.yaml"])));
    await ofOneTarget(browser, reportOf(await ran(["run", "suite.yaml", "--target", "prod"])));
    await ofJudge(browser);
    await ofChoice(browser, reportOf(await ran(["run", "choose.yaml"])));
    // Home shows what it is for with a month of nights.
    await ofHome(browser, await runMonth(mkdtempSync(join(folder, "month-")), { nights: 30 }));
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a command in a folder of its own, so that the pictures show what it says without flags; returns the results. */
async function ran(args: readonly string[]): Promise<string> {
  const cwd = mkdtempSync(join(folder, "run-"));
  const given = args.map((arg) => (arg.endsWith(".yaml") ? path(`datasets/help-desk/${arg}`) : arg));
  await typed(cwd, [command, ...given, "--quiet"]);
  return join(cwd, "results");
}

async function typed(cwd: string, line: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, line, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  await new Promise<void>((resolve) => child.once("close", () => resolve()));
}

function batchOf(results: string): string {
  return readdirSync(results).find((name) => name.startsWith("help-desk-")) ?? "";
}

function reportOf(results: string): string {
  return pathToFileURL(join(results, batchOf(results), "report.html")).href;
}

async function ofReport(browser: Browser, url: string): Promise<void> {
  await picture(browser, { name: "report", url, size: wide });
  // Both sides answered, with other words.
  const row = `${url}#show=worse&row=facilities-en-3`;
  await picture(browser, { name: "report-row", url: row, size: wide, prepare: toRow });
}

async function ofTurn(browser: Browser, url: string): Promise<void> {
  const row = `${url}#show=worse&row=en-lost-card-3`;
  await picture(browser, { name: "report-turn", url: row, size: wide, prepare: toRow });
}

async function ofOneTarget(browser: Browser, url: string): Promise<void> {
  await picture(browser, { name: "report-one-target", url, size: wide });
}

/** A judge that prefers the worse bot, alone and with labels of people: the guide "How many labels do I need?". */
async function ofJudge(browser: Browser): Promise<void> {
  const results = await ran(["run", "judged.yaml"]);
  const url = reportOf(results);
  await picture(browser, { name: "judge-alone", url, size: short });
  for (const line of [
    [command, "label", "draw", "latest", "--labels", "60", "-o", "labels.csv"],
    [path("datasets/help-desk/people.mjs"), "labels.csv"],
    [command, "label", "import", "latest", "labels.csv", "--author", "ana"],
    [command, "compare", "latest"],
  ])
    await typed(dirname(results), line);
  await picture(browser, { name: "judge-and-people", url, size: wide });
}

async function ofChoice(browser: Browser, url: string): Promise<void> {
  await picture(browser, { name: "choice", url, size: wide, prepare: toChoice });
}

async function ofJudging(browser: Browser, results: string): Promise<void> {
  await viewing(results, async (address) => {
    const url = `${address}#batch=${batchOf(results)}&row=service-sw-4`;
    await picture(browser, { name: "judging", url, size: wide, prepare: toBlind });
  });
}

async function ofHome(browser: Browser, results: string): Promise<void> {
  await viewing(results, (url) => picture(browser, { name: "viewer", url, size: wide, prepare: toMorning }));
}

/** Looks at results with the viewer for as long as `look` takes. */
async function viewing(results: string, look: (url: string) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [command, "view", "--results", results, "--port", "0", "--json"]);
  try {
    const [line] = await new Promise<Buffer[]>((resolve) => child.stdout.once("data", (...data) => resolve(data)));
    const { url }: { url: string } = JSON.parse(String(line));
    await look(url);
  } finally {
    child.kill("SIGTERM");
  }
}

async function toMorning(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /suites need a look$/ }).waitFor();
}

async function toRow(page: Page): Promise<void> {
  await page.locator(".detail-body").waitFor();
}

async function toBlind(page: Page): Promise<void> {
  await toRow(page);
  await page.getByLabel("Blind").check();
  // Of the row that was open the names were seen.
  await page.keyboard.press("k");
  await page.locator(".side h3", { hasText: /^A/ }).waitFor();
}

async function toChoice(page: Page): Promise<void> {
  await page.locator(".more-findings > summary").click();
  await page.locator(".choice-of-many").evaluate((section) => section.scrollIntoView());
}

interface Picture {
  name: string;
  url: string;
  size: { width: number; height: number };
  prepare?: (page: Page) => Promise<void>;
}

async function picture(browser: Browser, { name, url, size, prepare }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: size, colorScheme: "light", bypassCSP: true });
  await page.goto(url);
  // An open row hides the headline.
  await page.locator("#verdict, h1").first().waitFor({ state: "attached" });
  // Scroll bars are not in a picture: nor is the place that is kept for them.
  await page.addStyleTag({ content: "html { scrollbar-gutter: auto !important; }" });
  await prepare?.(page);
  // Panels that move in have arrived by then.
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.close();
  console.log(`docs/pictures/${name}.png`);
}
