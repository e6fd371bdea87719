import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { frozen, night, watched } from "../e2e/watched-judge.ts";
import { slowTest } from "../often.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { startView } from "./viewing.ts";

// Fifteen nights one after the other.
vi.setConfig({ testTimeout: 400_000 });

describe.skipIf(chromiumPath === undefined)(
  `the charts of a judge that is watched, in a browser ${withoutBrowser}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    slowTest(
      "show evidence against the line of the alarm, the night of the alarm, and how far grades moved",
      async () => {
        const { tandem, behaviour } = await watched();
        await frozen(tandem);
        for (let count = 1; count <= 13; count++) await night(tandem);
        behaviour.lenientTo = 8;
        for (let count = 1; count <= 2; count++) await night(tandem);
        const { page, complaints } = await openPage(browser);
        const { url } = await startView(tandem);
        await page.goto(`${url}#suite=desk`);
        const up = page.getByRole("group", { name: /Higher grades than usual, 5 nights/ });
        await up.waitFor();
        expect(await page.locator(".judge-watch").innerText()).toMatch(
          /3 of 30 anchors are graded higher[^]*moved by \+5/,
        );
        // The sign of the alarm stands where the evidence is beyond the line.
        expect(await up.locator(".alarm-sign").count()).toBe(1);
        expect(await up.locator(".point.alarm").count()).toBe(1);
        expect(await page.locator(".alarm-sign").count()).toBe(1);
        // One stop for Tab; arrows go from night to night, and the night says its figures.
        await up.locator('[tabindex="0"]').focus();
        await page.keyboard.press("Home");
        await page.getByText(/: 0 of 30 graded higher than usual, evidence \d/).waitFor();
        await page.keyboard.press("End");
        expect(await page.locator("*:focus").getAttribute("aria-label")).toMatch(
          /3 of 30 graded higher than usual.*Alarm$/,
        );
        for (const [width, scheme] of [
          [1280, "light"],
          [1280, "dark"],
          [390, "dark"],
        ] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme: scheme });
          expect(await seriousFaults(page), `${width} ${scheme}`).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        }
        // The report of that night has them too.
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(`${url}#batch=latest&view=charts`);
        await page.getByRole("heading", { name: "Is the judge still the same?" }).waitFor();
        expect(await page.locator(".alarm-sign").count()).toBe(1);
        // The night after it the judge is known anew, and its change is still there to see.
        await night(tandem);
        await page.goto(`${url}#suite=desk`);
        await page.getByRole("heading", { name: /^helpful, the change of / }).waitFor();
        expect(await page.locator(".judge-watch").first().innerText()).toContain("It changed on");
        expect(await page.locator(".alarm-sign").count()).toBe(1);
        expect(complaints).toEqual([]);
      },
    );
  },
);
