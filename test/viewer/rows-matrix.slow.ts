import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "./browser.ts";
import { openReport } from "./open-report.ts";

/** Folder for pictures, to look at them; without it none are taken. */
const pictures = process.env["TANDEM_PICTURES"];

const names = ["prod", "test", "small", "large", "llama"];

const texts = {
  arabic: "أحضر بطاقتك والغرض إلى المكتب في الطابق الأرضي. رسوم التأخير ٠٫٢٠ في اليوم. ".repeat(12),
  hebrew: "הביאו את הכרטיס לדלפק בקומת הקרקע. דמי איחור 0.20 ליום. ".repeat(12),
  hindi: "अपना कार्ड और सामान भूतल के काउंटर पर लाएँ।\n\n- शुल्क २\n- दिन ३\n".repeat(8),
  unbroken: "x".repeat(900),
};

function report(): { rows: ReportRow[]; summary: ReportSummary } {
  const summary = syntheticSummary(24);
  const [target] = summary.targets;
  if (target === undefined) throw new Error("no target");
  const candidates = names.slice(1);
  const kinds = Object.values(texts);
  const rows = [...syntheticRows(24)].map((row, index): ReportRow => {
    const said = kinds[index % kinds.length] ?? "";
    const attempt = {
      number: 1,
      outcome: "throttled" as const,
      status: 429,
      error: said.slice(0, 200),
      possiblyPaid: true,
    };
    const sides = names.map((name, place) => {
      const [first] = row.sides[place % 2]?.runs ?? [];
      if (first === undefined) throw new Error("no run");
      const references = [{ url: `https://example.org/${place}`, title: said.slice(0, 40), snippet: said, score: 0.5 }];
      const tries = [
        { ...attempt, at: 0, tookMs: 51 },
        { ...attempt, number: 2, at: 9, tookMs: null },
      ];
      const runs = [
        { ...first, answer: `${said} ${name}`, error: null, failed: false, attempts: 2, tries, extras: { references } },
      ];
      return { scores: row.sides[0]?.scores ?? [], runs };
    });
    const changes = candidates.map((candidate) => ({ ...row.changes[0], candidate }) as ReportRow["changes"][number]);
    return { ...row, sides, changes, input: [{ field: "input_prompt", text: said.slice(0, 120) }] };
  });
  const targets = names.map((name) => ({ ...target, name }));
  const pairs = candidates.map((candidate) => ({ baseline: "prod", candidate, word: null, claim: "none" as const }));
  return { rows, summary: { ...summary, targets, candidates, pairs } };
}

/** Elements that reach over the side of the screen, but for those that a box lets scroll or that a closed menu holds. */
const overflowing = `(() => {
  const room = document.documentElement.clientWidth;
  const scrolls = (node) => node !== null && (/auto|scroll|hidden/.test(getComputedStyle(node).overflowX) && node !== document.body && node !== document.documentElement || scrolls(node.parentElement));
  return [...document.querySelectorAll("#app *")].filter((node) => {
    const { left, right, width } = node.getBoundingClientRect();
    return width > 0 && node.checkVisibility() && (right > room + 1 || left < -1) && !node.closest(".unseen, .skip") && !scrolls(node.parentElement);
  }).concat([...document.querySelectorAll(".detail-body")].filter((node) => node.scrollWidth > node.clientWidth + 1))
    .map((node) => node.tagName + "." + node.className + " " + node.textContent.slice(0, 30)).slice(0, 5);
})()`;

describe.skipIf(chromiumPath === undefined)(`rows of any script ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  const picture = async (page: Page, name: string): Promise<void> => {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  };

  for (const mood of ["light", "dark"] as const) {
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [768, 1024],
      [390, 844],
    ] as const) {
      test(`fit ${width} px, ${mood}: the list, a row of two and one of five targets`, async () => {
        const given = report();
        const { page, complaints } = await openReport(browser, {
          ...given,
          hash: "sort=place",
          size: { width, height },
        });
        await page.emulateMedia({ colorScheme: mood, reducedMotion: "reduce" });
        for (let place = 0; place < 4; place++) {
          const row = given.rows[place]?.key ?? "";
          const name = `${width}-${mood}-${Object.keys(texts)[place]}`;
          await page.evaluate("document.getElementById('tabs').scrollIntoView()");
          if (place === 0) await picture(page, `${name}-list`);
          expect(await page.evaluate(overflowing), `${name} list`).toEqual([]);
          await page.goto(`${page.url().replace(/[#&]row=[^&]*/g, "")}&row=${encodeURIComponent(row)}`);
          await page.locator(".detail-body").waitFor();
          await picture(page, `${name}-two`);
          expect(await page.evaluate(overflowing), `${name} two`).toEqual([]);
          await page.getByRole("button", { name: "All 5 targets" }).click();
          const heights = await page.locator(".side .said").evaluateAll((all) => all.map((each) => each.clientHeight));
          expect(heights).toHaveLength(5);
          expect(Math.min(...heights), name).toBeGreaterThan(60);
          await picture(page, `${name}-five`);
          expect(await page.evaluate(overflowing), `${name} five`).toEqual([]);
          if (place === 0) expect(await seriousFaults(page)).toEqual([]);
          await page.getByRole("button", { name: "Close" }).click();
        }
        expect(complaints).toEqual([]);
      });
    }
  }
});
