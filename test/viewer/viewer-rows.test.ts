import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { storedDesk } from "./stored-desk.ts";
import { startView } from "./viewing.ts";

const right = (row: number): string => `yes ${row} of course`;
const wrong = (): string => "I am sorry";

describe.skipIf(chromiumPath === undefined)(`the rows of the viewer ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  const keys = (page: Page): Promise<string[]> => page.locator(".question .key").allTextContents();

  test("chips write into the query, Back and Forward lead through it, and groups have counts and differences", async () => {
    const tandem = storedDesk(24, (row, side) => (side === "test" && row % 4 === 1 ? wrong() : right(row)));
    await tandem.run("run", "desk.yaml", "--quiet");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser, { width: 1280, height: 3_000 });
    await page.goto(url);
    await page.goto(new URL("#batch=latest&sort=place", page.url()).href);
    const box = page.locator("#search");
    const status = page.locator(".found [role=status]").first();
    await page.getByRole("button", { name: /^Worse/ }).click();
    await expect.poll(() => box.inputValue()).toBe("worse");
    await status.getByText("6 rows of 24").waitFor();
    await page.getByLabel("Labels").selectOption("no");
    await expect.poll(() => box.inputValue()).toBe("worse labelled:no");
    await box.fill("worse labelled:no time<1h key:k1");
    await page.locator(".group-chip", { hasText: "key:k1" }).waitFor();
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe("worse");
    await status.getByText("6 rows of 24").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByLabel("Targets in the list").selectOption("all");
    await expect.poll(() => page.locator(".table-head [role=columnheader]").count()).toBe(5);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("heads of columns sort by what lost and what gained most", async () => {
    // Row 5 is lost, row 3 is gained, row 7 fails on both sides.
    const said = (row: number, side: string): string =>
      row === 7 || (side === "prod" ? row === 3 : row === 5) ? wrong() : right(row);
    const tandem = storedDesk(10, said);
    await tandem.run("run", "desk.yaml", "--quiet");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest&target=test", page.url()).href);
    const head = page.locator(".table-head [role=columnheader]", { hasText: "Change" });
    await head.getByRole("button").click();
    await expect.poll(async () => (await keys(page)).slice(0, 3)).toEqual(["k5", "k0", "k1"]);
    await head.getByRole("button").click();
    await expect.poll(async () => (await keys(page)).slice(0, 3)).toEqual(["k3", "k0", "k1"]);
    expect([await head.getAttribute("aria-sort"), await page.getByLabel("Order").inputValue()]).toEqual([
      "descending",
      "gain:correct",
    ]);
    await page.goBack();
    await expect.poll(async () => (await keys(page))[0]).toBe("k5");
    // By the other metric clicks stay with it.
    await page.getByLabel("Order").selectOption("change:similar");
    await head.getByRole("button").click();
    await expect.poll(() => page.getByLabel("Order").inputValue()).toBe("gain:similar");
    expect(complaints).toEqual([]);
  });

  test("the head of an answer has the figure of the result, of a query that of its rows, and narrows them down by mouse and keyboard", async () => {
    const said = (row: number, side: string): string =>
      side === "test" && row === 6 ? "" : side === "test" && row % 4 === 1 ? wrong() : right(row);
    const tandem = storedDesk(24, said);
    await tandem.run("run", "desk.yaml", "--quiet");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest&target=test&column=score%3Asimilar", page.url()).href);
    const figures = page.locator(".table-head .score-head b");
    const shown = () => figures.allTextContents();
    const status = page.locator(".found [role=status]").first();
    const box = page.locator("#search");
    const result = page.locator(".gate-table tbody tr", { hasText: "test" });
    // Row 6 of `test` has no answer, so that no side counts it.
    await expect.poll(async () => (await shown()).filter((text) => text !== "")).toEqual(["100.0 %", "73.9 %"]);
    expect(await result.first().textContent()).toContain("73.9 %");
    await box.fill("row>0");
    await status.getByText("24 rows of 24").waitFor();
    await expect.poll(async () => (await shown()).filter((text) => text !== "")).toEqual(["100.0 %", "73.9 %"]);
    await box.fill('topic:"kind b","kind c"');
    await status.getByText("12 rows of 24").waitFor();
    await expect.poll(async () => (await shown()).filter((text) => text !== "")).toEqual(["100.0 %", "45.5 %"]);
    const menu = page.locator(".table-head .answer-head").nth(1).locator(".score-head");
    await menu.first().locator("summary").focus();
    await page.keyboard.press("Enter");
    await menu.first().getByRole("button", { name: "fail" }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => box.inputValue()).toBe('topic:"kind b","kind c" score<100%');
    await status.getByText("6 rows of 24").waitFor();
    await expect.poll(async () => (await shown()).filter((text) => text !== "")).toEqual(["100.0 %", "0.0 %"]);
    // Another choice takes its place, and Back brings it back.
    await menu.first().locator("summary").click();
    await menu.first().getByRole("button", { name: "pass" }).click();
    await expect.poll(() => box.inputValue()).toBe('topic:"kind b","kind c" score=100%');
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe('topic:"kind b","kind c" score<100%');
    await box.fill("");
    await menu.nth(1).locator("summary").click();
    await menu.nth(1).getByLabel("Value").fill("50");
    await page.keyboard.press("Enter");
    await expect.poll(() => box.inputValue()).toBe("score:similar<50");
    await status.getByText("6 rows of 24").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await menu.nth(1).locator("summary").click();
    await menu.nth(1).getByRole("button", { name: "Any" }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const { x = -1, width = 999 } = (await menu.nth(1).locator("> div").boundingBox()) ?? {};
    expect([x >= 0, x + width <= 390]).toEqual([true, true]);
    expect(complaints).toEqual([]);
  });

  test("the toolbar stays in one line without overlaps where lists cannot be as wide as their choice", async () => {
    const tandem = storedDesk(6, (row) => right(row));
    await tandem.run("run", "desk.yaml", "--quiet");
    const { url } = await startView(tandem);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(url);
    const address = new URL("#batch=latest", page.url()).href;
    // As a browser without it reads the styles of the page.
    let changed = 0;
    await page.route(
      ({ pathname }) => pathname.endsWith("/"),
      async (route) => {
        const response = await route.fetch();
        const body = (await response.text())
          .replaceAll(/@supports not \(field-sizing: ?content\)/g, () => (changed++, "@supports (display: grid)"))
          .replaceAll(/field-sizing: ?content/g, () => (changed++, "x-sizing: content"));
        await route.fulfill({ response, body });
      },
    );
    await page.goto("about:blank");
    await page.goto(address);
    await page.locator(".found [role=status]").first().getByText("6 rows").waitFor();
    expect(changed).toBeGreaterThan(1);
    for (const width of [1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      const places = await page.locator(".find > *").evaluateAll((all) =>
        all.map((each) => {
          const { left, right: end, top, width: own } = each.getBoundingClientRect();
          return { left, end, top, own };
        }),
      );
      // The box, order, labels, targets and candidate.
      expect(places).toHaveLength(5);
      for (const [place, { left, top, own }] of places.entries()) {
        expect(Math.abs(top - (places[0]?.top ?? 0)), `${width}: ${place}`).toBeLessThan(2);
        expect(left, `${width}: ${place}`).toBeGreaterThanOrEqual(places[place - 1]?.end ?? 0);
        expect(own, `${width}: ${place}`).toBeGreaterThan(90);
      }
      // Nothing of a list stands outside of its place.
      const outside = await page
        .locator(".find > * > :is(select, summary)")
        .evaluateAll(
          (all) =>
            all.filter(
              (each) =>
                each.getBoundingClientRect().right > (each.parentElement?.getBoundingClientRect().right ?? 0) + 1,
            ).length,
        );
      expect(outside, String(width)).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
  });

  test("orders by the nights before, and shows labels and comments in the line", async () => {
    const tandem = new Tandem();
    // Row 5 fails since the last night, row 3 changes every night, row 7 always fails.
    for (const night of [0, 1, 2]) {
      const isWrong = (row: number): boolean =>
        row === 7 || (row === 5 && night === 2) || (row === 3 && night % 2 === 1);
      storedDesk(10, (row, side) => (side === "test" && isWrong(row) ? wrong() : right(row)), tandem);
      await tandem.run("run", "desk.yaml", "--quiet");
    }
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest&target=test", page.url()).href);
    await page.getByLabel("Order").selectOption("since");
    await expect.poll(async () => (await keys(page)).slice(0, 2)).toEqual(["k3", "k5"]);
    expect(await page.locator(".row", { hasText: "k5" }).first().textContent()).toMatch(/so since .+, 1 change/);
    await page.getByLabel("Order").selectOption("flips");
    await expect.poll(async () => (await keys(page))[0]).toBe("k3");
    await page
      .locator(".row", { hasText: "k3" })
      .first()
      .getByText(/2 changes$/)
      .waitFor();
    expect(await page.locator(".row", { hasText: "k7" }).first().textContent()).toContain("the same in every night");
    await page.locator("[data-row='0']").click();
    // The strip of the row says the same as the list.
    await page.getByRole("region", { name: "This row over the nights" }).getByText("2 changes").waitFor();
    const bar = page.getByRole("region", { name: "Judge this row" });
    await bar.getByRole("button", { name: "Bad" }).click();
    await bar.getByPlaceholder("then Enter").fill("not <b>polite</b>");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    const line = page.locator(".row", { hasText: "k3" }).first();
    await line.getByText("labelled bad, with a comment").waitFor();
    await page.getByLabel("Labels").selectOption("comment");
    await expect.poll(() => keys(page)).toEqual(["k3"]);
    expect(await page.locator("#search").inputValue()).toBe("labelled:comment");
    expect(complaints).toEqual([]);
  });

  test("names the line of the suite file that is to be changed next, and copies its place", async () => {
    const tandem = new Tandem()
      .file(
        "sheet.csv",
        ["id,question,prod,test", ...Array.from({ length: 5 }, (_, row) => `k${row},Q ${row}?,a b c,a b c`)].join("\n"),
      )
      .file(
        "suite.yaml",
        `name: length
dataset: sheet.csv
case: { key: id, input: { input_prompt: question } }
targets: { prod: { answers: prod, endpoint: video-bots }, test: { answers: test, endpoint: video-bots } }
scorers:
  - { type: not-empty }
  - { name: words, type: length, unit: words, primary: true } # <script>
compare: { baseline: prod, candidates: [test] }
gates: [{ metric: words, margin: 3 }]
`,
      );
    await tandem.run("run", "suite.yaml", "--quiet");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest", page.url()).href);
    const next = page.locator(".next");
    await next.getByText("suite.yaml:7").first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
