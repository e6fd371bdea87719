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
  return { page, complaints };
}
