import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportRow } from "../../src/report/shape/model.ts";
import { rowGroup } from "../../src/report/model/row-groups.ts";
import { groupCondition } from "../../src/report/query/query-edit.ts";
import { headOf, rankOfRow } from "../../src/report/model/row-figures.ts";
import { slowTest } from "../often.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "./browser.ts";
import { chooseTags, openReport } from "./open-report.ts";
import { folded } from "../../src/text/search-fold.ts";

/** The page's words about a row, derived from the row itself: another way to the same figures. */
const filters: Record<string, (row: ReportRow) => boolean> = {
  "Changed more than the baseline varies": ({ changes }) => changes[0]?.kind === "changed",
  "Any difference": ({ changes }) => !["same", "not-compared"].includes(changes[0]?.kind ?? ""),
  Worse: ({ changes }) => changes[0]?.trend === "worse",
  Better: ({ changes }) => changes[0]?.trend === "better",
  Errors: ({ sides }) => sides.some(({ runs }) => runs.some(({ failed }) => failed)),
  Flaky: ({ changes }) => ["newly-flaky", "newly-stable"].includes(changes[0]?.kind ?? ""),
  "Output fields changed": ({ changes }) => (changes[0]?.members.length ?? 0) > 0,
};

describe.skipIf(chromiumPath === undefined)(`the rows of a report ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  // Among the thousands of elements of a long list, a role is looked for in those that have it.
  const toolbar = (page: Page): Locator => page.locator(".toolbar");
  const found = async (page: Page): Promise<string> =>
    (await toolbar(page).getByRole("status").first().textContent()) ?? "";
  const keys = (page: Page): Promise<string[]> => page.locator(".question .key").allTextContents();
  const keysOf = (rows: readonly ReportRow[]): string[] => rows.map(({ key }) => key);

  test("every filter shows the rows that it names, as many as it says, and all together in the order of the dataset", async () => {
    const rows = [...syntheticRows(60)];
    const { page } = await openReport(browser, { rows, hash: "sort=place", size: { width: 1280, height: 7_000 } });
    for (const [name, isShown] of Object.entries(filters)) {
      const wanted = keysOf(rows.filter(isShown));
      expect(wanted, name).not.toEqual([]);
      // Rare ones are behind More.
      if (
        !(await toolbar(page)
          .getByRole("button", { name: new RegExp(`^${name}`) })
          .isVisible())
      )
        await toolbar(page).getByText("More", { exact: true }).click();
      await toolbar(page)
        .getByRole("button", { name: new RegExp(`^${name} ${wanted.length}$`) })
        .click();
      await expect.poll(() => keys(page), { message: name }).toEqual(wanted);
    }
    await toolbar(page).getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => keys(page)).toEqual(keysOf(rows));
    // Each filter says how many rows it finds within the others.
    await toolbar(page).getByRole("combobox", { name: "Search in" }).fill("drill");
    const drills = rows.filter((row) => JSON.stringify(row).toLowerCase().includes("drill"));
    const worse = drills.filter(({ changes }) => changes[0]?.trend === "worse").length;
    await toolbar(page)
      .getByRole("button", { name: `Worse ${worse}`, exact: true })
      .waitFor();
  });

  test("heads of columns sort, and narrow the rows down by a figure of their target; Back takes each back", async () => {
    const rows = [...syntheticRows(60)];
    const { page, complaints } = await openReport(browser, { rows, size: { width: 1280, height: 7_000 } });
    const head = (name: string): Locator =>
      page.locator(".table-head").getByRole("columnheader", { name, exact: true });
    const scoreOf = ({ sides }: ReportRow, side: number): number | null => sides[side]?.scores[0]?.value ?? null;
    const gainOf = (row: ReportRow): number | null => {
      const [before, now] = [scoreOf(row, 0), scoreOf(row, 1)];
      return before === null || now === null ? null : now - before;
    };
    const ordered = (direction: 1 | -1): string[] =>
      keysOf(
        rows.toSorted((a, b) => {
          const [one, other] = [gainOf(a), gainOf(b)];
          return one === null || other === null
            ? Number(one === null) - Number(other === null)
            : direction * (other - one);
        }),
      );
    const first = await keys(page);
    const change = head("Change");
    expect(await change.getAttribute("aria-sort")).toBe("none");
    await change.getByRole("button").click();
    await expect.poll(() => keys(page)).toEqual(ordered(-1));
    expect(await change.getAttribute("aria-sort")).toBe("ascending");
    await change.getByRole("button").click();
    await expect.poll(() => keys(page)).toEqual(ordered(1));
    expect(await change.getAttribute("aria-sort")).toBe("descending");
    expect(await toolbar(page).getByLabel("Order").inputValue()).toBe("gain:correct");
    await change.getByRole("button").click();
    await expect.poll(() => keys(page)).toEqual(first);
    await page.goBack();
    await expect.poll(() => keys(page)).toEqual(ordered(1));
    await head("Row").getByRole("button").click();
    await expect.poll(() => keys(page)).toEqual(keysOf(rows));
    expect([await head("Row").getAttribute("aria-sort"), await change.getAttribute("aria-sort")]).toEqual([
      "ascending",
      "none",
    ]);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("a row that differs in a later try shows that try, in the list and when it is opened", async () => {
    const [first, ...others] = syntheticRows(20);
    const [base, other] = first?.sides ?? [];
    const [run] = base?.runs ?? [];
    const [score] = run?.scores ?? [];
    if (first === undefined || base === undefined || other === undefined || run === undefined)
      throw new Error("no row");
    const tries = (texts: string[]): ReportRow["sides"][number] => ({
      ...base,
      runs: texts.map((answer, i) => {
        const pass = answer === "right";
        return { ...run, repeat: i + 1, answer, scores: [{ reason: "", ...score, value: Number(pass), pass }, null] };
      }),
    });
    const [change] = first.changes;
    const row = {
      ...first,
      key: "flaky-row",
      sides: [tries(["right", "right"]), { ...tries(["right", "wrong"]), flaky: true }],
      changes: change === undefined ? [] : [{ ...change, kind: "newly-flaky" as const, trend: "worse" as const }],
    };
    const { page } = await openReport(browser, { rows: [row, ...others], hash: "sort=place" });
    const line = page.locator(".row", { hasText: "flaky-row" });
    expect(await line.locator(".answer > p:last-child").allTextContents()).toEqual(["right", "wrong"]);
    await page.locator(".row", { hasText: "flaky-row" }).locator("[data-row]").click();
    const runs = page.getByRole("group", { name: "Which run" });
    await expect.poll(() => runs.locator("[aria-pressed=true]").textContent()).toBe("Run 2 ✓ pass · ✗ fail");
  });

  test("worse and better name the primary metric where the verdict is about another", async () => {
    const summary = syntheticSummary(20);
    const verdict = { ...summary.verdict, metric: "similar" };
    const { page } = await openReport(browser, { rows: [...syntheticRows(20)], summary: { ...summary, verdict } });
    const named = toolbar(page).getByRole("button", { name: /^(Worse|Better) on correct \d+$/ });
    await expect.poll(() => named.count()).toBe(2);
  });

  slowTest("groups and tags narrow the rows further, one by one and together", async () => {
    const rows = [...syntheticRows(60)];
    const { page } = await openReport(browser, { rows, hash: "sort=place", size: { width: 1280, height: 7_000 } });
    // A link from a number narrows them to what it counts, which stands among the filters until it is taken off.
    const errors = rows.filter(({ sides }) => sides[1]?.runs[0]?.failed === true);
    const [message = ""] = errors.flatMap(({ sides }) => sides[1]?.runs[0]?.error ?? []);
    const group = groupCondition(rowGroup.error("test", "run-failed", message));
    await page.goto(`${page.url()}&q=${encodeURIComponent(group)}`);
    await expect.poll(() => keys(page)).toEqual(keysOf(errors));
    const cut =
      "document.querySelectorAll('.group-chip bdi')[0].scrollWidth > document.querySelectorAll('.group-chip bdi')[0].clientWidth";
    expect(await page.evaluate(cut)).toBe(false);
    await toolbar(page)
      .getByRole("button", { name: `test, run-failed: # from the service: the model did not answer ${errors.length}` })
      .click();
    await expect.poll(() => found(page)).toBe("60 rows");
    for (const [tag, value] of [
      ["language", "hi"],
      ["topic", "cards"],
    ] as const) {
      await chooseTags(page, tag, value);
      await expect.poll(() => keys(page)).toEqual(keysOf(rows.filter(({ tags }) => tags[tag] === value)));
      await toolbar(page).getByRole("button", { name: "Show all" }).click();
    }
    await chooseTags(page, "language", "hi");
    await chooseTags(page, "topic", "cards");
    const both = rows.filter(({ tags }) => tags["language"] === "hi" && tags["topic"] === "cards");
    await expect.poll(() => keys(page)).toEqual(keysOf(both));
    expect(page.url()).toContain("q=language%3A%22hi%22+topic%3A%22cards%22");
  });

  slowTest("27 errors that differ in a number are one line above the rows, which leads to them", async () => {
    const rows = [...syntheticRows(60)].map((row): ReportRow => {
      const [before, after] = row.sides;
      const isFailed = row.place <= 27;
      const error = `500: no model after ${row.place * 31} ms`;
      const failed = after?.runs.map((run) => ({
        ...run,
        outcome: "run-failed" as const,
        failed: true,
        answer: null,
        error,
      }));
      const changes = row.changes.map((change) => ({ ...change, kind: "error-appeared" as const, excess: 1 }));
      if (!isFailed || before === undefined || after === undefined || failed === undefined) return row;
      return { ...row, changes, sides: [before, { ...after, runs: failed }] };
    });
    const summary = syntheticSummary(60);
    const [first, second] = summary.targets;
    if (first === undefined || second === undefined) throw new Error("no target");
    const message = "500: no model after 31 ms";
    const errors = [{ outcome: "run-failed" as const, message, jobs: 27, example: rows[0]?.key ?? "" }];
    const { page } = await openReport(browser, {
      rows,
      summary: { ...summary, targets: [first, { ...second, errors }] },
      hash: "sort=place",
      size: { width: 1280, height: 12_000 },
    });
    const shown = page.locator("section[aria-labelledby='missing'] li");
    const lines = await shown.allTextContents();
    expect(lines).toEqual([`27 × test, run-failed: ${message} (such as ${rows[0]?.key})`]);
    await shown.first().getByRole("button").click();
    await expect.poll(() => keys(page)).toEqual(expect.arrayContaining(keysOf(rows.slice(0, 27))));
    expect(await found(page)).toBe(
      `${rows.filter(({ sides }) => sides[1]?.runs[0]?.error?.startsWith("500: no")).length} rows of 60`,
    );
  });

  slowTest(
    "of one target those rows stand first that have an error or do not pass, with filters of their own",
    async () => {
      const rows = [...syntheticRows(60)].map((row) => ({ ...row, sides: row.sides.slice(0, 1), changes: [] }));
      const all = syntheticSummary(60);
      const [target] = all.targets;
      const summary = { ...all, targets: target === undefined ? [] : [target], candidates: [], pairs: [], gates: [] };
      const { page } = await openReport(browser, { rows, summary, size: { width: 1280, height: 12_000 } });
      const passes = (row: ReportRow): boolean | null => row.sides[0]?.runs[0]?.scores[0]?.pass ?? null;
      const of = (wanted: boolean | null): string[] => keysOf(rows.filter((row) => passes(row) === wanted));
      expect(await keys(page)).toEqual([...of(null), ...of(false), ...of(true)]);
      for (const name of [`Failed ${of(false).length}`, `Passed ${of(true).length}`, `Errors ${of(null).length}`]) {
        await toolbar(page).getByRole("button", { name, exact: true }).waitFor();
      }
      await toolbar(page).getByRole("button", { name: "Slowest 5 % 3" }).click();
      const times = rows.map((row) => row.sides[0]?.runs[0]?.latencyMs ?? 0).toSorted((a, b) => b - a);
      const slow = rows.filter((row) => (row.sides[0]?.runs[0]?.latencyMs ?? 0) >= (times[2] ?? 0));
      await expect.poll(async () => (await keys(page)).toSorted()).toEqual(keysOf(slow).toSorted());
    },
  );

  slowTest("every order is the one that it says", async () => {
    const rows = [...syntheticRows(80)];
    const { page } = await openReport(browser, { rows, size: { width: 1280, height: 9000 } });
    const heads = new Map(rows.map((row) => [row.key, headOf(row)]));
    const ranks = new Map(rows.map((row) => [row.key, rankOfRow(row, 0)]));
    const figures: Record<string, (key: string) => number> = {
      rank: (key) => -(ranks.get(key) ?? 0),
      place: (key) => heads.get(key)?.place ?? 0,
      distance: (key) => -(heads.get(key)?.changes[0]?.distance ?? -1),
      score: (key) => Math.min(...(heads.get(key)?.sides ?? []).map(({ scores }) => scores[0] ?? Infinity)),
      slow: (key) => -Math.max(...(heads.get(key)?.sides ?? []).map(({ latencyMs }) => latencyMs ?? -1)),
    };
    for (const [order, figure] of Object.entries(figures)) {
      await page.getByLabel("Order").selectOption(order);
      const isSorted = async (): Promise<boolean> => {
        const shown = (await keys(page)).map(figure);
        return (
          shown.length === 80 && shown.every((value, index) => index === 0 || value >= (shown[index - 1] ?? value))
        );
      };
      await expect.poll(isSorted, { message: order }).toBe(true);
    }
  });

  test("a search finds words in any case, with and without accents, in whatever form they were typed", async () => {
    const texts = ["Der Fußweg zum Café", "crème BRÛLÉE", "كِتَابٌ جديد", "किताब", "ኢትዮጵያ ውስጥ", "图书馆开门", "Ångström"];
    const rows = [...syntheticRows(30)].map((row, index) => ({
      ...row,
      input: [{ field: "input_prompt", text: texts[index] ?? `nothing ${index}` }],
      sides: row.sides.map((side) => ({ ...side, runs: side.runs.map((run) => ({ ...run, answer: "No." })) })),
      expected: null,
    }));
    const { page } = await openReport(browser, { rows });
    for (const [typed, text] of [
      ["FUSSWEG cafe\u0301", texts[0]],
      ["creme brulee", texts[1]],
      ["كتاب", texts[2]],
      ["किताब", texts[3]],
      ["ኢትዮጵያ", texts[4]],
      ["书馆", texts[5]],
      ["a\u030Angstrom", texts[6]],
    ] as const) {
      await page.getByRole("combobox", { name: "Search in" }).fill(typed);
      await expect.poll(() => found(page), { message: typed }).toBe("1 row of 30");
      await expect
        .poll(() => page.locator(".question p").allTextContents())
        .toEqual([expect.stringMatching(`^row \\d+ ${text}$`)]);
    }
    await page.getByRole("combobox", { name: "Search in" }).fill("कताब");
    await expect.poll(() => found(page)).toBe("0 rows of 30");
    expect(folded("किताब")).not.toContain(folded("कताब"));
  });

  slowTest("a copied address brings somebody else to the same filter, tag, words, order and row", async () => {
    const first = await openReport(browser, { rows: [...syntheticRows(300)] });
    await first.page.getByRole("button", { name: /^Any difference/ }).click();
    await chooseTags(first.page, "language", "hi");
    const asked = "different language:hi आप";
    await first.page.getByRole("combobox", { name: "Search in" }).fill(asked);
    await first.page.getByLabel("Order").selectOption("distance");
    await expect.poll(() => first.page.url()).toMatch(/q=different.*sort=distance/);
    await expect.poll(() => found(first.page)).not.toBe("300 rows");
    await first.page.locator("[data-row='1']").click();
    await first.page.locator(".detail-body").waitFor();
    const [key, state] = [await first.page.locator(".detail .key").textContent(), await found(first.page)];
    const { page } = await openReport(browser, { rows: first.rows, hash: new URL(first.page.url()).hash.slice(1) });
    await expect.poll(() => page.locator(".detail .key").textContent()).toBe(key);
    await expect.poll(() => found(page)).toBe(state);
    expect(await page.getByRole("button", { name: /^Any difference/ }).getAttribute("aria-pressed")).toBe("true");
    expect(await page.getByRole("combobox", { name: "Search in" }).inputValue()).toBe(asked);
    await page.getByRole("button", { name: "Close" }).click();
    expect(await page.getByLabel("Order").inputValue()).toBe("distance");
  });

  slowTest(
    "Back leads out of the rows that were passed by keys, and to the one that was opened before by a click",
    async () => {
      const { page } = await openReport(browser, { hash: "sort=place", size: { width: 1440, height: 900 } });
      await page.locator("[data-row='0']").click();
      const title = (): Promise<string | null> => page.locator(".detail .key").textContent();
      await page.locator(".detail-body").waitFor();
      const first = await title();
      for (const key of ["j", "j"]) await page.keyboard.press(key);
      await expect.poll(title).not.toBe(first);
      // The list stands beside the row, in place of the headline, and follows it.
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(0);
      expect(await page.locator(".row.open .key").textContent()).toBe(await title());
      await page.locator("[data-row='5']").click();
      const sixth = await page.locator(".row:has([data-row='5']) .key").textContent();
      await expect.poll(title).toBe(sixth);
      expect(await page.locator(".detail h2:focus").count()).toBe(1);
      await page.goBack();
      await expect.poll(title).not.toBe(sixth);
      expect(await title()).not.toBe(first);
      await page.goBack();
      await expect.poll(() => page.locator(".detail").count()).toBe(0);
      await page.goForward();
      await page.goForward();
      await expect.poll(title).toBe(sixth);
      // To close a row is the step that Back takes: it leaves none behind, whatever was passed, and the list as it was found.
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator(".detail").count()).toBe(0);
      await page.goForward();
      await expect.poll(() => page.locator(".detail h2").count()).toBe(1);
      await page.getByRole("button", { name: /^Any difference/ }).click();
      await page.getByRole("button", { name: "Close" }).click();
      await expect.poll(() => page.locator(".detail").count()).toBe(0);
      expect(await page.getByRole("button", { name: /^Any difference/ }).getAttribute("aria-pressed")).toBe("true");
      await page.getByLabel("Order").selectOption("slow");
      await page.locator("[data-row='12']").focus();
      const scrolled = await page.evaluate("scrollY");
      expect(scrolled).toBeGreaterThan(100);
      await page.keyboard.press("Enter");
      await page.locator(".detail-body").waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator(":focus").getAttribute("data-row")).toBe("12");
      expect(await page.evaluate("scrollY")).toBe(scrolled);
    },
  );

  slowTest("a row that covers a narrow screen takes the keyboard, and gives it back to its line", async () => {
    const { page } = await openReport(browser, { size: { width: 360, height: 740 } });
    await page.locator("[data-row='2']").focus();
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.evaluate("addEventListener('animationend', ({ animationName }) => (globalThis.ended = animationName))");
    await page.keyboard.press("Enter");
    await page.locator(".detail-body").waitFor();
    // It comes in from the side, and then stands over all of the screen.
    await expect.poll(() => page.evaluate("globalThis.ended")).toBe("arrive");
    expect(await page.locator(".detail").boundingBox()).toMatchObject({ x: 0, y: 0 });
    expect(await page.locator("main").isVisible()).toBe(false);
    // What is covered does not move under the row's header.
    const scrolled = await page.evaluate("scrollY");
    await page.mouse.move(100, 12);
    await page.mouse.wheel(0, 400);
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))");
    expect(await page.evaluate("scrollY")).toBe(scrolled);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(":focus").getAttribute("data-row")).toBe("2");
  });

  test("long answers show what is near the words that differ, and all of it on a click", async () => {
    const paragraph = "The library lends books, films and tools to everybody who lives in the town. ".repeat(40);
    const [row, ...others] = syntheticRows(20);
    if (row === undefined) throw new Error("no row");
    const answers = [
      `${paragraph}Fees are two crowns. ${paragraph}`,
      `${paragraph}Fees are three crowns. ${paragraph}`,
    ];
    const sides = row.sides.map((side, index) => ({
      ...side,
      runs: side.runs.map((run) => ({ ...run, answer: answers[index] ?? "" })),
    }));
    const { page } = await openReport(browser, {
      rows: [{ ...row, sides }, ...others],
      hash: new URLSearchParams({ row: row.key }).toString(),
    });
    await page.locator(".said del", { hasText: "two" }).waitFor();
    expect((await page.locator(".said").first().textContent())?.length).toBeLessThan(1200);
    await page
      .getByRole("button", { name: /^Show [\d,]+ characters that are alike$/ })
      .first()
      .click();
    await expect.poll(() => page.locator(".said").allTextContents()).toEqual(answers);
  });

  test("an answer is shown as its Markdown means it, as JSON, against the expected text and as it came; nothing in it acts or loads", async () => {
    const [row, ...others] = syntheticRows(20);
    if (row === undefined) throw new Error("no row");
    const answer =
      "## Fees\n\n**Two** crowns, [terms](https://example.org/t) [no](javascript:alert(1))\n\n![seen](https://example.org/i.png)\n\n<img src=x onerror=alert(1)>\n\n- [x] `a`";
    const answers = [answer, '{"fee":2,"days":["Tue"]}'];
    const sides = row.sides.map((side, index) => ({
      ...side,
      runs: side.runs.map((run) => ({
        ...run,
        failed: false,
        latencyMs: 762 + index * 28,
        answer: answers[index] ?? "",
      })),
    }));
    const { page, complaints } = await openReport(browser, {
      rows: [{ ...row, expected: "two crowns", sides }, ...others],
      hash: new URLSearchParams({ row: row.key }).toString(),
    });
    await page.getByText("Time, cost and size").click();
    await page.getByText("0.03 s slower").waitFor();
    const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
    await press("Rendered");
    const rendered = page.locator(".rendered").first();
    expect(await rendered.locator("strong").textContent()).toBe("Two");
    expect(await rendered.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
      "https://example.org/t",
      "https://example.org/i.png",
    ]);
    expect(await rendered.textContent()).toContain("[no](javascript:alert(1))");
    expect(await rendered.textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator("#app img").count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await press("JSON");
    expect(await page.locator(".said").nth(1).textContent()).toBe('{\n  "fee": 2,\n  "days": [\n    "Tue"\n  ]\n}');
    await press("As it came");
    expect(await page.locator(".said").allTextContents()).toEqual(answers);
    await press("Against the expected text");
    expect(await page.locator(".said ins").first().textContent()).toContain("Fees");
    await press("Text");
    expect(await page.locator(".expected-here").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("what people said of an answer, and whose score took the place of the scorer's, stands beside it", async () => {
    const [row, ...others] = syntheticRows(20);
    if (row === undefined) throw new Error("no row");
    const was = { value: 0, pass: false, reason: "does not hold the expected text" };
    const edited = { value: 1, pass: true, reason: "says it otherwise", edited: { author: "Ada", at: 0, was } };
    const made = { value: 0.9, pass: null, reason: null, edited: { ...edited.edited, from: ["correct", "<b>polite"] } };
    const sides = row.sides.map((side) => ({
      ...side,
      runs: side.runs.map((run) => ({
        ...run,
        failed: false,
        answer: "Yes.",
        scores: [edited, made],
        labels: [{ scorer: "", label: "bad", note: "अच्छा नहीं", author: "Grace", at: 0 }],
      })),
    }));
    const { page } = await openReport(browser, {
      rows: [{ ...row, sides }, ...others],
      hash: new URLSearchParams({ row: row.key }).toString(),
    });
    const said = page.getByRole("list", { name: "What people said of this answer" }).first();
    expect(await said.textContent()).toMatch(/^✗ bad अच्छा नहीं Grace, /);
    const text = await page.getByRole("list", { name: "Scores" }).first().textContent();
    expect(text).toMatch(/✓ pass correct edited by Ada, .* \(was ✗ fail\) says it otherwise/);
    expect(text).toMatch(/follows from correct, <b>polite, edited by Ada, .* \(was ✗ fail\)/);
  });

  slowTest(
    "a turn of a conversation shows what came before it, and one click leads to all its rows in their order",
    async () => {
      const rows = [...syntheticRows(24)].map((row) => ({
        ...row,
        cluster: `talk №${Math.ceil(row.place / 2)}`,
        turn: ((row.place - 1) % 2) + 1,
      }));
      const { page } = await openReport(browser, {
        rows,
        hash: new URLSearchParams({ row: rows[1]?.key ?? "" }).toString(),
      });
      const earlier = page.getByRole("region", { name: "Earlier in this conversation" });
      const asked = earlier.locator(".turn-asked [dir]");
      await expect.poll(() => asked.allTextContents()).toEqual([rows[0]?.input[0]?.text]);
      expect(await earlier.textContent()).toContain(rows[0]?.sides[0]?.runs[0]?.answer?.slice(0, 40) ?? "nothing");
      await page.getByRole("button", { name: "talk №1" }).click();
      // Not those of talk №10 to №12.
      await expect.poll(() => found(page)).toBe("2 rows of 24");
      expect(await keys(page)).toEqual(keysOf(rows.slice(0, 2)));
    },
  );
});
