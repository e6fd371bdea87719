import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endOfFile, Tandem } from "../e2e/tandem.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { startView } from "./viewing.ts";

/** The suites by what their page is of, and the columns of the sheet that they compare. */
const suites = {
  night: ["prod", "test"],
  four: ["prod", "test", "small", "large"],
  invalid: ["prod", "gone"],
  alone: ["prod"],
} as const;

/** Stored answers of 120 rows with two tags: the candidate fails where both are `b` and Arabic, others a little, and one has gaps. */
async function ran(whenOver: ReturnType<typeof endOfFile>): Promise<Tandem> {
  const languages = ["en", "हिन्दी", "عربي", "sw"];
  const lines = Array.from({ length: 120 }, (_, row) => {
    const [language = "", topic = ""] = [languages[row % 4], ["a", "b", "c"][Math.floor(row / 4) % 3]];
    const right = `yes ${row} of course`;
    const isLost = language === "عربي" && topic === "b";
    return [
      `k${row}`,
      row % 7 === 0 ? `هل تفتح المكتبة يوم ${row}؟` : `Does the library open on day ${row}?`,
      `yes ${row}`,
      language,
      topic,
      right,
      isLost || row % 40 === 1 ? `Sorry I could not find day ${row}.` : right,
      row % 11 === 0 ? "no" : right,
      row % 13 === 0 ? "no idea" : `${right} indeed`,
      row % 5 === 1 ? "" : right,
    ].join(",");
  });
  const tandem = new Tandem(whenOver).file(
    "sheet.csv",
    ["id,question,golden,language,topic,prod,test,small,large,gone", ...lines, ""].join("\n"),
  );
  for (const [name, targets] of Object.entries(suites)) {
    const gates = targets.length > 1 ? "compare: { baseline: prod }\ngates: [{ metric: correct, margin: 0.05 }]" : "";
    tandem.file(
      `${name}.yaml`,
      `name: ${name}
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [language, topic] }
targets: { ${targets.map((target) => `${target}: { answers: ${target} }`).join(", ")} }
scorers:
  - { name: correct, type: contains, primary: true }
  - { name: similar, type: chrf }
${gates}
`,
    );
    const { code, err } = await tandem.run("run", `${name}.yaml`, "-o", `${name}.html`, "--quiet");
    expect([0, 1, 4], `${name}: ${err}`).toContain(code);
  }
  return tandem;
}

const shifts = `new PerformanceObserver((seen) => {
  for (const { value, hadRecentInput } of seen.getEntries()) if (!hadRecentInput) globalThis.moved = (globalThis.moved ?? 0) + value;
}).observe({ type: "layout-shift", buffered: true })`;

const pages = ["home", "night", "row", "four", "invalid", "alone", "report"] as const;

describe.skipIf(chromiumPath === undefined)(`the pages as a set ${withoutBrowser}`, () => {
  let browser: Browser;
  let url = "";
  let tandem: Tandem;
  const batches = new Map<string, string>();
  const end = endOfFile();
  beforeAll(async () => {
    browser = await openBrowser();
    tandem = await ran(end);
    ({ url } = await startView(tandem));
    const { out } = await tandem.run("batches", "--json");
    for (const { name, suite } of JSON.parse(out).batches) batches.set(suite, name);
  });
  afterAll(async () => {
    await browser.close();
  });

  const addressOf = (name: (typeof pages)[number]): string => {
    if (name === "report") return pathToFileURL(join(tandem.folder, "night.html")).href;
    if (name === "home") return url;
    const batch = batches.get(name === "row" ? "night" : name) ?? "";
    return `${url}#${new URLSearchParams({ batch, ...(name === "row" && { row: "k6" }) }).toString()}`;
  };

  /** The page when all of it has come. */
  const whole = async (page: Page, name: (typeof pages)[number]): Promise<void> => {
    const last = { home: ".suite-line >> nth=3", row: ".detail-body .sides" } as const;
    await page.locator(name === "home" || name === "row" ? last[name] : "[data-row='0']").waitFor();
    await page.waitForLoadState("networkidle");
  };

  test.each(pages.flatMap((name) => [1280, 390].map((width) => [name, width] as const)))(
    "%s at %i px is clear to everybody in light, dark and from right to left, folded and not, is not wider, and stays where it is",
    async (name, width) => {
      const { page, complaints } = await openPage(browser, { width, height: width === 390 ? 844 : 800 });
      // The first opening compares, and counts how far it is: that is another page.
      await page.goto(addressOf(name));
      await whole(page, name);
      await page.addInitScript(shifts);
      await page.reload();
      await whole(page, name);
      expect(await page.evaluate("globalThis.moved ?? 0")).toBeLessThan(0.01);
      if (width === 1280 && name !== "home" && name !== "row")
        expect((await page.locator("[data-row='0']").boundingBox())?.y).toBeLessThan(600);
      for (const isOpen of [false, true]) {
        if (isOpen)
          await page.evaluate(
            "for (const fold of document.querySelectorAll('main details:not(.menu, .views)')) fold.open = true",
          );
        for (const direction of ["ltr", "rtl"]) {
          await page.evaluate(`document.documentElement.dir = "${direction}"`);
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            const about = `${colorScheme}, ${direction}, ${isOpen ? "open" : "folded"}`;
            const coloursAlone = colorScheme === "dark";
            expect(await seriousFaults(page, { coloursAlone }), about).toEqual([]);
          }
          expect(await page.evaluate("document.documentElement.scrollWidth"), direction).toBeLessThanOrEqual(width);
        }
      }
      expect(complaints).toEqual([]);
    },
  );
});
