import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "./browser.ts";
import { openMore, openReport } from "./open-report.ts";

describe.skipIf(chromiumPath === undefined)(`queries in a report ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  const rows = [...syntheticRows(60)];
  const columns = ["author", "note", '<img src=x onerror="alert(1)">'];
  const summary = {
    ...syntheticSummary(rows.length),
    columns,
    newFailures: [
      {
        candidate: "test",
        rows: 9,
        said: [{ words: "<b>I am sorry</b>, I could not find … #.", rows: 8 }],
        common: [],
        whyNoCommon: null,
      },
    ],
  };

  test("a query is completed, found, refused with its place, and kept as a view with its columns", async () => {
    const { page, complaints } = await openReport(browser, { rows, summary, hash: "sort=place" });
    const box = page.locator("#search");
    const status = page.locator(".found [role=status]").first();
    const worse = rows.filter(({ changes }) => changes[0]?.trend === "worse").length;
    await box.pressSequentially("wor");
    await page.getByRole("option", { name: /^worse/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => box.inputValue()).toBe("worse ");
    await expect.poll(() => status.textContent()).toContain(`${worse} rows of 60`);
    await box.fill("worse language:hi");
    const hindi = rows.filter(({ changes, tags }) => changes[0]?.trend === "worse" && tags["language"] === "hi").length;
    await expect.poll(() => status.textContent()).toMatch(new RegExp(`^${hindi} rows? of 60`));
    // A fault leaves the list as it was.
    await box.fill("worse langage:hi ");
    await page.getByText("Character 7: nothing here is called `langage`. Did you mean `language`?").waitFor();
    expect(await status.textContent()).toMatch(new RegExp(`^${hindi} rows? of 60`));
    expect(await seriousFaults(page)).toEqual([]);
    await box.fill("worse language:hi");
    await page.locator(".columns > summary").click();
    await page.getByRole("checkbox", { name: "Time" }).check();
    await page.getByRole("checkbox", { name: "author", exact: true }).check();
    await page.keyboard.press("Escape");
    await page.getByText("author seed").first().waitFor();
    expect(page.url()).toContain("column=time&column=column%3Aauthor");
    expect(complaints).toEqual([]);
  });

  test("a link with a query that does not fit lists nothing and says why, on a telephone in the dark too", async () => {
    const { page, complaints } = await openReport(browser, {
      rows,
      summary,
      hash: "q=nosuch%3A1",
      size: { width: 390, height: 800 },
    });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByText("nothing here is called `nosuch`").waitFor();
    await page.getByText("No row is like that.").waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByText("Words", { exact: true }).click();
    await page.getByText("score:similar<20").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("10,000 characters are refused, and no group of failures is markup", async () => {
    const { page, complaints } = await openReport(browser, { rows, summary });
    await page.locator("#search").fill("x".repeat(10_000));
    await page.getByText("a query has at most 2000 characters, and this one has 10000").waitFor();
    await openMore(page);
    await page.getByText("What newly failing rows are answered").first().click();
    const groups = page.getByRole("group", { name: "What newly failing rows are answered" });
    await groups.getByText("<b>I am sorry</b>, I could not find … #.").waitFor();
    await groups.getByRole("button", { name: "8" }).click();
    await expect
      .poll(() => page.locator("#search").inputValue())
      .toBe('among:said,test,"<b>I am sorry</b>, I could not find … #."');
    expect(complaints).toEqual([]);
  });

  test("the tag that names the scorers of promptfoo's tests has a plain name, and is asked for by its own", async () => {
    const tagged = rows.map((row, at) => ({
      ...row,
      tags: { ...row.tags, __graders: at % 4 === 0 ? "rubric" : "javascript" },
    }));
    const tags = {
      ...summary.tags,
      __graders: [
        { value: "javascript", cases: 45 },
        { value: "rubric", cases: 15 },
      ],
    };
    const { page } = await openReport(browser, { rows: tagged, summary: { ...summary, tags } });
    await page.locator("#search").fill("__graders:rubric");
    await expect.poll(() => page.locator(".found [role=status]").first().textContent()).toContain("15 rows of 60");
    await page.locator("[data-row]").first().click();
    await page.locator(".detail .tags", { hasText: "grader rubric" }).waitFor();
  });

  test("answers that are objects are a table of fields beside what was expected", async () => {
    const objects = rows.slice(0, 5).map((row) => ({
      ...row,
      expected: '{"days_late": 4, "ok": true}',
      sides: row.sides.map((side, at) => ({
        ...side,
        runs: side.runs.map((run) => ({
          ...run,
          answer: `{"days_late": ${4 - at}, "ok": true, "who": "<img src=x>"}`,
        })),
      })),
    }));
    const key = objects[2]?.key ?? "";
    const size = { width: 1600, height: 900 };
    const { page, complaints } = await openReport(browser, { rows: objects, hash: `row=${key}`, size });
    const line = page.locator(".field-table tr.differs");
    await expect.poll(() => line.allTextContents()).toEqual(["days_late443"]);
    expect(await page.locator(".field-table mark").allTextContents()).toEqual(["3"]);
    await page.locator(".sides.with-expected").waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("a field of answers that are objects is a column of the list", async () => {
    const objects = rows.slice(0, 5).map((row, place) => ({
      ...row,
      sides: row.sides.map((side, at) => ({
        ...side,
        runs: side.runs.map((run) => ({ ...run, answer: `{"fee": {"days": ${place + at}}, "who": "ana"}` })),
      })),
    }));
    const given = { ...summary, fields: ["fee.days", "who"] };
    const { page, complaints } = await openReport(browser, { rows: objects, summary: given, hash: "sort=place" });
    await page.locator(".columns summary").click();
    await page.getByLabel("Answer fee.days").check();
    await expect
      .poll(() =>
        page
          .locator("[role=row]", { has: page.locator("[data-row='2']") })
          .locator(".answer .cells")
          .allTextContents(),
      )
      .toEqual(["fee.days: 2", "fee.days: 3"]);
    await expect.poll(() => page.url()).toContain("column=field%3Afee.days");
    expect(complaints).toEqual([]);
  });
});
