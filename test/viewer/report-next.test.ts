import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { openMore } from "./open-report.ts";

/** A run of stored answers, by target the text of each row; without keys, so that tandem makes them. */
async function reportOf(
  targets: Record<string, (row: number) => string>,
  rows: number,
  ...more: [compare?: string, scorer?: string]
): Promise<string> {
  return pageOf(await ranOf(targets, rows, ...more));
}

const pageOf = ({ folder }: Tandem): string => pathToFileURL(join(folder, "page.html")).href;

async function ranOf(
  targets: Record<string, (row: number) => string>,
  rows: number,
  compare = "compare: { baseline: prod }\ngates: [{ metric: correct, margin: 0.05 }]",
  scorer = "{ name: correct, type: equals }",
): Promise<Tandem> {
  const names = Object.keys(targets);
  const lines = Array.from({ length: rows }, (_, row) =>
    [`question ${row}?`, `answer ${row}`, ...names.map((name) => targets[name]?.(row) ?? "")].join(","),
  );
  const tandem = new Tandem()
    .file("sheet.csv", [["question", "expected", ...names].join(","), ...lines, ""].join("\n"))
    .file(
      "suite.yaml",
      `name: s
dataset: sheet.csv
targets: { ${names.map((name) => `${name}: { answers: ${name} }`).join(", ")} }
scorers: [${scorer}]
${names.length > 1 ? compare : ""}
`,
    );
  const { code, err } = await tandem.run("run", "suite.yaml", "-o", "page.html");
  expect([0, 1, 4], err).toContain(code);
  return tandem;
}

const right = (row: number): string => `answer ${row}`;
const wrongIn = (share: number) => (row: number) => (row % share === 0 ? "no idea" : right(row));

describe.skipIf(chromiumPath === undefined)(`what a report leads to ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  const found = (page: Page): Promise<string | null> => page.getByRole("status").first().textContent();

  test("the next step is a way to as many rows as it says, each by its number and question, and no key that was made is shown", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(await reportOf({ prod: right, test: wrongIn(4) }, 60));
    await page.getByRole("button", { name: "Look at the 15 rows that got worse" }).click();
    await expect.poll(() => found(page)).toBe("15 rows of 60");
    const line = page.locator(".row", { hasText: "question 12?" });
    expect(await line.locator(".question").textContent()).toBe("row 14 question 12?");
    await line.getByRole("link", { name: "row 14" }).click();
    await expect.poll(() => page.locator(".detail h2").textContent()).toBe("row 14");
    await page.locator(".prompt", { hasText: "question 12?" }).waitFor();
    expect(await page.locator("body").evaluate((body) => body.textContent)).not.toMatch(/\b[0-9a-f]{16}\b/);
    expect(complaints).toEqual([]);
  });

  test("a choice leads to the rows that tell its configurations apart, with all of them side by side", async () => {
    const { page, complaints } = await openPage(browser);
    const targets = { prod: wrongIn(2), lean: right, odd: (row: number) => (row % 2 === 0 ? right(row) : "no idea") };
    const all = { ...targets, prod: (row: number) => (row < 20 ? right(row) : targets.prod(row)) };
    await page.goto(await reportOf(all, 60, "compare: { choose: best }"));
    await expect.poll(() => page.locator("p.next").textContent()).toMatch(/^Next: take lean\. See the 50 rows/);
    // `odd` fails in 30 rows, and `prod` in 20 of the others.
    await page.getByRole("button", { name: "See the 50 rows where some pass and some fail" }).click();
    await expect.poll(() => found(page)).toBe("50 rows of 60");
    expect(await page.locator(".table-head").getByRole("columnheader").allTextContents()).toEqual([
      "Row",
      ...["prodbaseline", "lean", "odd"].map((name) => expect.stringContaining(name)),
      "Change",
    ]);
    const chip = page.getByRole("button", { name: /^Some pass, some fail/ });
    expect([await chip.textContent(), await chip.getAttribute("aria-pressed")]).toEqual([
      "Some pass, some fail 50",
      "true",
    ]);
    expect(complaints).toEqual([]);
  });

  test("a choice by scores leads to the rows where they differ, and the filter stands in sight", async () => {
    const { page } = await openPage(browser);
    const targets = { prod: wrongIn(3), lean: right, odd: wrongIn(2) };
    const scorer = "{ name: overlap, type: rouge-l }";
    await page.goto(await reportOf(targets, 60, "compare: { choose: best }", scorer));
    await page.getByRole("button", { name: "See the 40 rows with different scores" }).click();
    await expect.poll(() => found(page)).toBe("40 rows of 60");
    const chip = page.getByRole("button", { name: /^Different scores/ });
    expect([await chip.textContent(), await chip.getAttribute("aria-pressed")]).toEqual([
      "Different scores 40",
      "true",
    ]);
    expect(await page.getByRole("button", { name: /^Some pass/ }).count()).toBe(0);
  });

  test("rows without a stored answer are counted alike by the reason, its chip and the list, and the command is copied whole", async () => {
    const { page } = await openPage(browser);
    const written: string[] = [];
    await page.exposeFunction("keep", (text: string) => written.push(text));
    await page.addInitScript("navigator.clipboard.writeText = (text) => globalThis.keep(text)");
    await page.goto(await reportOf({ prod: right, test: (row) => (row % 4 === 1 ? "" : right(row)) }, 60));
    await page.locator(".state.invalid").waitFor();
    expect(await page.locator(".missing li").textContent()).toMatch(
      /^15 × test, missing: the row has no stored answer/,
    );
    // The verdict, the button, the reason and the filter have the count: the line of figures leads to no other rows.
    expect(await page.locator(".reliability button").count()).toBe(0);
    const chip = page.getByRole("button", { name: /^No answer/ });
    await expect.poll(() => chip.textContent()).toBe("No answer 15");
    await chip.click();
    await expect.poll(() => found(page)).toBe("15 rows of 60");
    await chip.click();
    await expect.poll(() => found(page)).toBe("60 rows");
    await page.getByRole("button", { name: "See the 15 rows without an answer" }).click();
    await expect.poll(() => found(page)).toBe("15 rows of 60");
    await page.locator(".next").getByRole("button", { name: /^Copy/ }).click();
    await page.locator(".next").getByText("Copied").waitFor();
    expect(written).toEqual(["tandem run suite.yaml -o page.html"]);
  });

  test("where several suite files have its name they are named", async () => {
    const { page } = await openPage(browser);
    const tandem = await ranOf({ prod: right, test: (row) => (row % 4 === 1 ? "" : right(row)) }, 60);
    tandem.file("other.yaml", tandem.text("suite.yaml"));
    await tandem.run("report", "latest", "-o", "page.html");
    await page.goto(pageOf(tandem));
    const said = "its suite file is one of other.yaml and suite.yaml in";
    await expect.poll(() => page.locator(".next").textContent()).toContain(said);
  });

  test("where the suite file is not found any more it is said, and no command has to be filled in", async () => {
    const { page } = await openPage(browser);
    const tandem = await ranOf({ prod: right, test: (row) => (row % 4 === 1 ? "" : right(row)) }, 60);
    rmSync(join(tandem.folder, "suite.yaml"));
    await tandem.run("report", "latest", "-o", "page.html");
    await page.goto(pageOf(tandem));
    const next = page.locator(".next");
    await next.getByText("its suite file is not found any more in").waitFor();
    const command = await next.locator("code").textContent();
    expect(command).toMatch(/^tandem batches show s-[\d-]+$/);
    expect(await page.locator("body").evaluate((body) => body.textContent)).not.toMatch(/\bSUITE\b/);
    // The command is whole: it works as it stands.
    const shown = await tandem.run(...(command ?? "").split(" ").slice(1));
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining("45 answered")]);
    await next.getByRole("button", { name: "See the 15 rows without an answer" }).click();
    await expect.poll(() => found(page)).toBe("15 rows of 60");
  });

  test("answers that are JSON are grouped by the fields in which they differ", async () => {
    const { page, complaints } = await openPage(browser);
    const cell = (fee: number, status: string): string => `"{""fee"": ${fee}, ""status"": ""${status}""}"`;
    const lines = Array.from({ length: 60 }, (_, row) => {
      const failing = row % 6 === 0 ? cell(row + 100, "open") : row % 15 === 1 ? cell(row, "lost") : cell(row, "open");
      const other = row === 2 ? '"{""status"": ""open""}"' : row === 3 ? "no idea at all" : failing;
      return [`question ${row}?`, cell(row, "open"), cell(row, "open"), other].join(",");
    });
    const tandem = new Tandem().file("sheet.csv", ["question,expected,prod,test", ...lines, ""].join("\n")).file(
      "suite.yaml",
      `name: s
dataset: sheet.csv
targets: { prod: { answers: prod }, test: { answers: test } }
scorers: [{ name: correct, type: equals }]
compare: { baseline: prod }
gates: [{ metric: correct, margin: 0.05 }]
`,
    );
    const { err } = await tandem.run("run", "suite.yaml", "-o", "page.html");
    expect(err).not.toContain("error");
    await page.goto(pageOf(tandem));
    await openMore(page);
    await page.getByText("What newly failing rows are answered").first().click();
    const groups = page.getByRole("group", { name: "What newly failing rows are answered" });
    expect(await groups.locator("tbody tr").allTextContents()).toEqual([
      "10 of 16fee: # instead of #",
      "4 of 16status: lost instead of open",
    ]);
    for (const count of ["10", "4"]) {
      await groups.getByRole("button", { name: count, exact: true }).click();
      await expect.poll(() => found(page)).toBe(`${count} rows of 60`);
    }
    expect(complaints).toEqual([]);
  });

  test("of one target it is said how many answers are missing, and data that lack some are not called complete", async () => {
    const { page } = await openPage(browser);
    await page.goto(await reportOf({ prod: (row) => (row % 60 === 3 ? "" : right(row)) }, 120));
    await page.getByRole("heading", { name: "The data are complete but for 2 of 120 answers" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^Errors/ }).textContent()).toBe("Errors 2");
    expect(await page.getByText("2 × missing: the row has no stored answer").count()).toBe(1);
  });

  test("a candidate that is better says so in whole words beside one that is worse, also on a narrow screen", async () => {
    const { page } = await openPage(browser, { width: 390, height: 844 });
    await page.goto(await reportOf({ prod: wrongIn(5), good: right, bad: () => "no idea" }, 80));
    const words = page.locator(".gate-table .state");
    expect(await words.allTextContents()).toEqual(["▼ Regression", "▲ Better"]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  });
});
