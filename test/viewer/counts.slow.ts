import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { storedDesk } from "./stored-desk.ts";
import { startView } from "./viewing.ts";

/** Everything with a number that leads to rows: links of the result and the charts, cells of the heat map, filters, tags, groups. */
const counted = `(() => {
  for (const fold of document.querySelectorAll("details:not(.menu, .views)")) fold.open = true;
  const own = (node) => [...node.childNodes].map((each) => each.textContent).join(" ");
  return [...document.querySelectorAll("main button.link, main .filters button:not(.group-chip), .next button.main")].map((node, at) => {
    node.dataset.counted = String(at);
    const beside = node.querySelector(".beside, .count");
    const text = (beside ?? node).textContent;
    const numbers = [...own({ childNodes: [{ textContent: text }] }).matchAll(/(?<![\\w.%=−+-] ?)\\d[\\d,]*(?![\\w.%])/g)].map(([number]) => Number(number.replaceAll(",", "")));
    return { at, text: node.textContent, number: numbers.length === 1 ? numbers[0] : null };
  });
})()`;

interface Counted {
  at: number;
  text: string;
  /** Null: it has none, or several. */
  number: number | null;
}

describe.skipIf(chromiumPath === undefined)(`the numbers of the page ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  const status = (page: Page) => page.locator(".found [role=status]").first();
  const rowsOf = async (page: Page): Promise<number> => {
    await expect.poll(() => status(page).textContent()).toMatch(/^\d/);
    return Number.parseInt(((await status(page).textContent()) ?? "").replaceAll(",", ""), 10);
  };

  test.each(["rows", "about"])("all lead to as many rows as they say, with the %s below", async (view) => {
    const tandem = storedDesk(120, (row, side) => {
      if (side === "test" && row % 17 === 3) return "";
      if (side === "test" && row % 5 === 1) return `I am sorry, no ${row}`.replaceAll(",", "");
      if (side === "other" && row % 9 === 2) return "I cannot tell";
      return `yes ${row} of course${side === "prod" ? "" : " indeed"}`;
    });
    await tandem.run("run", "desk.yaml", "--quiet");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser, { width: 1280, height: 2_000 });
    await page.goto(url);
    const open = async (): Promise<Counted[]> => {
      await page.evaluate("location.hash = '#'");
      await page.evaluate(`location.hash = '#batch=latest&view=${view}'`);
      await page.locator("#panel").waitFor();
      if (view === "rows") await rowsOf(page);
      await page
        .locator(".menu.more-filters summary")
        .click({ timeout: 1000 })
        .catch(() => {});
      return page.evaluate<Counted[]>(counted);
    };
    const all = await open();
    const wanted = all.filter(({ number }) => number !== null && number > 0);
    expect(wanted.length).toBeGreaterThanOrEqual(view === "rows" ? 13 : 10);
    const wrong: string[] = [];
    for (const { at, text, number } of wanted) {
      await open();
      await page.locator(`[data-counted="${at}"]`).dispatchEvent("click");
      await page.waitForTimeout(150);
      const rows = await rowsOf(page);
      if (rows !== number) wrong.push(`${text}: ${rows} rows (${page.url().split("#")[1] ?? ""})`);
    }
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("a threshold, a value of a tag and a group have as many rows as they say", async () => {
    const tandem = storedDesk(120, (row, side) => (side === "test" && row % 5 === 1 ? "no" : `yes ${row}`));
    await tandem.run("run", "desk.yaml", "--quiet");
    const { url } = await startView(tandem);
    const { page } = await openPage(browser, { width: 1280, height: 16_000 });
    await page.goto(url);
    await page.goto(new URL("#batch=latest&sort=place&q=score:similar<50", page.url()).href);
    const rows = await rowsOf(page);
    expect(await page.locator(".group-chip .count").textContent()).toBe(String(rows));
    expect(await page.locator(".question .key").count()).toBe(rows);
    for (const value of ["a", "b", "c", "d"]) {
      await page.locator("#search").fill(`topic=="kind ${value}"`);
      await expect.poll(() => rowsOf(page)).toBe(30);
    }
  });
});
