import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { endedBatch } from "./viewing.ts";

describe.skipIf(chromiumPath === undefined)(`labels in a report ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("what people said of answers stands in a report that is made after they said it", async () => {
    const { tandem } = await endedBatch();
    tandem.file("labels.csv", 'key,target,label,note\nhi-1,test,bad,"यह <b>सही</b> नहीं"\n');
    await tandem.run("label", "import", "latest", "labels.csv", "--author", "ada");
    await tandem.run("report", "latest", "-o", "labelled.html");
    const { page, complaints } = await openPage(browser);
    await page.goto(`${pathToFileURL(join(tandem.folder, "labelled.html")).href}#row=hi-1`);
    const said = page.getByRole("list", { name: "What people said of this answer" });
    await said.waitFor();
    expect(await said.allTextContents()).toEqual([expect.stringMatching(/^✗ bad यह <b>सही<\/b> नहीं ada, /)]);
    expect(await page.locator(".candidate").getByText("✗ bad").count()).toBe(1);
    await page.locator(".row", { hasText: "hi-1" }).getByText("labelled bad").waitFor({ state: "attached" });
    expect(complaints).toEqual([]);
  });
});
