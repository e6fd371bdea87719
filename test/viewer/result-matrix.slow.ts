import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "./browser.ts";
import { openMore, openReport } from "./open-report.ts";

/** Folder for pictures, to look at them; without it none are taken. */
const pictures = process.env["TANDEM_PICTURES"];

const arabic = "رسوم التأخير";
const names = ["prod", "test", arabic];

/** Three targets of which the last has an Arabic name, with scores, errors, and a slice of two tags in that script. */
function report(): { rows: ReportRow[]; summary: ReportSummary } {
  const summary = syntheticSummary(60);
  const [prod, other] = summary.targets;
  const [slice] = summary.slices;
  if (prod === undefined || other === undefined || slice === undefined) throw new Error("no target or no slice");
  const rows = [...syntheticRows(60)].map((row) => ({
    ...row,
    sides: [...row.sides, ...row.sides.slice(1)],
    changes: names.slice(1).flatMap((candidate) => row.changes.map((change) => ({ ...change, candidate }))),
  }));
  const candidates = names.slice(1);
  const errors = [{ outcome: "run-failed" as const, message: "500: no model after 31 ms", jobs: 27, example: "k1" }];
  return {
    rows,
    summary: {
      ...summary,
      candidates,
      pairs: candidates.map((candidate) => ({ baseline: "prod", candidate, word: null, claim: "none" as const })),
      targets: [prod, { ...other, errors }, { ...other, name: arabic }],
      gates: candidates.flatMap((candidate) =>
        summary.gates.map((gate, place) => ({ ...gate, candidate, ...(place > 0 && { state: null, word: null }) })),
      ),
      slices: [{ ...slice, value: `${arabic} ${arabic}`, difference: -0.4, p: 0.001 }, ...summary.slices],
    },
  };
}

/** Elements in sight that reach over the side of the screen, but for those that a box lets scroll: a menu that is closed is none. */
const overflowing = `(() => {
  const room = document.documentElement.clientWidth;
  const scrolls = (node) => node !== null && (/auto|scroll|hidden/.test(getComputedStyle(node).overflowX) && node !== document.body && node !== document.documentElement || scrolls(node.parentElement));
  return [...document.querySelectorAll("#app *")].filter((node) => {
    const { left, right, width } = node.getBoundingClientRect();
    return width > 0 && node.checkVisibility() && (right > room + 1 || left < -1) && !node.closest(".unseen, .skip") && !scrolls(node.parentElement);
  }).map((node) => node.tagName + "." + node.className + " " + node.textContent.slice(0, 30)).slice(0, 5);
})()`;

/** Boxes of the result that hide a part of what is in them: nothing of a gate is cut. */
const cut = `[...document.querySelectorAll(".result > .scroll .small")].filter((node) => node.parentElement.scrollWidth > node.parentElement.clientWidth + 1).map((node) => node.textContent.slice(0, 40))`;

describe.skipIf(chromiumPath === undefined)(`the result of a report ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  for (const mood of ["light", "dark"] as const) {
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [768, 1024],
      [390, 844],
    ] as const) {
      test(`is whole at ${width} px, ${mood}: gates, slices, errors, what folds away, and charts`, async () => {
        const { page, complaints } = await openReport(browser, { ...report(), size: { width, height } });
        await page.emulateMedia({ colorScheme: mood, reducedMotion: "reduce" });
        const look = async (name: string): Promise<void> => {
          if (pictures !== undefined) {
            mkdirSync(pictures, { recursive: true });
            await page.screenshot({ path: join(pictures, `result-${width}-${mood}-${name}.png`) });
          }
          expect(await page.evaluate(overflowing), name).toEqual([]);
          expect(await page.evaluate(cut), name).toEqual([]);
          expect(await seriousFaults(page), name).toEqual([]);
        };
        await look("first");
        if (width >= 1280) {
          const first = await page.locator("[data-row='0']").boundingBox();
          expect(first?.y ?? height).toBeLessThan(height - 10);
        }
        await openMore(page);
        for (const part of await page.locator(".more-findings details > summary").all()) await part.click();
        await look("unfolded");
        await page.getByRole("tab", { name: "About this batch" }).click();
        await page.getByRole("columnheader", { name: "Median time" }).waitFor();
        await look("about");
        expect(complaints).toEqual([]);
      });
    }
  }
});
