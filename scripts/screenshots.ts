import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
const narrow = { width: 390, height: 780 };

const folder = mkdtempSync(join(tmpdir(), "tandem-pictures-"));
try {
  mkdirSync(pictures, { recursive: true });
  // In its own folder, so that the pictures show the commands as they are without flags.
  await ended(spawn(process.execPath, [command, "demo", "--quiet"], { cwd: folder, stdio: "inherit" }));
  const results = join(folder, "results");
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const batch = readdirSync(results).find((name) => name.startsWith("help-desk-")) ?? "";
    await ofReport(browser, pathToFileURL(join(results, batch, "report.html")).href);
    // Home shows what it is for with a month of nights.
    await ofViewer(browser, await runMonth(mkdtempSync(join(folder, "month-")), { nights: 30 }));
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function ofReport(browser: Browser, url: string): Promise<void> {
  await picture(browser, { name: "report", url, size: wide });
  await picture(browser, { name: "report-dark", url, size: wide, dark: true });
  await picture(browser, { name: "report-narrow", url, size: narrow });
  await picture(browser, { name: "report-narrow-dark", url, size: narrow, dark: true });
  await picture(browser, { name: "report-row", url, size: wide, prepare: openRow });
  await picture(browser, { name: "report-charts", url: `${url}#view=charts`, size: wide, prepare: toCharts });
}

async function ofViewer(browser: Browser, out: string): Promise<void> {
  const child = spawn(process.execPath, [command, "view", "--results", out, "--port", "0", "--json"]);
  try {
    const [line] = await new Promise<Buffer[]>((resolve) => child.stdout.once("data", (...data) => resolve(data)));
    const { url }: { url: string } = JSON.parse(String(line));
    await picture(browser, { name: "viewer", url, size: wide, prepare: toMorning });
  } finally {
    child.kill("SIGTERM");
  }
}

async function toMorning(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /suites need a look$/ }).waitFor();
}

async function openRow(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Worse/ }).click();
  await page.locator("[data-row='1']").click();
  await page.locator(".detail-body").waitFor();
}

async function toCharts(page: Page): Promise<void> {
  await page.locator(".tabs").evaluate((tabs) => tabs.scrollIntoView());
}

interface Picture {
  name: string;
  url: string;
  size: { width: number; height: number };
  dark?: boolean;
  prepare?: (page: Page) => Promise<void>;
}

async function picture(browser: Browser, { name, url, size, dark = false, prepare }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: size, colorScheme: dark ? "dark" : "light" });
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await prepare?.(page);
  // Panels that move in have arrived by then.
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.close();
  console.log(`docs/pictures/${name}.png`);
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve) => child.once("close", () => resolve()));
}
