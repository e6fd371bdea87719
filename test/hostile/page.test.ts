import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { often } from "../often.ts";
import { hostileRow, hostileSummary } from "../report/reports.ts";
import { syntheticSummary } from "../report/synthetic.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "../viewer/browser.ts";
import { openReport } from "../viewer/open-report.ts";
import { pageHarm } from "./harm.ts";
import { openRow, readOf, rowAddress } from "./page-text.ts";
import { openTally } from "./tally.ts";
import { hostile, hostileTexts } from "./texts.ts";

/** Texts on one first screen: a page takes a second to open. */
const several = often(24, 12);
/** Texts of one row, as many as it shows in full: to open one takes a moment. */
const [inRow, mostInRow] = often([6, 1_000], [1, 0]);

/** Texts side by side, few enough that a row shows each of them whole; one that is long stands alone. */
function rowsOfTexts(): { whats: string[]; text: string }[] {
  const rows: { whats: string[]; text: string }[] = [];
  for (const [what, text] of hostile) {
    const last = rows.at(-1);
    if (last !== undefined && last.whats.length < inRow && last.text.length + text.length < mostInRow) {
      last.whats.push(what);
      last.text += `\n${text}`;
    } else rows.push({ whats: [what], text });
  }
  return rows;
}

describe.skipIf(chromiumPath === undefined)(`the page of a report ${withoutBrowser}`, () => {
  const tally = openTally("the page in Chromium", 180);
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("runs nothing that a text says, asks for nothing, and shows what hides in it", async () => {
    const texts = rowsOfTexts();
    const rows = texts.map(({ text }, index) => ({
      ...hostileRow(text),
      key: `${index} ${text}`.toWellFormed(),
      place: index + 1,
    }));
    const { page, complaints } = await openReport(browser, {
      rows,
      hash: "sort=place",
      size: { width: 1280, height: 9_000 },
    });
    const list = pageHarm(await readOf(page));
    for (const [what] of hostile) tally.tried(what, "the list of rows", []);
    tally.tried("a text", "the list of rows", list);
    // A page that draws the whole list again for every row takes long, and so does one that draws more than it must.
    await page.setViewportSize({ width: 1280, height: 240 });
    for (const [index, { whats }] of texts.entries()) {
      const key = rows[index]?.key ?? "";
      await openRow(page, key);
      await page.locator(".detail .sides").waitFor();
      const harm = [...pageHarm(await readOf(page)), ...complaints.splice(0)];
      for (const what of whats) tally.tried(what, "the row in full", harm);
    }
    expect(tally.through()).toEqual([]);
  });

  test("takes names and sentences of the batch for text", async () => {
    for (let from = 0; from < hostile.length; from += several) {
      const some = hostile.slice(from, from + several);
      const summary = hostileSummary(syntheticSummary(1), some.map(([, text]) => text).join("\n"));
      const { page, complaints, leave } = await openReport(browser, { rows: [hostileRow("x")], summary });
      const harm = [...pageHarm(await readOf(page)), ...complaints];
      for (const [what] of some) tally.tried(what, "the first screen", harm);
      await leave();
    }
    expect(tally.through()).toEqual([]);
  });

  test("shows a turned direction as a sign, and what other scripts need as it is", async () => {
    const text = `${hostileTexts["turned directions"]} ${hostileTexts["other scripts, which do no harm"]}`;
    const { page } = await openReport(browser, { rows: [{ ...hostileRow(text), key: "k" }], hash: rowAddress("k") });
    const shown = (await page.locator(".prompt").textContent()) ?? "";
    expect(shown).toContain("⟨RLO⟩gnp.exe⟨PDF⟩ ⟨LRI⟩isolate⟨PDI⟩");
    expect(shown).toContain(hostileTexts["other scripts, which do no harm"]);
  });
});
