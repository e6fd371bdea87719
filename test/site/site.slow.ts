import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seriousFaults } from "../viewer/accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "../viewer/browser.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const base = "/some/where/";
const types: Record<string, string> = { html: "text/html", css: "text/css", js: "text/javascript", png: "image/png" };

/** Serves a folder below `base` as a plain host of files does, with the page for what is not there. */
function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "");
    const wanted = join(folder, path.slice(base.length) || "index.html");
    const isThere = path.startsWith(base) && existsSync(wanted);
    const file = isThere ? wanted : join(folder, "404.html");
    response.writeHead(isThere ? 200 : 404, { "content-type": types[file.split(".").at(-1) ?? ""] ?? "text/plain" });
    response.end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe.skipIf(chromiumPath === undefined)(`the documentation site in a browser${withoutBrowser}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-site-"));
  let browser: Browser;
  let server: Server;
  let address = "";
  const places = (): string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));

  beforeAll(async () => {
    execFileSync(process.execPath, ["--import", "tsx", "scripts/docs.ts", "--out", folder, "--base", base], {
      cwd: root,
    });
    browser = await openBrowser();
    server = await serve(folder);
    const { port } = server.address() as AddressInfo;
    address = `http://127.0.0.1:${port}${base}`;
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("every page opens below a path without a complaint or a request to another host, and fits 390 pixels", async () => {
    const { page, complaints } = await openPage(browser, { width: 390, height: 780 });
    const wide: string[] = [];
    for (const place of places()) {
      await page.goto(address + place);
      const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      if (over > 0) wide.push(`${place}: ${over}`);
    }
    expect(places().length).toBeGreaterThan(40);
    expect({ wide, complaints }).toEqual({ wide: [], complaints: [] });
  });

  test("every page can be read by people with other senses; some are looked at in the dark on a telephone", async () => {
    const faults: string[] = [];
    const { page } = await openPage(browser);
    const lookAt = async (some: readonly string[]): Promise<void> => {
      for (const place of some) {
        await page.goto(address + place);
        faults.push(...(await seriousFaults(page)).map((fault) => `${place}: ${fault}`));
      }
    };
    await lookAt(places());
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 780 });
    await lookAt([
      "index.html",
      "404.html",
      "guides/run-at-night.html",
      "reference/suite.html",
      "project/contributing.html",
    ]);
    expect(faults).toEqual([]);
  });

  test.each(["a server", "the disk"])("keys alone find a part of a page, opened from %s", async (from) => {
    const { page, complaints } = await openPage(browser);
    const site = from === "the disk" ? `${pathToFileURL(folder).href}/` : address;
    await page.goto(`${site}guides/start.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("woken outage");
    await page.locator("#found-0").waitFor();
    expect(await page.locator(".search input").getAttribute("aria-activedescendant")).toBe("found-0");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${site}guides/run-at-night.html#false-alarms`);
    expect(complaints).toEqual([]);
  });

  test("a search for what no page has says so, and Escape ends it", async () => {
    const { page } = await openPage(browser);
    await page.goto(address);
    await page.locator(".search input").fill("zyxwv");
    await page.getByText("Nothing has all of “zyxwv”.").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(".search.open").count()).toBe(0);
  });

  test("colours are chosen, kept from page to page, and change the picture of the report", async () => {
    const { page } = await openPage(browser);
    await page.goto(address);
    await page.locator("#colours").selectOption("dark");
    expect(await page.locator(".picture:visible").getAttribute("href")).toBe("pictures/report-dark.png");
    await page.goto(`${address}guides/start.html`);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(21, 22, 24)");
    expect(await page.locator("#colours").inputValue()).toBe("dark");
  });

  test("on a telephone the list of pages opens over the text and leads on", async () => {
    const { page } = await openPage(browser, { width: 390, height: 780 });
    await page.goto(address);
    expect(await page.locator("#pages").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Pages" }).click();
    await page.getByRole("link", { name: "Every night" }).first().click();
    await page.waitForURL(`${address}guides/run-at-night.html`);
  });

  test("an address that is not there shows a page that leads back, however deep it is", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${address}no/such/page`);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.top')).position")).toBe("sticky");
    await page.getByRole("link", { name: "The first page" }).click();
    await page.waitForURL(`${address}index.html`);
  });

  test("without scripts a page can be read and left", async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${address}guides/start.html`);
    expect(await page.locator(".search").isVisible()).toBe(false);
    await page.getByRole("link", { name: "Datasets" }).first().click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Datasets");
    await page.close();
  });
});
