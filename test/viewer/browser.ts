import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { inject, onTestFinished } from "vitest";

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

/** How a Chromium is started: tests run as root in containers, where it has no sandbox of its own. */
export const launchOptions = (executablePath: string): { executablePath: string; args: string[] } => ({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu"],
});

/** The browser of the run (`one-browser.ts`), or a new one where a file runs in a project without it. */
export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(withoutBrowser);
  const address = inject("browser");
  return address === undefined ? chromium.launch(launchOptions(chromiumPath)) : chromium.connect(address);
}

export interface Watched {
  page: Page;
  /** Complaints of the page: errors, refusals of the policy, dialogs, and addresses it asked for beside its own. */
  complaints: string[];
}

/** What moves is drawn sixty times a second, by the processor: the test that looks at it asks for it. */
const reducedMotion = "reduce";

/** A page that notes everything that should never happen. */
export async function openPage(
  browser: Browser,
  size: { width: number; height: number } = { width: 1280, height: 800 },
): Promise<Watched> {
  const page = await browser.newPage({ viewport: size, reducedMotion });
  // A page that stays open goes on drawing and asking its server while the next ones are tested.
  onTestFinished(() => page.close());
  return { page, complaints: complaintsOf(page) };
}

/** A page that others open again. */
export interface LentPage extends Watched {
  /** Gives it back before the end of the test. */
  leave: () => Promise<void>;
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
): Promise<LentPage> {
  const page = left.get(browser)?.pop() ?? (await browser.newPage({ reducedMotion }));
  await page.setViewportSize(size);
  let isLeft = false;
  const leave = async (): Promise<void> => {
    isLeft = true;
    await empty(page);
    left.set(browser, [...(left.get(browser) ?? []), page]);
  };
  onTestFinished(async ({ task }) => {
    if (isLeft) return;
    // What a test that failed leaves behind is not for the next one.
    await (task.result?.state === "pass" ? leave() : page.close());
  });
  return { page, complaints: complaintsOf(page), leave };
}

/** Empties a page of all that a test did with it: what it stored, chose, intercepts and listens to. */
async function empty(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.unrouteAll();
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion });
  await page.evaluate("localStorage.clear(), sessionStorage.clear()");
  await page.goto("about:blank");
}

export function complaintsOf(page: Page): string[] {
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
