import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const places = [
  process.env["CHROMIUM"],
  // It draws the same pages for half the CPU: it brings nothing of a desktop's browser around them.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** A Chromium of this machine; without one the tests of the page are skipped, and say so. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place));

export const withoutBrowser =
  chromiumPath === undefined
    ? "(skipped: there is no Chromium here; set CHROMIUM, or install Debian's chromium-headless-shell)"
    : "";

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(withoutBrowser);
  // Tests run as root in containers, where Chromium has no sandbox of its own.
  return chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
}

export interface Watched {
  page: Page;
  /** Complaints of the page: errors, refusals of the policy, dialogs, and addresses it asked for beside its own. */
  complaints: string[];
}

/** A page that notes everything that should never happen. */
export async function openPage(
  browser: Browser,
  size: { width: number; height: number } = { width: 1280, height: 800 },
): Promise<Watched> {
  const page = await browser.newPage({ viewport: size });
  // A page that stays open goes on drawing and asking its server while the next ones are tested.
  onTestFinished(() => page.close());
  return { page, complaints: complaintsOf(page) };
}

/** Pages that a test is through with, by browser. */
const left = new WeakMap<Browser, Page[]>();

/**
 * A page for a file: one that a test before left empty, where there is one, because the first file of a page takes three
 * times the work of the next.
 */
export async function openPageAgain(
  browser: Browser,
  size: { width: number; height: number } = { width: 1280, height: 800 },
): Promise<Watched> {
  const page = left.get(browser)?.pop() ?? (await browser.newPage());
  await page.setViewportSize(size);
  // What a test that failed leaves behind is not for the next one.
  onTestFinished(({ task }) => (task.result?.state === "pass" ? leave(browser, page) : page.close()));
  return { page, complaints: complaintsOf(page) };
}

/** Empties a page of all that a test did with it: what it stored, chose, intercepts and listens to. */
async function leave(browser: Browser, page: Page): Promise<void> {
  page.removeAllListeners();
  await page.unrouteAll();
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.evaluate("localStorage.clear(), sessionStorage.clear()");
  await page.goto("about:blank");
  left.set(browser, [...(left.get(browser) ?? []), page]);
}

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(?:file:|data:|http:\/\/127\.0\.0\.1:)/.test(url)) complaints.push(`asked for ${url}`);
  });
  return complaints;
}
